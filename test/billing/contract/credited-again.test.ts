import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, toUnits } from '../../support-billing/changes.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';

const offer = planOffer('seats', { price: '0', features: { seats: seats('30', '1'), support: ['year', price('365')] } });
const rule = { when: 'now', proration: 'full', collect: 'next_invoice', credit: 'wallet' } as const;
const ends = (story: Story, date: string, on: string): void =>
  void story.does(date, (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'date', date: at(on) }, credit: true, notes: null }, now, newId),
  );

test('a credit that was taken back leaves the year to be given back at the end: 365.00 less 45 of 365 days', () => {
  const story = signs('2025-06-01', offer, { changeRules: { units_up: rule } });
  ends(story, '2025-06-02', '2025-07-16');
  changes(story, '2025-06-16', toUnits({ seats: '2' }));
  story.advance('2025-07-16');
  expect(invoicesOf(story)).toEqual([
    '2025-06-01 395.00: plan 0.00, feature:seats 30.00, custom feature:support 365.00',
    '2025-07-16 0.00: plan 0.00, feature:seats 60.00, credit feature:support -320.00, wallet 260.00',
  ]);
  const credits = [...story.ledger.lines.values()].filter(({ creditOf }) => creditOf !== null);
  expect(credits.map(({ chargeKey, subtotal, idle }) => [chargeKey.replace(/Item_\d+/, 'Item'), subtotal, idle === true])).toEqual([
    ['credit:Item', '-30.00', true],
    ['credit:Item:1', '-320.00', false],
  ]);
});
