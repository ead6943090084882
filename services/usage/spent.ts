import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Tx } from '../../db/connect.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { billingPeriodUnits } from '../../db/sql/usage/billing-period-units.ts';
import { chargingPeriods } from '../../db/sql/usage/charging-period.ts';
import { type CounterKey, keyOf, type PartKey } from '../../db/sql/usage/part.ts';
import { featuresAmount, pricedUsage, type UsageToPrice } from './priced.ts';

/** Open usage whose amount is asked for, and of which feature; null: of all. */
export interface Spending {
  watch: { slug: string | null };
  usage: CounterKey & { customerId: string };
}

/** The period that an active contract is in. */
interface RunningPeriod extends PartKey {
  /** the name of its billing period; null: it is a trial, to which nothing is noted */
  place: string | null;
}

/** What is known of usage that is asked for. */
export interface Spent {
  currency: Currency;
  /** it is of the period that its contract is in */
  isRunning: boolean;
  /** the periods of the customer's active contracts in the currency */
  running: readonly RunningPeriod[];
  /** what it comes to, in the period that charges it, together with further periods */
  amountIn: (others: readonly PartKey[]) => string;
}

/** Names a billing period by its first part. */
export const periodPlace = ({ contractId, idx }: PartKey): string => `period ${contractId} ${idx}`;

/**
 * Prices open usage, and what is added to it where all features are asked for: by a few statements, however many
 * contracts they are, and two for each customer.
 */
export async function spentOf(tx: Tx, spending: readonly Spending[]): Promise<(one: Spending) => Spent> {
  const customers = [...new Set(spending.map(({ usage }) => usage.customerId))];
  const ofAll = new Set(spending.flatMap(({ watch, usage }) => (watch.slug === null ? [usage.customerId] : [])));
  const pauses = new Map<string, Pause[]>();
  const active = new Map<string, Contract[]>();
  for (const id of customers) pauses.set(id, await readPauses(tx, id));
  for (const id of ofAll) active.set(id, await activeContracts(tx, id));
  const charging = await chargedPlaces(tx, spending);
  const places = await placesOf(tx, [...active.values()].flat());
  const contracts = await contractsNamed(tx, spending, charging);
  const running = [...active.values()].flat().map((contract): UsageToPrice => ({ contract, idx: contract.currentIdx ?? 0 }));
  const charged = [...charging.values()].map(({ contractId, idx }): UsageToPrice => ({ contract: contracts(contractId), idx }));
  const all = new Map([...running, ...charged].map((place) => [keyOf({ contractId: place.contract.id, idx: place.idx }), place]));
  const usage = Map.groupBy(await pricedUsage(tx, [...all.values()], { pausesOf: (id) => pauses.get(id) ?? [], reservedBy: null }), keyOf);
  return (one) => {
    const { currency } = contracts(one.usage.contractId).terms;
    const own = charging.get(nameOf(one)) ?? one.usage;
    return {
      currency,
      isRunning: one.usage.idx === contracts(one.usage.contractId).currentIdx,
      running: (active.get(one.usage.customerId) ?? [])
        .filter(({ terms }) => terms.currency === currency)
        .map(({ id: contractId, currentIdx }) => ({ contractId, idx: currentIdx ?? 0, place: places.get(contractId) ?? null })),
      amountIn: (others) =>
        featuresAmount(
          [own, ...others].flatMap((key) => usage.get(keyOf(key)) ?? []),
          one.watch.slug,
        ),
    };
  };
}

const nameOf = ({ watch, usage }: Spending): string => `${keyOf(usage)} ${watch.slug === null ? '' : usage.slug}`;

/** The periods that charge what is asked for: of one feature possibly a successor's. */
async function chargedPlaces(tx: Tx, spending: readonly Spending[]): Promise<Map<string, PartKey>> {
  const of = new Map(spending.map((one) => [nameOf(one), one]));
  const named = [...of.values()].filter(({ watch }) => watch.slug !== null);
  const periods = await chargingPeriods(
    tx,
    named.map(({ usage }) => usage),
  );
  const charging = new Map(named.map((one, at) => [nameOf(one), periods[at] ?? one.usage]));
  return new Map([...of].map(([name, { usage }]) => [name, charging.get(name) ?? usage]));
}

/** The names of the billing periods that contracts are in, by the contract. */
async function placesOf(tx: Tx, contracts: readonly Contract[]): Promise<Map<string, string>> {
  const keys = contracts.flatMap(({ id, currentIdx }) => (currentIdx === null ? [] : [{ contractId: id, idx: currentIdx, slug: '' }]));
  const parts = await billingPeriodUnits(tx, keys);
  return new Map(parts.map(({ first }, at) => [keys[at]?.contractId ?? '', periodPlace(first)]));
}

/** The contracts whose usage is asked for, and those that charge it. */
async function contractsNamed(
  tx: Tx,
  spending: readonly Spending[],
  charging: ReadonlyMap<string, PartKey>,
): Promise<(id: string) => Contract> {
  const ids = new Set([...spending.map(({ usage }) => usage.contractId), ...[...charging.values()].map(({ contractId }) => contractId)]);
  const found = new Map((await contractsByIds(tx, [...ids])).map((contract) => [contract.id, contract]));
  return (id) => {
    const contract = found.get(id);
    if (contract === undefined) throw new Error(`the contract ${id} does not exist`);
    return contract;
  };
}
