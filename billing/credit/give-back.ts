import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, smaller, sum, ZERO } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';

/** What a grant paid of an invoice and hasn't got back. */
export interface KeptUse {
  grantId: string;
  amount: string;
}

/** A movement of a grant that names an invoice: a use, which is negative, or what came back of it. */
export interface InvoiceMovement {
  grantId: string;
  kind: string;
  amount: string;
}

/**
 * What grants paid of an invoice and have not got back, in the order of use. What goes back to a grant goes off its
 * last use first.
 *
 * @param movements of one invoice, in the order in which they were written
 * @example
 * const used = (grantId, amount) => ({ grantId, kind: 'used', amount });
 * const back = { grantId: 'Grant_1', kind: 'returned', amount: '4.00' };
 * keptUses([used('Grant_1', '-5.00'), used('Grant_2', '-8.00'), used('Grant_1', '-3.00'), back])
 * // [{ grantId: 'Grant_1', amount: '4' }, { grantId: 'Grant_2', amount: '8' }, { grantId: 'Grant_1', amount: '0' }]
 */
export function keptUses(movements: readonly InvoiceMovement[]): KeptUse[] {
  const kept: KeptUse[] = [];
  for (const { grantId, kind, amount } of movements) {
    if (kind === 'used') kept.push({ grantId, amount: dec(amount).neg().toFixed() });
    else goOff(kept, grantId, amount);
  }
  return kept;
}

function goOff(kept: readonly KeptUse[], grantId: string, amount: string): void {
  let left: Decimal = dec(amount);
  for (const use of kept.toReversed()) {
    if (use.grantId !== grantId) continue;
    const own = smaller(left, dec(use.amount));
    use.amount = dec(use.amount).minus(own).toFixed();
    left = left.minus(own);
  }
}

/** What goes back to a grant. */
export interface BackToGrant {
  grantId: string;
  amount: string;
}

/**
 * What a credit note gives back to the grants that paid its invoice, the last use first; what is more than they paid is
 * left for the wallet or the payment method.
 *
 * @param uses in the order in which they were made
 * @example
 * const uses = [{ grantId: 'Grant_1', amount: '5.00' }, { grantId: 'Grant_2', amount: '8.00' }];
 * backToGrants('10.00', uses, 'usd')
 * // { back: [{ grantId: 'Grant_2', amount: '8.00' }, { grantId: 'Grant_1', amount: '2.00' }], left: '0.00' }
 */
export function backToGrants(amount: string, uses: readonly KeptUse[], currency: Currency): { back: BackToGrant[]; left: string } {
  let left: Decimal = dec(amount);
  const back: BackToGrant[] = [];
  for (const use of uses.toReversed()) {
    const own = smaller(left, dec(use.amount));
    if (!own.gt(ZERO)) continue;
    left = left.minus(own);
    back.push({ grantId: use.grantId, amount: moneyText(own, currency) });
  }
  return { back, left: moneyText(left, currency) };
}

/**
 * How much of what goes back to grants ends with them at once.
 *
 * @param ended ids of grants that have expired or were voided
 * @example
 * const back = [{ grantId: 'Grant_2', amount: '8.00' }, { grantId: 'Grant_1', amount: '2.00' }];
 * backToEnded(back, new Set(['Grant_2']), 'usd') // '8.00'
 */
export function backToEnded(back: readonly BackToGrant[], ended: ReadonlySet<string>, currency: Currency): string {
  return moneyText(sum(back.flatMap(({ grantId, amount }) => (ended.has(grantId) ? [dec(amount)] : []))), currency);
}
