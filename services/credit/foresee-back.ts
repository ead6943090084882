import type { Contract, Effects } from '../../billing/contract/types.ts';
import type { BackToGrant } from '../../billing/credit/give-back.ts';
import { takenNewestFirst } from '../../billing/credit/taken-back.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Database } from '../../db/connect.ts';
import { idsOfCycleGrants } from '../../db/sql/credit/lock-cycle-grants.ts';
import { type OpenGrant, readOpenGrants } from '../../db/sql/credit/lock-grants.ts';
import { payableOf } from '../payment-gate/credit-holds.ts';
import { freedBy } from '../payment-gate/foresee.ts';
import { afterOpen, withoutHolds } from '../wallet/foresee.ts';
import type { ByThen } from './foresee-rollovers.ts';
import { foreseeUses } from './foresee-uses.ts';
import { grantToCome } from './plan-given.ts';
import { usable } from './use.ts';

/**
 * What the last of some steps takes back of the credits that plans of a chain have given, as far as it is left by then:
 * each step gives its credits, then credits pay its invoices, then it takes some back. What other contracts of the
 * customer use until then isn't known.
 *
 * @param steps what they write, in their order; none: nothing is taken back
 * @returns decimal text in the currency of the credits
 */
export async function foreseeCreditsBack(db: Database, contract: Contract, steps: readonly Effects[]): Promise<string> {
  const currency = steps.at(-1)?.creditsBack[0]?.currency ?? contract.terms.currency;
  const isOwn = (one: { currency: Currency }): boolean => one.currency === currency;
  let grants = steps.length === 0 ? [] : await grantsNow(db, contract, currency);
  const given = new Set<string>();
  let taken: BackToGrant[] = [];
  for (const [place, step] of steps.entries()) {
    const fresh = step.grants.filter(isOwn).map((one) => grantToCome({ ...one, contract: { ...contract, id: one.contractId } }));
    for (const { id } of fresh) given.add(id);
    grants = [...grants, ...fresh];
    const contracts = steps.slice(0, place + 1).flatMap((one) => one.contracts);
    const payable = await payableOf(db, { ...step, contracts });
    const byThen = closedBy(steps.slice(0, place + 1));
    grants = (await foreseeUses(db, grants, { ...payable, byThen })).left;
    taken = [];
    for (const back of step.creditsBack.filter(isOwn)) {
      const stored = await idsOfCycleGrants(db, { ...back, rootId: contract.rootId });
      const ofCycle = grants.filter(({ id, effectiveAt }) => stored.has(id) || (given.has(id) && effectiveAt >= back.since));
      const parts = takenNewestFirst(ofCycle.map(usable), back.amount, currency);
      taken.push(...parts);
      grants = less(grants, parts);
    }
  }
  return moneyText(sum(taken.map(({ amount }) => dec(amount))), currency);
}

/** What is closed and invoiced after some steps. */
function closedBy(steps: readonly Effects[]): ByThen {
  const closed = steps.flatMap(({ periods }) => periods.filter(({ status }) => status === 'closed'));
  const placed = steps.flatMap(({ invoices }) => invoices.flatMap(({ lineIds }) => lineIds));
  return { at: Math.max(0, ...closed.map(({ closedAt }) => closedAt ?? 0)), closed, placed };
}

/** Grants as they are once the contract is canceled: a gate that holds some of them for its change goes with it. */
async function grantsNow(db: Database, { id, customerId }: Contract, currency: Currency): Promise<OpenGrant[]> {
  const owner = { customerId, currency };
  const grants = await readOpenGrants(db, [owner]);
  const { credits } = await freedBy(db, id);
  return credits.length === 0 ? grants : afterOpen(db, owner, withoutHolds(grants, credits));
}

const less = (grants: readonly OpenGrant[], parts: readonly BackToGrant[]): OpenGrant[] =>
  grants.map((grant) => {
    const lost = sum(parts.filter(({ grantId }) => grantId === grant.id).map(({ amount }) => dec(amount)));
    return { ...grant, balance: dec(grant.balance).minus(lost).toFixed() };
  });
