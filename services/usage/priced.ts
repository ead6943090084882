import type { Pause } from '../../billing/calendar/pauses.ts';
import { usageOf } from '../../billing/contract/charge/usage-view.ts';
import { usageSources } from '../../billing/contract/period/sources.ts';
import type { Contract, UsagePeriod, UsageTotal } from '../../billing/contract/types.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import type { Tx } from '../../db/connect.ts';
import { contractsOf } from '../../db/contract/earlier-parts.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { chargingPeriod } from '../../db/sql/usage/charging-period.ts';
import { periodsBefore } from '../../db/sql/usage/periods-before.ts';
import { periodsByKeys } from '../../db/sql/usage/periods-by-keys.ts';
import { readCounters } from '../../db/sql/usage/read-counters.ts';
import { reservedUnits } from '../../db/sql/usage/reserved-units.ts';
import { earlierOf, totalsOf } from './list-periods.ts';

/** Which features are priced, and what is added to the counted units. */
interface Priced {
  /** null: all */
  of: string | null;
  /** units that are added to those of the event's feature */
  added?: string;
  /** whether reservations count */
  reserved?: boolean;
}

/**
 * What open usage comes to, as reads of the periods show it; reserved units count too unless `reserved` is false. Of
 * one feature: in the period that charges the event (a successor's, if its usage goes on there). Of all features: in
 * that period and in the running periods of the customer's other contracts in the same currency.
 */
export async function pricedOpenUsage(
  tx: Tx,
  { id: customerId, pauses }: { id: string; pauses: Pause[] },
  { contract, idx, slug }: { contract: Contract; idx: number; slug: string },
  { of, added = '0', reserved = true }: Priced,
): Promise<string> {
  const priced = { pauses, customerId, added: { slug, units: added }, of, reserved };
  if (of !== null) {
    const charging = await chargingPeriod(tx, { contractId: contract.id, idx }, slug);
    const [charged = contract] = charging.contractId === contract.id ? [contract] : await contractsByIds(tx, [charging.contractId]);
    return amountIn(tx, { ...priced, contract: charged, idx: charging.idx });
  }
  let sum = await amountIn(tx, { ...priced, contract, idx });
  for (const other of await activeContracts(tx, customerId)) {
    if (other.id === contract.id || other.terms.currency !== contract.terms.currency) continue;
    const idle = { slug: '', units: '0' };
    sum = text(dec(sum).plus(await amountIn(tx, { ...priced, contract: other, idx: other.currentIdx ?? 0, added: idle })));
  }
  return sum;
}

interface PricedPeriod {
  contract: Contract;
  idx: number;
  pauses: Pause[];
  customerId: string;
  added: { slug: string; units: string };
  of: string | null;
  reserved: boolean;
}

async function amountIn(tx: Tx, { contract, idx, pauses, customerId, added, of, reserved: withReserved }: PricedPeriod): Promise<string> {
  const [period] = await periodsByKeys(tx, [{ contractId: contract.id, idx }]);
  if (period === undefined || period.status === 'closed') return '0';
  const before: UsagePeriod[] = period.follows === null ? [] : ((await periodsBefore(tx, [period])).get(contract.id) ?? []);
  const counters = await readCounters(tx, [period, ...before]);
  const counted = totalsOf({ contractId: contract.id, idx }, before.at(-1), counters);
  const slugs = usageSources(contract.terms).flatMap(({ slug }) => (slug === null ? [] : [slug]));
  const spans = slugs.map((slug) => ({ customerId, slug, from: null, to: null, contractId: contract.id, idx }));
  const reserved = withReserved ? await reservedUnits(tx, spans) : [];
  const usage = slugs.map((slug, at) =>
    plus(counted, { contractId: contract.id, periodIdx: idx, slug }, [reserved[at] ?? '0', slug === added.slug ? added.units : '0']),
  );
  const priced = usageOf({ contract, period, usage }, earlierOf(before, await contractsOf(tx, before), counters), pauses);
  return priced.filter(({ slug }) => of === null || slug === of).reduce((sum, { amount }) => text(dec(sum).plus(amount)), '0');
}

/** A feature's total with further units. */
function plus(
  counted: readonly UsageTotal[],
  key: Pick<UsageTotal, 'contractId' | 'periodIdx' | 'slug'>,
  more: readonly string[],
): UsageTotal {
  const total = counted.find(({ slug }) => slug === key.slug);
  const units = text(more.reduce((sum, one) => sum.plus(one), dec(total?.units ?? '0')));
  return { ...key, events: 0, marker: null, units, unitsUntilNow: units, eventsUntilNow: 0, markerUntilNow: null };
}
