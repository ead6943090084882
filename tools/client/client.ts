import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

export type Schema = components['schemas'];

export type Perennial = Client<paths>;

/** The API as a vendor's developer calls it, typed by the OpenAPI document alone. */
export function perennial(baseUrl: string, apiKey: string): Perennial {
  return createClient<paths>({ baseUrl, headers: { 'wb-key': apiKey } });
}

type Result<T> = { data?: T; error?: unknown; response: Response };

function refusal({ error, response }: Result<unknown>): Error {
  return new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
}

/**
 * The response of a call that is expected to succeed; a refusal becomes an error that says what was refused and why.
 */
export async function given<T>(call: Promise<Result<T>>): Promise<T> {
  const result = await call;
  if (result.error !== undefined || result.data === undefined) throw refusal(result);
  return result.data;
}

/** The same for calls whose response is empty. */
export async function done(call: Promise<Result<unknown>>): Promise<void> {
  const result = await call;
  if (!result.response.ok) throw refusal(result);
}
