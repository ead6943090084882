import type { LineKind } from '../invoice/types.ts';
import { type Decimal, dec, smaller, sum, ZERO } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';
import { inOrderOfUse } from './order.ts';
import type { CoverableInvoice, CoverableLine, Grant, GrantUse, LinePart, LineUse } from './types.ts';

/** Kinds of lines that charge for what was used. */
const USED: ReadonlySet<LineKind> = new Set<LineKind>(['usage', 'on_demand', 'correction']);

/**
 * Whether a grant pays for a part of a line: the part lies in its half-open life, and the line is of a kind, a feature
 * and a plan that it is for.
 */
export function covers(
  { effectiveAt, expiresAt, features, plans, usageOnly = false }: Omit<Grant, 'id' | 'kind' | 'currency' | 'priority' | 'left'>,
  { planId, kind, source }: Pick<CoverableLine, 'planId' | 'kind' | 'source'>,
  { at, until }: Pick<LinePart, 'at' | 'until'>,
): boolean {
  if (usageOnly && !USED.has(kind)) return false;
  if (plans !== null && !plans.includes(planId)) return false;
  if (features !== null && !features.some((slug) => source === `feature:${slug}`)) return false;
  const begins = at >= effectiveAt;
  const ends = expiresAt === null || (at === until ? at < expiresAt : until <= expiresAt);
  return begins && ends;
}

/**
 * Lets grants pay invoices: the invoices one after the other as they are given, each by the grants in the order of
 * their use; a grant pays for the oldest part first, each as far as both go. Never more than what is left to pay of
 * the invoice, so that lines that give something back lower what is used. Use is a payment: no line changes.
 *
 * @param used what grants have paid of these lines before
 * @returns nothing for grants that pay nothing
 * @example
 * const life = { effectiveAt: at('2025-01-01'), expiresAt: null };
 * const grant = { ...life, kind: 'promotional', currency: 'usd', features: null, plans: null };
 * const a = { ...grant, id: 'Grant_1', priority: 0, left: '5' };
 * const b = { ...grant, id: 'Grant_2', priority: 1, left: '15' };
 * const day = at('2025-01-03');
 * const part = { at: day, until: day, amount: '10.00' };
 * const line = { id: 'Item_1', planId: 'Plan_1', kind: 'on_demand', source: 'feature:calls', parts: [part] };
 * const uses = useGrants([b, a], [{ id: 'Inv_1', remaining: '10.00', lines: [line] }]);
 * uses.map(({ grantId, amount }) => [grantId, amount]) // [['Grant_1', '5.00'], ['Grant_2', '5.00']]
 */
export function useGrants(grants: readonly Grant[], invoices: readonly CoverableInvoice[], used: readonly LineUse[] = []): GrantUse[] {
  const left = new Map(grants.map((grant) => [grant.id, dec(grant.left)]));
  const ordered = inOrderOfUse(grants);
  const before = Map.groupBy(used, ({ lineId }) => lineId);
  return invoices.flatMap((invoice) => payInvoice(ordered, left, invoice, before));
}

/** A part, with what nobody has paid of it. */
interface Open {
  line: CoverableLine;
  part: LinePart;
  amount: Decimal;
}

function payInvoice(
  ordered: readonly Grant[],
  left: Map<string, Decimal>,
  { id: invoiceId, remaining, lines }: CoverableInvoice,
  before: UsesByLine,
): GrantUse[] {
  const open = openParts(lines, before);
  const uses: GrantUse[] = [];
  let due = dec(remaining);
  for (const grant of ordered) {
    const taken = payParts(grant, smaller(left.get(grant.id) ?? ZERO, due), open);
    const amount = sum(taken.map((one) => dec(one.amount)));
    if (!amount.gt(ZERO)) continue;
    due = due.minus(amount);
    left.set(grant.id, (left.get(grant.id) ?? ZERO).minus(amount));
    const text = (value: Decimal) => moneyText(value, grant.currency);
    uses.push({ grantId: grant.id, invoiceId, amount: text(amount), place: uses.length + 1, remaining: text(due), lines: taken });
  }
  return uses;
}

function payParts(grant: Grant, most: Decimal, open: readonly Open[]): LineUse[] {
  const taken: LineUse[] = [];
  let rest = most;
  for (const one of open) {
    const amount = smaller(rest, one.amount);
    if (!amount.gt(ZERO) || !covers(grant, one.line, one.part)) continue;
    one.amount = one.amount.minus(amount);
    rest = rest.minus(amount);
    taken.push({ lineId: one.line.id, at: one.part.at, amount: moneyText(amount, grant.currency) });
  }
  return taken;
}

/** What was paid of lines before, by their id. */
type UsesByLine = ReadonlyMap<string, readonly LineUse[]>;

/** The parts that charge something, the oldest first, less what was paid of them before. */
function openParts(lines: readonly CoverableLine[], before: UsesByLine): Open[] {
  const parts = lines.flatMap((line) => line.parts.map((part): Open => ({ line, part, amount: dec(part.amount) })));
  const open = parts.filter(({ amount }) => amount.gt(ZERO)).sort((a, b) => a.part.at - b.part.at || (a.line.id < b.line.id ? -1 : 1));
  if (before.size === 0) return open;
  for (const [lineId, own] of Map.groupBy(open, ({ line }) => line.id)) for (const use of before.get(lineId) ?? []) takeOff(own, use);
  return open;
}

/**
 * Takes off what was paid of a line before. If the line is divided otherwise now, it is taken first from the part that
 * was paid and later ones, and only then from earlier ones.
 *
 * @param own parts of the line, the oldest first
 */
function takeOff(own: readonly Open[], { at, amount }: LineUse): void {
  let rest = dec(amount);
  for (const one of [...own.filter(({ part }) => part.at >= at), ...own.filter(({ part }) => part.at < at).toReversed()]) {
    const paid = smaller(rest, one.amount);
    one.amount = one.amount.minus(paid);
    rest = rest.minus(paid);
  }
}
