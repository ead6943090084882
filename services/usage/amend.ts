import { dec, text } from '../../billing/money/decimal.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { UsageEvent, UsageEventHistory } from '../../db/entities/usage.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { lockChain } from '../../db/sql/contract/lock-chain.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { countUsage, type UsageChange } from '../../db/usage/count.ts';
import { lockCustomer } from '../customer/lock.ts';
import { limitsOn, withinLimits } from './check-limits.ts';
import { correctUsage } from './correct.ts';
import { keepRooms } from './keep-rooms.ts';
import { lockChargingPeriod } from './period.ts';
import { readWatching, tellOfOne } from './reached.ts';
import { invoiceThresholds, thresholdsOf } from './thresholds.ts';
import { NOTHING_WATCHED } from './watched-value.ts';

interface Amendment {
  vendorId: string;
  eventId: string;
  /** null: the event no longer counts */
  units: string | null;
  notes: string | null;
  keyId: string | null;
}

/**
 * Changes or discards an event; what it was stays on record. In a closed period the difference waits for the contract's
 * next invoice.
 *
 * @throws Refusal `limit_reached`, `usage_event_not_found`, `usage_discarded`, `customer_frozen`, `clock_advancing`
 */
export async function amendUsage(tx: Tx, amendment: Amendment): Promise<void> {
  const { vendorId, eventId, units } = amendment;
  const seen = await tx.em.findOne(UsageEvent, { id: eventId, vendorId });
  if (seen === null) throw unknown();
  const customer = await lockCustomer(tx, vendorId, seen.customerId, { lock: 'to count' });
  const limits = await limitsOn(tx, customer, seen.featureSlug);
  const usage = { slugs: [seen.featureSlug], given: [seen.timestamp], contractIds: [seen.contractId] };
  const thresholds = await thresholdsOf(tx, customer, usage);
  await lockChain(tx, seen.contractId);
  // read again: another amendment may have been first, or a change that took the event along
  const event = await tx.em.findOne(UsageEvent, { id: eventId, vendorId }, FOR_UPDATE);
  if (event === null) throw unknown();
  if (event.discardedAt !== null) throw new Refusal('usage_discarded', 'the event is discarded');
  const key = { contractId: event.contractId, idx: event.periodIdx, slug: event.featureSlug };
  const { charging, closed } = await lockChargingPeriod(tx, key, key.slug);
  const change: UsageChange = {
    units: text(dec(units ?? '0').minus(event.units)),
    events: units === null ? -1 : 0,
    listed: 0,
    at: event.timestamp,
    isAbsolute: event.isAbsolute,
  };
  const history = tx.em.create(UsageEventHistory, {
    eventId,
    at: customer.now,
    kind: units === null ? 'discarded' : 'amended',
    unitsBefore: event.units,
    unitsAfter: units,
    notes: amendment.notes,
    keyId: amendment.keyId,
  });
  const [contract] = await contractsByIds(tx, [key.contractId]);
  if (contract === undefined) throw new Error(`the contract ${key.contractId} does not exist`);
  const place = { contract, idx: key.idx, slug: key.slug, at: event.timestamp };
  await withinLimits(tx, { customer, place, limits }, async () => {
    if (units === null) event.discardedAt = customer.now;
    else event.units = units;
    if (closed) event.corrected = true;
    await tx.em.flush();
    await countUsage(tx, key, [change]);
    return { units: change.units, isReport: false };
  });
  const watching = customer.watched ? await readWatching(tx, [customer.id]) : NOTHING_WATCHED;
  if (customer.watched) await tellOfOne(tx, customer, { ...place, closed }, watching);
  if (closed) await correctUsage(tx, { ...charging, slug: key.slug }, `${eventId}:${history.id}`, customer.now);
  else await invoiceThresholds(tx, thresholds);
  await keepRooms(tx, [customer], watching);
}

const unknown = (): Refusal => new Refusal('usage_event_not_found', 'there is no such usage event');
