import { setTimeout as pause } from 'node:timers/promises';
import type { Courier } from '../model/world.ts';
import type { TestResponse } from '../support/api.ts';

const PATIENCE_MS = 90_000;
const BETWEEN_MS = 100;

/**
 * Answers that aren't final: the connection broke, a part is away, or the first request with this key is still running.
 */
const isFinal = ({ status, body }: TestResponse): boolean =>
  status !== 503 && !(status === 409 && body?.code === 'idempotency_in_progress');

/**
 * Sends a request under its one key again and again until the answer is final, as a careful caller does. Whatever died
 * in between, it is then carried out exactly once, or refused.
 */
export const stubborn: Courier = async (send) => {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await send().catch((error: unknown) => error);
    if (isResponse(answer) && isFinal(answer)) return answer;
    if (Date.now() > until) throw new Error('no final answer', { cause: isResponse(answer) ? JSON.stringify(answer) : answer });
    await pause(BETWEEN_MS);
  }
};

const isResponse = (value: unknown): value is TestResponse =>
  typeof value === 'object' && value !== null && 'status' in value && 'body' in value;
