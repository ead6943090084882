import type { Contract, Effects } from '../../billing/contract/types.ts';
import type { CreditsBack } from '../../billing/credit/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { type Decimal, dec, larger, smaller, sum, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Database } from '../../db/connect.ts';
import { idsOfCycleGrants } from '../../db/sql/credit/lock-cycle-grants.ts';
import { type OpenGrant, readOpenGrants } from '../../db/sql/credit/lock-grants.ts';
import { creditHolds } from '../payment-gate/credit-holds.ts';
import { freedBy } from '../payment-gate/foresee.ts';
import { afterOpen, withoutHolds } from '../wallet/foresee.ts';
import { grantToCome, newestFirst } from './plan-given.ts';

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
  let taken: Part[] = [];
  for (const [place, step] of steps.entries()) {
    const fresh = step.grants.filter(isOwn).map((one) => grantToCome({ ...one, contract: { ...contract, id: one.contractId } }));
    for (const { id } of fresh) given.add(id);
    grants = [...grants, ...fresh];
    const contracts = steps.slice(0, place + 1).flatMap((one) => one.contracts);
    const uses = await creditHolds(db, grants, { ...step, contracts });
    grants = less(
      grants,
      uses.map(({ grant: id, amount }) => ({ id, amount: dec(amount) })),
    );
    taken = [];
    for (const back of step.creditsBack.filter(isOwn)) {
      const stored = await idsOfCycleGrants(db, { ...back, rootId: contract.rootId });
      const parts = partsOf(
        grants.filter(({ id, effectiveAt }) => stored.has(id) || (given.has(id) && effectiveAt >= back.since)),
        back,
      );
      taken.push(...parts);
      grants = less(grants, parts);
    }
  }
  return moneyText(sum(taken.map(({ amount }) => amount)), currency);
}

/** A part of a grant that it loses. */
interface Part {
  id: string;
  amount: Decimal;
}

/** Grants as they are once the contract is canceled: a gate that holds some of them for its change goes with it. */
async function grantsNow(db: Database, { id, customerId }: Contract, currency: Currency): Promise<OpenGrant[]> {
  const owner = { customerId, currency };
  const grants = await readOpenGrants(db, [owner]);
  const { credits } = await freedBy(db, id);
  return credits.length === 0 ? grants : afterOpen(db, owner, withoutHolds(grants, credits));
}

const less = (grants: readonly OpenGrant[], parts: readonly Part[]): OpenGrant[] =>
  grants.map((grant) => {
    const lost = sum(parts.filter(({ id }) => id === grant.id).map(({ amount }) => amount));
    return { ...grant, balance: dec(grant.balance).minus(lost).toFixed() };
  });

/** What goes back of grants in the order in which it is taken: the newest first. */
function partsOf(grants: readonly OpenGrant[], { amount }: CreditsBack): Part[] {
  let rest = dec(amount);
  return newestFirst(grants).map(({ id, balance, held }) => {
    const part = larger(smaller(rest, dec(balance).minus(dec(held))), ZERO);
    rest = rest.minus(part);
    return { id, amount: part };
  });
}
