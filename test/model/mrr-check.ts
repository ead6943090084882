import { mrrOf } from '../../billing/contract/mrr/mrr-of.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Database } from '../../db/connect.ts';
import { loadSnapshots } from '../../services/contract/load.ts';

/**
 * Chains whose moves don't come to the MRR of the contract that is live; parked ones make up for it when they resume.
 */
export async function mrrWrong(db: Database, vendorId: string): Promise<string[]> {
  const booked = await db.query<{ root_id: string; currency: string; amount: string }>(
    'select root_id, currency, sum(amount) as amount from mrr_move where vendor_id = $1 group by 1, 2 having sum(amount) <> 0',
    [vendorId],
  );
  const live = await db.query<{ id: string }>(
    `select id from contract where vendor_id = $1 and status = 'active' and parked_reason is null`,
    [vendorId],
  );
  const snapshots = await db.transaction((tx) =>
    loadSnapshots(
      tx,
      live.map(({ id }) => id),
      Date.now(),
      { lock: 'none' },
    ),
  );
  const now = snapshots.map(({ contract, customer }) => ({
    ...{ root_id: contract.rootId, currency: contract.terms.currency, amount: mrrOf(contract, customer.pauses) },
  }));
  const shown = (rows: readonly { root_id: string; currency: string; amount: string }[]): string[] =>
    rows
      .filter(({ amount }) => !dec(amount).isZero())
      .map(({ root_id, currency, amount }) => `${root_id} ${dec(amount).toFixed()} ${currency}`);
  const [moves, states] = [shown(booked), shown(now)];
  return [
    ...moves.filter((one) => !states.includes(one)).map((one) => `moves without a contract: ${one}`),
    ...states.filter((one) => !moves.includes(one)).map((one) => `a contract without moves: ${one}`),
  ];
}
