import { at } from '../../../billing/calendar/instant.ts';
import { planChange } from '../../../billing/contract/change/change.ts';
import { lateUsage } from '../../../billing/contract/change/late-usage.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import { planOffer, usagePrice } from '../../support-billing/catalogue.ts';
import { changeToPlan } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { signs } from '../../support-billing/story.ts';

// What of the usage that comes while a change waits for its payment is still the old contract's.

const CHANGE = '2025-06-16';
const pro = planOffer('pro', { price: '30', features: { calls: usagePrice('0.10') } });
const dear = planOffer('max', { price: '60', features: { calls: usagePrice('0.20') } });
const same = planOffer('team', { price: '60', features: { calls: usagePrice('0.10') } });
const flat = planOffer('flat', { price: '60' });

/** Features whose usage is late, after five calls before the change and three more reported with a date. */
function lateAfter(to: Offer, date: string | null): string[] {
  const story = signs('2025-06-01', pro);
  story.uses('2025-06-10', 'calls', '5');
  story.advance(CHANGE);
  const snapshot = () => snapshotOf(story.ledger, story.id(), at(CHANGE));
  const before = structuredClone(snapshot());
  const { outcome } = planChange(before, changeToPlan(to), at(CHANGE), story.newId);
  if (date !== null) story.uses(date, 'calls', '3');
  return lateUsage(before, snapshot().usage, outcome).map(({ idx, slug }) => `${idx} ${slug}`);
}

test.each([
  ['at another price, before the change: the old price was charged without it', dear, '2025-06-12', ['1 calls']],
  ['at another price, after the change: it is the new contract’s', dear, '2025-06-20', []],
  ['at the same price: the period goes on in the new contract', same, '2025-06-12', []],
  ['without a price in the new plan, before the change', flat, '2025-06-12', ['1 calls']],
  ['without a price in the new plan, after the change: nobody else bills it', flat, '2025-06-20', ['1 calls']],
  ['none was reported meanwhile', flat, null, []],
])('%s', (_case, to, date, late) => expect(lateAfter(to, date)).toEqual(late));
