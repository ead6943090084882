import { at } from '../../billing/calendar/instant.ts';
import { openWork, type Work } from '../../billing/contract/work.ts';
import { snapshotOf } from '../support-billing/ledger.ts';
import type { Story } from '../support-billing/story.ts';

// What the examples in the comments of billing may use besides everything that billing exports.
export { planOffer as plan, price, seats, usagePrice as usage } from '../support-billing/catalogue.ts';
export { changes, changeToPlan as toPlan, toUnits } from '../support-billing/changes.ts';
export { invoicesOf, signRequestOf as signRequest, signs, standsAt } from '../support-billing/story.ts';
export { charge, charged, context, discountOf, noTax, taxAt } from './invoice/build.ts';
export { tiers, unitTiered, usageTiered } from './pricing/prices.ts';

/** Work on the contract of a story as it is on a date. */
export function workOn(story: Story, date: string): Work {
  story.advance(date);
  return openWork(snapshotOf(story.ledger, story.id(), at(date)), story.newId);
}
