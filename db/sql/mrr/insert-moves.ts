import type { MrrMove } from '../../../billing/contract/mrr/moves.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** A move with whose it is. */
export interface NewMrrMove extends MrrMove {
  id: string;
  vendorId: string;
  /** '' for the wall clock */
  clockId: string;
  customerId: string;
  rootId: string;
}

const SQL = `
  with made as (
    insert into mrr_move (id, vendor_id, clock_id, customer_id, root_id, contract_id, currency, number, at, kind, before, after, amount)
    select x.id, x.vendor_id, x.clock_id, x.customer_id, x.root_id, x.contract_id, x.currency, x.number, x.at, x.kind, x.before, x.after, x.amount
    from json_to_recordset($1::json) as x(id text, vendor_id text, clock_id text, customer_id text, root_id text, contract_id text,
      currency text, number int, at timestamptz(3), kind text, before numeric, after numeric, amount numeric)
    returning vendor_id, clock_id, kind, currency, at, amount
  )
  insert into figure_sum_change (vendor_id, clock_id, figure, part, currency, day, amount, n)
  select vendor_id, clock_id, 'mrr', kind, currency, date_trunc('day', at), sum(amount), count(*)
  from made group by vendor_id, clock_id, kind, currency, date_trunc('day', at)`;

/**
 * Writes moves, with what they add to the kept sums. SQL: signing and a bill run write them with everything else, in
 * one statement for all contracts of the transaction.
 */
export async function insertMrrMoves(tx: Queryable, moves: readonly NewMrrMove[]): Promise<void> {
  const rows = moves.map(({ vendorId, clockId, customerId, rootId, contractId, at, ...rest }) => ({
    ...rest,
    ...{ vendor_id: vendorId, clock_id: clockId, customer_id: customerId, root_id: rootId, contract_id: contractId, at: stamp(at) },
  }));
  await tx.query(SQL, [JSON.stringify(rows)]);
}
