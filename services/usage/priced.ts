import { usageOf } from '../../billing/contract/charge/usage-view.ts';
import type { Contract, UsagePeriod } from '../../billing/contract/types.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import type { Tx } from '../../db/connect.ts';
import { contractsOf } from '../../db/contract/earlier-parts.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { periodsBefore } from '../../db/sql/usage/periods-before.ts';
import { periodsByKeys } from '../../db/sql/usage/periods-by-keys.ts';
import { readCounters } from '../../db/sql/usage/read-counters.ts';
import type { LockedCustomer } from '../customer/lock.ts';
import { earlierOf, totalsOf } from './list-periods.ts';

/**
 * What the usage of open periods comes to, as their reads show it: of one feature in the period of an event, or of all
 * features of the customer's contracts in its currency, in that period and in those that run in the other contracts.
 */
export async function pricedOpenUsage(
  tx: Tx,
  customer: LockedCustomer,
  { contract, idx, slug }: { contract: Contract; idx: number; slug: string },
  of: string | null,
): Promise<string> {
  if (of !== null) return amountIn(tx, customer, contract, idx, (one) => one === slug);
  const live = (await activeContracts(tx, customer.id)).filter(({ terms }) => terms.currency === contract.terms.currency);
  let sum = await amountIn(tx, customer, contract, idx, () => true);
  for (const other of live.filter(({ id }) => id !== contract.id)) {
    sum = text(dec(sum).plus(await amountIn(tx, customer, other, other.currentIdx ?? 0, () => true)));
  }
  return sum;
}

async function amountIn(
  tx: Tx,
  { pauses }: LockedCustomer,
  contract: Contract,
  idx: number,
  counts: (slug: string) => boolean,
): Promise<string> {
  const [period] = await periodsByKeys(tx, [{ contractId: contract.id, idx }]);
  if (period === undefined || period.status === 'closed') return '0';
  const before: UsagePeriod[] = period.follows === null ? [] : ((await periodsBefore(tx, [period])).get(contract.id) ?? []);
  const counters = await readCounters(tx, [contract.id, ...before.map(({ contractId }) => contractId)]);
  const usage = totalsOf({ contractId: contract.id, idx }, before.at(-1), counters);
  const priced = usageOf({ contract, period, usage }, earlierOf(before, await contractsOf(tx, before), counters), pauses);
  return priced.filter(({ slug }) => counts(slug)).reduce((sum, { amount }) => text(dec(sum).plus(amount)), '0');
}
