import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../local-stack/log.ts';
import { signedHeaders } from '../../services/webhook/sign.ts';
import type { ListenedEvent } from './log.ts';

/** How long a try may take, as for webhooks. */
const TIME_LIMIT = 10_000;
/** Milliseconds from each failed try to the next: long enough for a server that starts again after an edit. */
const PAUSES = [1_000, 3_000, 6_000];

/** How the last try of an event ended. */
export interface Forwarded {
  status: number | null;
  error: string | null;
  duration_ms: number;
  tries: number;
}

/**
 * The secret that forwarded events are signed with: the same for the same key, so that a receiver is set up once, and
 * nothing has to be stored. The key cannot be found from it.
 */
export const secretOf = (apiKey: string): string =>
  `whsec_${createHmac('sha256', apiKey).update('perennial listen').digest().toString('base64')}`;

export interface Receiver {
  url: string;
  secret: string;
  stopped: AbortSignal;
  progress: Log;
}

/** Posts an event as a webhook would, up to four times; tells of each failure that another try follows. */
export async function forward(event: ListenedEvent, target: Receiver): Promise<Forwarded> {
  const body = JSON.stringify(event);
  for (let tries = 1; ; tries++) {
    const outcome = { ...(await send(event.id, body, target)), tries };
    const wait = PAUSES[tries - 1];
    if (isTaken(outcome) || wait === undefined) return outcome;
    target.progress(`${event.type} ${event.id}: ${target.url} ${outcomeOf(outcome)}; again in ${wait / 1_000} s`);
    await pause(wait, undefined, { signal: target.stopped });
  }
}

export const isTaken = ({ status }: Forwarded): boolean => status !== null && status >= 200 && status <= 299;

const outcomeOf = ({ status, error }: Forwarded): string => (status === null ? `did not answer (${error})` : `answered ${status}`);

async function send(id: string, body: string, { url, secret, stopped }: Receiver): Promise<Omit<Forwarded, 'tries'>> {
  const began = Date.now();
  const headers = { 'content-type': 'application/json', ...signedHeaders(id, began, body, [secret]) };
  try {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIME_LIMIT)]);
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
    await response.body?.cancel();
    return { status: response.status, error: null, duration_ms: Date.now() - began };
  } catch (error) {
    if (stopped.aborted) throw error;
    return { status: null, error: reasonOf(error), duration_ms: Date.now() - began };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${TIME_LIMIT / 1_000} s`;
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
