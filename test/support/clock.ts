import { type Api, api } from './api.ts';
import { eventually } from './eventually.ts';

export type ClockHandle = {
  id: string;
  /** Moves the clock and waits until everything due on the way has happened. */
  advanceTo(iso: string, timeout?: number): Promise<void>;
  now(): Promise<string>;
};

type ClockResponse = { id: string; now: string; status: 'ready' | 'advancing' | 'failed'; reason?: string | null };

/** A clock of this vendor, set to `iso`. Customers made on it live at its time. */
export async function clockOf(vendor: { api: Api } | string, iso: string): Promise<ClockHandle> {
  const calls = typeof vendor === 'string' ? api(vendor) : vendor.api;
  const id = await calls.made('/v1/c/test_clock', { now: iso });
  const read = (): Promise<ClockResponse> => calls.read<ClockResponse>(`/v1/c/test_clock/${id}`);
  return {
    id,
    now: async () => (await read()).now,
    advanceTo: async (to, timeout = 60_000) => {
      await calls.made(`/v1/c/test_clock/${id}/advance`, { now: to });
      const settled = await eventually(
        async () => {
          const clock = await read();
          if (clock.status === 'advancing') throw new Error(`the clock is still on its way to ${to}, at ${clock.now}`);
          return clock;
        },
        { timeout, every: 20, upTo: 120 },
      );
      if (settled.status === 'failed') throw new Error(`the clock stopped at ${settled.now}: ${settled.reason}`);
    },
  };
}
