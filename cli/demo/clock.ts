import { setTimeout as pause } from 'node:timers/promises';
import { given, type Perennial } from '../../tools/client/client.ts';

const POLL_MS = 50;

/** Advances a test clock and returns when everything that was due on the way has happened. */
export async function advanceClock(api: Perennial, clock: string, to: string): Promise<void> {
  const at = { params: { path: { test_clock_id: clock } } };
  await given(api.POST('/v1/c/test_clock/{test_clock_id}/advance', { ...at, body: { now: to } }));
  for (;;) {
    const { status, reason, now } = await given(api.GET('/v1/c/test_clock/{test_clock_id}', at));
    if (status === 'ready') return;
    if (status === 'failed') throw new Error(`the clock stopped at ${now}: ${reason}`);
    await pause(POLL_MS);
  }
}
