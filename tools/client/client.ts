import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './schema.ts';

export type Perennial = Client<paths>;

/** The API as a vendor's developer calls it, typed by the OpenAPI document alone. */
export function perennial(baseUrl: string, apiKey: string): Perennial {
  return createClient<paths>({ baseUrl, headers: { 'wb-key': apiKey } });
}

type Result<T> = { data?: T; error?: unknown; response: Response };

/** The answer of a call that is expected to succeed; a refusal becomes an error that says what was refused and why. */
export async function given<T>(call: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (error !== undefined || data === undefined) {
    throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  }
  return data;
}
