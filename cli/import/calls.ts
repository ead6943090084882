import { setTimeout as pause } from 'node:timers/promises';
import type { VendorAccess } from '../../config/vendor-access.ts';
import type { Log } from '../../local-stack/log.ts';
import { CommandError } from '../run.ts';

/** The API that lines are sent to, and where it is said that they wait for it. */
export interface ImportTarget extends VendorAccess {
  progress: Log;
}

/** The API refuses a request, and will again. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

interface Answer {
  status: number;
  /** whether the API asks for the same request later */
  isLater: boolean;
  text: string;
}

const TIME_LIMIT = 60_000;
const PAUSE_MS = 1_000;
/** So often a call is repeated while the API is away; each of them can be repeated. */
const TRIES = 60;

/** Calls the API; while it can't be reached, or is asked to wait, the call is repeated for a minute. */
export async function callApi<T>(target: ImportTarget, method: 'GET' | 'POST', path: string, body?: string): Promise<T> {
  const call = `${method} ${path.split('?')[0]}`;
  for (let tries = 1; ; tries += 1) {
    const answer = await send(target, method, path, body);
    if (answer !== null && !mayPass(answer)) return contentOf<T>(call, answer);
    const trouble = answer === null ? `nothing answers at ${target.url}` : `${call} answered ${answer.status}: ${detailOf(answer)}`;
    if (tries === TRIES) throw new CommandError(`${trouble}: the same command goes on where this one has come to`);
    // the limit of requests is waited for in silence
    if (tries === 1 && answer?.status !== TOO_MANY) target.progress(`${trouble.replace(/\.$/, '')}. Trying again for a minute.`);
    await pause(PAUSE_MS);
  }
}

/** null: no answer came, or only a part of one. A redirect is not followed: it would carry the key to another host. */
async function send({ url, key }: VendorAccess, method: string, path: string, body?: string): Promise<Answer | null> {
  const headers = { 'wb-key': key, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(TIME_LIMIT);
  try {
    const options = { method, headers, signal, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) };
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, options);
    return { status: response.status, isLater: response.headers.has('retry-after'), text: await response.text() };
  } catch {
    return null;
  }
}

const TOO_MANY = 429;
const mayPass = ({ status, isLater }: Answer): boolean => status >= 500 || (status >= 400 && isLater);

function contentOf<T>(call: string, answer: Answer): T {
  const content = jsonOf(answer);
  if (content === undefined || (answer.status >= 300 && answer.status < 400))
    throw new CommandError(`${call} answered ${answer.status}, but not as the API does. Is PERENNIAL_URL the address of the API?`);
  if (answer.status >= 400) throw new Refused(answer.status, detailOf(answer));
  return content as T;
}

function detailOf(answer: Answer): string {
  const content = jsonOf(answer) as { detail?: unknown } | null | undefined;
  return String(content?.detail ?? 'it does not say why');
}

function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
