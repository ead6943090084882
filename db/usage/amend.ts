import type { Contract } from '../../billing/contract/types.ts';
import type { Tx } from '../connect.ts';
import { holdCustomer } from '../customer/hold.ts';
import { type ContractRecordRow, toContract } from '../mapping/contract.ts';
import { Refusal } from '../refusal.ts';
import { insertRows, stamp } from '../rows.ts';
import { correctUsage } from './correction.ts';
import { recountUsage } from './counter.ts';

interface Amendment {
  vendorId: string;
  eventId: string;
  /** null: the event counts no more */
  units: string | null;
  notes: string | null;
  keyId: string | null;
}

interface EventRow {
  id: string;
  customer_id: string;
  contract_id: string;
  period_idx: number;
  feature_slug: string;
  units: string;
  discarded_at: number | null;
}

/**
 * Changes or discards an event; what it was stays on record. In a closed period the difference waits for the contract's next invoice.
 *
 * @returns wishes to deliver after the commit
 * @throws Refusal `usage_event_not_found`, `usage_discarded`, `customer_frozen`, `clock_advancing`
 */
export async function amendUsage(tx: Tx, amendment: Amendment): Promise<string[]> {
  const { vendorId, eventId, units } = amendment;
  const found = await readEvent(tx, vendorId, eventId, '');
  const customer = await holdCustomer(tx, vendorId, found.customer_id);
  const closed = await holdPeriod(tx, found);
  // read again: another amendment may have been first
  const event = await readEvent(tx, vendorId, eventId, 'for update');
  if (event.discarded_at !== null) throw new Refusal('usage_discarded', 'the event is discarded');
  await tx.query(
    `update usage_event set units = coalesce($2::numeric, units), discarded_at = $3::timestamptz, corrected = corrected or $4 where id = $1`,
    [eventId, units, units === null ? stamp(customer.now) : null, closed],
  );
  const [row] = await insertRows<{ id: string }>(
    tx,
    'usage_event_history',
    [
      {
        event_id: eventId,
        at: stamp(customer.now),
        kind: units === null ? 'discarded' : 'amended',
        units_before: event.units,
        units_after: units,
        notes: amendment.notes,
        key_id: amendment.keyId,
      },
    ],
    'returning id',
  );
  const key = { contractId: event.contract_id, idx: event.period_idx, slug: event.feature_slug };
  await recountUsage(tx, key);
  return closed ? correctUsage(tx, await contractOf(tx, event.contract_id), key, `${eventId}:${row?.id ?? ''}`, customer.now) : [];
}

async function contractOf(tx: Tx, id: string): Promise<Contract> {
  const [row] = await tx.query<ContractRecordRow>('select * from contract where id = $1', [id]);
  if (row === undefined) throw new Error(`the contract ${id} does not exist`);
  return toContract(row);
}

async function readEvent(tx: Tx, vendorId: string, id: string, lock: string): Promise<EventRow> {
  const [row] = await tx.query<EventRow>(
    `select id, customer_id, contract_id, period_idx, feature_slug, units, discarded_at from usage_event where vendor_id = $1 and id = $2 ${lock}`,
    [vendorId, id],
  );
  if (row === undefined) throw new Refusal('usage_event_not_found', 'there is no such usage event');
  return row;
}

/** Contract before period, as by whoever closes it; `for update` at once, since a correction may have to write the contract. */
async function holdPeriod(tx: Tx, event: EventRow): Promise<boolean> {
  await tx.query('select id from contract where id = $1 for update', [event.contract_id]);
  const [period] = await tx.query<{ status: string }>('select status from usage_period where contract_id = $1 and idx = $2 for update', [
    event.contract_id,
    event.period_idx,
  ]);
  return period?.status === 'closed';
}
