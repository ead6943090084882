import { backToGrants, type KeptUse } from '../../billing/credit/give-back.ts';
import type { ComputedCreditNote } from '../../billing/invoice/credit-note.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, smaller } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';

/** What becomes of the money of a credit note. */
export interface NoteParts {
  /** lowers what is still unpaid */
  reduced: string;
  /** goes back to the grants that paid */
  toCredits: string;
  toWallet: string;
  toPayment: string;
}

/** First what is unpaid is lowered, then grants get back what they paid, and the rest goes where the note says. */
export function partsOf(
  note: ComputedCreditNote,
  { amountDue, currency }: { amountDue: string; currency: Currency },
  uses: readonly KeptUse[],
): NoteParts {
  const reduced = smaller(dec(note.total), dec(amountDue));
  const { left: rest } = backToGrants(dec(note.total).minus(reduced).toFixed(), uses, currency);
  const none = moneyText('0', currency);
  return {
    reduced: moneyText(reduced, currency),
    toCredits: moneyText(dec(note.total).minus(reduced).minus(rest), currency),
    toWallet: note.to === 'wallet' ? rest : none,
    toPayment: note.to === 'payment' ? rest : none,
  };
}
