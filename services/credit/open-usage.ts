import type { Instant } from '../../billing/calendar/instant.ts';
import { chargesOfEach, usageCharges } from '../../billing/contract/charge/usage-charges.ts';
import { usageSources } from '../../billing/contract/period/sources.ts';
import type { ContractSnapshot } from '../../billing/contract/types.ts';
import type { Grant } from '../../billing/credit/types.ts';
import { useGrants } from '../../billing/credit/use.ts';
import { chargeLines } from '../../billing/invoice/charge.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { type Decimal, dec, sum } from '../../billing/money/decimal.ts';
import type { Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { contractsToFreeze } from '../../db/sql/customer/contracts-to-freeze.ts';
import { loadSnapshots } from '../contract/load.ts';
import { type DatedLine, dividedLines, isOfContract, unwrittenLine } from './coverable.ts';

/** What grants in effect would pay of the usage that is open, each period as if it were closed now. */
export async function usedByOpenUsage(db: Queryable, customerId: string, grants: readonly Grant[], now: Instant): Promise<Decimal> {
  const [first] = grants;
  const lines = first === undefined ? [] : await openUsageLines(db, { customerId, currency: first.currency }, now);
  const divided = await dividedLines(
    db,
    lines.map((line) => ({ line, grants })),
  );
  const total = sum(lines.map(({ totalIncludingTax }) => dec(totalIncludingTax)));
  const begun = grants.filter(({ effectiveAt }) => effectiveAt <= now);
  const uses = useGrants(begun, [{ id: '', remaining: total.toFixed(), lines: divided }]);
  return sum(uses.map(({ amount }) => dec(amount)));
}

/**
 * The usage that is open in a currency, in lines as if each period were closed now. Of a customer's contracts only
 * those are loaded that charge for usage in it, and of these no lines: there may be thousands of either.
 */
export async function openUsageLines(
  db: Queryable,
  { customerId, currency }: { customerId: string; currency: Currency },
  now: Instant,
): Promise<DatedLine[]> {
  const ids = (await contractsToFreeze(db, customerId)).map(({ id }) => id);
  const found = (await contractsByIds(db, ids)).filter(({ terms }) => terms.currency === currency && usageSources(terms).length > 0);
  const charging = new Set(found.map(({ id }) => id));
  const snapshots = await loadSnapshots(
    db,
    ids.filter((id) => charging.has(id)),
    now,
    { running: 'none', found },
  );
  return snapshots.flatMap((one) => openLines(one, now));
}

function openLines(snapshot: ContractSnapshot, now: Instant): DatedLine[] {
  const { contract, tax, periods } = snapshot;
  const context = { currency: contract.terms.currency, tax, discount: null, newId };
  const begun = periods.filter(({ from }) => from <= now);
  const lines = chargeLines(
    chargesOfEach(snapshot, begun, (own, period) => usageCharges(own, period, now)),
    context,
  );
  return lines.filter(isOfContract).map((line) => unwrittenLine(line, contract.terms.originalPlanId, now));
}
