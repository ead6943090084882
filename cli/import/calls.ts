import { setTimeout as pause } from 'node:timers/promises';
import type { VendorAccess } from '../../config/vendor-access.ts';
import { CommandError } from '../run.ts';

/** The API refuses a request, and will again. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

const PAUSE_MS = 1_000;
/** So often a call is repeated while the API is away; each of them can be repeated. */
const TRIES = 60;

/** Calls the API; while it can't be reached, or is asked to wait, the call is repeated for a minute. */
export async function callApi<T>({ url, key }: VendorAccess, method: 'GET' | 'POST', path: string, body?: string): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { 'wb-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    }).catch(() => null);
    if (response?.ok) return (await response.json()) as T;
    const mayPass = response === null || response.status >= 500 || response.headers.has('retry-after');
    if (response !== null && !mayPass) throw new Refused(response.status, detailOf(await response.text()));
    if (tries === TRIES) throw new CommandError(`nothing answers at ${url}: the same command goes on where this one has come to`);
    await pause(PAUSE_MS);
  }
}

function detailOf(text: string): string {
  try {
    return String((JSON.parse(text) as { detail?: unknown }).detail ?? text);
  } catch {
    return text;
  }
}
