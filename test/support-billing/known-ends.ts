import { at } from '../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../billing/contract/change/cancel.ts';
import type { ChangeRule, Proration } from '../../billing/contract/terms/change-rules.ts';
import type { Offer } from '../../billing/contract/terms/offer.ts';
import { explainLine } from '../../billing/explain/explain-line.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { planOffer } from './catalogue.ts';
import { changes, changeToPlan } from './changes.ts';
import { invoicesOf, type Story } from './story.ts';

/** A monthly plan that is named by its price. */
export const monthly = (amount: string, features: Parameters<typeof planOffer>[1] = {}): Offer =>
  planOffer(`p${amount}`, { price: amount, ...features });

/** Cancels for a date, or for the end of the cycle. */
export function cancelsFor(story: Story, date: string, until: string | null): void {
  const when = until === null ? { type: 'end_of_cycle' as const } : { type: 'date' as const, date: at(until) };
  story.does(date, (snapshot, now, newId) => planCancellation(snapshot, { when, credit: false, notes: null }, now, newId));
}

/** Takes the cancellation back. */
export const takesBack = (story: Story, date: string): void => void story.does(date, planCancelUndo);

/** What all lines come to but for the wallet. */
export const paid = ({ ledger }: Story): string =>
  sum([...ledger.lines.values()].filter(({ kind }) => kind !== 'wallet').map((line) => dec(line.totalIncludingTax))).toFixed(2);

/** Lets later changes follow a rule. */
export function followsRule(story: Story, rule: Partial<ChangeRule>): void {
  const one: ChangeRule = { when: 'now', proration: 'time', collect: 'now', credit: 'wallet', ...rule };
  const changeRules = { contract: { upgrade: one, downgrade: one, units_up: one, units_down: one } };
  story.ledger.contracts.set(story.id(), { ...story.contract(), changeRules });
}

/** Changes to a plan by a rule. */
export function to(story: Story, date: string, rule: Partial<ChangeRule> | Proration, offer: Offer): void {
  followsRule(story, typeof rule === 'string' ? { proration: rule } : rule);
  changes(story, date, changeToPlan(offer, { downgradeAllowed: true }));
}

/** Invoices after the first two: those of the signing and of the change that was cut. */
export function made(story: Story, count = 2): string[] {
  for (const { amounts, recomputed } of [...story.ledger.lines.values()].map(explainLine)) expect(recomputed).toEqual(amounts);
  return invoicesOf(story).slice(count);
}
