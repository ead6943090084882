import type { Instant } from '../../billing/calendar/instant.ts';
import type { GrantUse } from '../../billing/credit/types.ts';
import type { OpenInvoice } from '../../billing/invoice/settlement.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import type { Database } from '../../db/connect.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import type { DatedLine } from './coverable.ts';
import { type ByThen, foreseeRollovers } from './foresee-rollovers.ts';
import { someEnded } from './rollover.ts';
import { planUses, usable } from './use.ts';

/** Invoices that credits will be offered, with their lines. */
interface ToOffer {
  invoices: readonly OpenInvoice[];
  lines: ReadonlyMap<string, readonly DatedLine[]>;
  /** credits that end by then go on as others; absent: none end */
  byThen?: ByThen | undefined;
  /** what others will have paid before */
  planned?: readonly GrantUse[];
}

/**
 * What grants will pay of invoices, in the order in which the transaction lets them pay that makes the invoices.
 *
 * @returns also what is left of them, and of those as which they go on
 */
export async function foreseeUses(
  db: Database,
  grants: readonly OpenGrant[],
  { invoices, lines, byThen, planned = [] }: ToOffer,
): Promise<{ uses: GrantUse[]; left: OpenGrant[] }> {
  const plan = async (own: readonly OpenGrant[], offered: readonly OpenInvoice[], before?: Instant, first: GrantUse[] = []) =>
    own.length === 0 || offered.length === 0
      ? []
      : planUses(db, [{ grants: own.map(usable), invoices: offered, before }], lines, [...planned, ...first]);
  const some = byThen === undefined ? null : someEnded(grants, byThen.at);
  if (byThen === undefined || some === null) {
    const uses = await plan(grants, invoices);
    return { uses, left: afterUses(grants, uses) };
  }
  const first = await plan(grants, invoices, some.until);
  const ended = afterUses(some.ended, first);
  const rolled = await foreseeRollovers(db, ended, byThen);
  const isRolled = new Set(rolled.map(({ rolledFrom }) => rolledFrom));
  const others = [...afterUses(some.others, first), ...rolled];
  const second = await plan(others, afterPayments(invoices, first), undefined, first);
  return { uses: [...first, ...second], left: [...ended.filter(({ id }) => !isRolled.has(id)), ...afterUses(others, second)] };
}

/** Grants with what they have paid taken off. */
export function afterUses(grants: readonly OpenGrant[], uses: readonly GrantUse[]): OpenGrant[] {
  const byGrant = Map.groupBy(uses, ({ grantId }) => grantId);
  return grants.map((one) => ({
    ...one,
    balance: dec(one.balance)
      .minus(paidIn(byGrant.get(one.id)))
      .toFixed(),
  }));
}

/** Invoices with what was paid of them taken off. */
function afterPayments(invoices: readonly OpenInvoice[], uses: readonly GrantUse[]): OpenInvoice[] {
  const byInvoice = Map.groupBy(uses, ({ invoiceId }) => invoiceId);
  return invoices.map((one) => ({
    ...one,
    remaining: dec(one.remaining)
      .minus(paidIn(byInvoice.get(one.id)))
      .toFixed(),
  }));
}

const paidIn = (uses: readonly GrantUse[] = []) => sum(uses.map(({ amount }) => dec(amount)));
