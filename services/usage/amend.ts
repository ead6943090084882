import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { recountUsage } from '../../db/usage/recount.ts';
import { lockCustomer } from '../customer/lock.ts';
import { correctUsage } from './correct.ts';
import { lockChargingPeriod } from './period.ts';

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
 * @throws Refusal `usage_event_not_found`, `usage_discarded`, `customer_frozen`, `clock_advancing`
 */
export async function amendUsage(tx: Tx, amendment: Amendment): Promise<void> {
  const { vendorId, eventId, units } = amendment;
  const found = await readEvent(tx, vendorId, eventId, '');
  const customer = await lockCustomer(tx, vendorId, found.customer_id);
  await lockChain(tx, found);
  // read again: another amendment may have been first, or a change that took the event along
  const event = await readEvent(tx, vendorId, eventId, 'for update');
  if (event.discarded_at !== null) throw new Refusal('usage_discarded', 'the event is discarded');
  const key = { contractId: event.contract_id, idx: event.period_idx, slug: event.feature_slug };
  const { charging, closed } = await lockChargingPeriod(tx, key, key.slug);
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
  await recountUsage(tx, key);
  if (closed) await correctUsage(tx, { ...charging, slug: key.slug }, `${eventId}:${row?.id ?? ''}`, customer.now);
}

async function readEvent(tx: Tx, vendorId: string, id: string, lock: string): Promise<EventRow> {
  const [row] = await tx.query<EventRow>(
    `select id, customer_id, contract_id, period_idx, feature_slug, units, discarded_at from usage_event where vendor_id = $1 and id = $2 ${lock}`,
    [vendorId, id],
  );
  if (row === undefined) throw new Refusal('usage_event_not_found', 'there is no such usage event');
  return row;
}

/** Contracts before periods, as by whoever closes them; `for update` at once, since a correction may have to write one of them. */
async function lockChain(tx: Tx, event: EventRow): Promise<void> {
  await tx.query(
    `select id from contract where root_id = (select root_id from contract where id = $1) order by id <> root_id, id for update`,
    [event.contract_id],
  );
}
