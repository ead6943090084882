import { z } from 'zod';
import type { AuthorizeConfig } from '../../config/payments.ts';
import { OutcomeUnknown, ProviderUnavailable } from '../problem.ts';

const LIVE = 'https://api.authorize.net';
const TRIAL = 'https://apitest.authorize.net';
const TIMEOUT_MS = 30_000;
/** E00007 wrong keys, E00000 and E00053 "try again": nothing was done. */
const NOT_DONE = new Set(['E00000', 'E00007', 'E00053', 'E00104']);

const envelope = z.looseObject({
  messages: z.object({ resultCode: z.enum(['Ok', 'Error']), message: z.array(z.object({ code: z.string(), text: z.string() })) }),
});

/** A response with result code `Error`, with the provider's own code. */
export class AuthorizeError extends Error {
  readonly code: string;
  readonly response: Record<string, unknown>;

  constructor(code: string, text: string, response: Record<string, unknown>) {
    super(`${code}: ${text}`);
    this.name = 'AuthorizeError';
    this.code = code;
    this.response = response;
  }
}

const NO_SUCH_RECORD = 'E00040';

/** Whether the account that our keys belong to doesn't have what was asked about. */
export const isUnknownRecord = (error: unknown): boolean => error instanceof AuthorizeError && error.code === NO_SUCH_RECORD;

/** Calls one operation of the JSON API. The provider reads fields in order, so `body` is sent as it is written. */
export type AuthorizeCall = <S extends z.ZodType>(operation: string, body: Record<string, unknown>, shape: S) => Promise<z.output<S>>;

/** Where the provider's own pages are; whatever stands for its API elsewhere has them too. */
export function pagesOfAuthorize({ apiBase }: AuthorizeConfig): string {
  if (apiBase === null || apiBase === LIVE) return 'https://accept.authorize.net';
  return apiBase === TRIAL ? 'https://test.authorize.net' : apiBase;
}

export function connectAuthorize(config: AuthorizeConfig): AuthorizeCall {
  const address = `${config.apiBase ?? LIVE}/xml/v1/request.api`;
  const merchantAuthentication = { name: config.loginId, transactionKey: config.transactionKey };
  return async (operation, body, shape) => {
    const found = envelope.parse(await send(address, { [operation]: { merchantAuthentication, ...body } }));
    const [first] = found.messages.message;
    if (found.messages.resultCode === 'Error') {
      const code = first?.code ?? 'unknown';
      if (NOT_DONE.has(code)) throw new ProviderUnavailable(`Authorize.Net refused the call: ${code}.`);
      throw new AuthorizeError(code, first?.text ?? 'no text', found);
    }
    return shape.parse(found);
  };
}

async function send(address: string, body: unknown): Promise<unknown> {
  let text: string;
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    text = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}`);
  } catch (cause) {
    throw new OutcomeUnknown('Authorize.Net did not answer.', cause);
  }
  try {
    // responses begin with a byte order mark
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new OutcomeUnknown('Authorize.Net answered with something that is no JSON.', cause);
  }
}
