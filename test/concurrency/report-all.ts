import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

const CONNECTIONS = 64;

/** Who reports usage: the first process, which lives on, and one beside it. */
interface Processes {
  first: Api;
  other: Api;
}

/**
 * Reports events of one call each on 64 connections to two processes; one that isn't answered is reported again under
 * its key, to the first.
 *
 * @param answered called after each answer
 * @returns how many were taken; a limit refuses the others
 */
export async function reportAll(
  { first, other }: Processes,
  customer: string,
  events: number,
  answered: () => Promise<void> = async () => {},
): Promise<number> {
  const waiting = Array.from({ length: events }, (_, n) => n);
  let taken = 0;
  const report = (calls: Api, n: number): Promise<number> =>
    calls.post('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '1' }, { 'idempotency-key': `${customer}-${n}` }).then(
      ({ status }) => status,
      () => 0,
    );
  const answerOf = async (calls: Api, n: number): Promise<number> => {
    const status = await report(calls, n);
    expect([200, 409]).toContain(status);
    return status;
  };
  const senders = Array.from({ length: CONNECTIONS }, async (_, sender) => {
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
      const key = n;
      const status = await answerOf(sender % 2 === 0 ? first : other, key).catch(() => eventually(() => answerOf(first, key)));
      if (status === 200) taken += 1;
      await answered();
    }
  });
  await Promise.all(senders);
  return taken;
}
