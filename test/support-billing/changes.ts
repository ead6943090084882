import { at } from '../../billing/calendar/instant.ts';
import { type ChangePlan, planChange } from '../../billing/contract/change/change.ts';
import type { ChangeRequest, ChangeTime } from '../../billing/contract/change/change-request.ts';
import type { Offer } from '../../billing/contract/terms/offer.ts';
import type { GivenDiscount } from '../../billing/contract/terms/sign.ts';
import type { Overrides } from '../../billing/contract/terms/terms.ts';
import { snapshotOf } from './ledger.ts';
import type { Story } from './story.ts';

interface ChangeWords {
  downgradeAllowed?: boolean;
  activation?: 'next_cycle' | string;
  units?: Record<string, string>;
  discount?: GivenDiscount;
}

type ChangeOfUnits = Extract<ChangeRequest, { strategy: 'change_unit_count' }>;

/** A change to another plan. */
export function changeToPlan(offer: Offer, words: ChangeWords = {}): ChangeRequest {
  return { strategy: 'new_plan', offer, ...common(words) };
}

/** A change of units. */
export function toUnits(units: Record<string, string>, words: ChangeWords = {}): ChangeOfUnits {
  const named = { planId: null, pricingId: null, currency: null, cycle: null };
  return { strategy: 'change_unit_count', ...named, ...common({ ...words, units }) };
}

function common({ downgradeAllowed = false, activation, units = {}, discount }: ChangeWords) {
  const overrides: Overrides = Object.fromEntries(
    Object.entries(units).map(([slug, one]) => [slug, { units: one, field: `unit_count_configuration.${slug}` }]),
  );
  return { overrides, discount: discount ?? null, activation: timeOf(activation), downgradeAllowed };
}

function timeOf(activation: string | undefined): ChangeTime | null {
  if (activation === undefined) return null;
  if (activation === 'immediate') return { type: 'immediate' };
  return activation === 'next_cycle' ? { type: 'next_cycle' } : { type: 'date', date: at(activation) };
}

/** Carries a change out, and checks on the way that its estimate showed the same. */
export function changes(story: Story, date: string, request: ChangeRequest): ChangePlan {
  return story.does(date, (snapshot, now, newId) => {
    const estimate = planChange(structuredClone(snapshot), request, now, newId);
    const plan = planChange(snapshot, request, now, newId);
    expect(shape(estimate)).toEqual(shape(plan));
    return { ...plan, ...plan.outcome };
  });
}

/** Estimates a change and writes nothing. */
export function estimates(story: Story, date: string, request: ChangeRequest): ChangePlan {
  story.advance(date);
  return planChange(snapshotOf(story.ledger, story.id(), at(date)), request, at(date), story.newId);
}

function shape({ priceOnNew, remainsToPay, breakdown, activation, newContractPeriod }: ChangePlan): unknown {
  const texts = (invoices: ChangePlan['priceOnNew']): unknown =>
    invoices.map(({ invoice, lines }) => [
      invoice.total,
      invoice.dueDate,
      lines.map((line) => [line.source, line.kind, line.totalIncludingTax, line.taxAmount, line.subtotal]),
    ]);
  return { fresh: texts(priceOnNew), old: texts(remainsToPay), breakdown, activation, newContractPeriod };
}
