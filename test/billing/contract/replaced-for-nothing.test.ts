import { dec } from '../../../billing/money/decimal.ts';
import { planOffer, price } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';

// A line that had nothing to give back leaves no credit line behind. What has replaced it says that it is gone.

const free = planOffer('free', { price: '10', features: { care: ['year', price('365', { kind: 'flat' }, 2)] } });
const paid = planOffer('paid', { price: '20', features: { care: ['year', price('730')] } });
const bare = planOffer('bare', { price: '20' });
const to = (story: Story, date: string, offer: typeof free): string | undefined => {
  changes(story, date, changeToPlan(offer, { downgradeAllowed: true }));
  return invoicesOf(story).at(-1);
};

test('a year that began free and was replaced by a paid one is paid when its price comes back in June: 214.00', () => {
  const story = signs('2025-01-01', free);
  expect(to(story, '2025-04-01', paid)).toContain('custom feature:care 550.00');
  expect(to(story, '2025-06-01', free)).toContain('custom feature:care 214.00');
});

test('so it is where the plan between had no such price: 214.00', () => {
  const story = signs('2025-01-01', free);
  to(story, '2025-04-01', bare);
  expect(to(story, '2025-06-01', free)).toContain('custom feature:care 214.00');
});

test('and after other changes in the plan between: 214.00', () => {
  const story = signs('2025-01-01', free);
  to(story, '2025-03-01', bare);
  to(story, '2025-04-01', planOffer('more', { price: '30' }));
  expect(to(story, '2025-06-01', free)).toContain('custom feature:care 214.00');
});

test('both ways at one instant it stays free', () => {
  const story = signs('2025-01-01', free);
  to(story, '2025-06-01', bare);
  expect(to(story, '2025-06-01', free)).toContain('custom feature:care 0.00');
  to(story, '2025-06-01', paid);
  expect(to(story, '2025-06-01', free)).toContain('custom feature:care 0.00');
});

test('a month that a credit note took back is paid when its price comes back later in the month: 30.00 → 60.00 → 15.00', () => {
  const story = signs('2025-06-01', planOffer('one', { price: '30' }));
  for (const [id, line] of story.ledger.lines) story.ledger.lines.set(id, { ...line, creditedExcludingTax: '30.00', creditedTax: '0.00' });
  expect(to(story, '2025-06-11', planOffer('two', { price: '60' }))).toBe('2025-06-11 40.00: plan 40.00');
  expect(to(story, '2025-06-16', planOffer('one', { price: '30' }))).toContain('credit plan -30.00, plan 15.00');
  const charged = [...story.ledger.lines.values()].filter(({ kind }) => kind === 'recurring').map((line) => dec(line.totalIncludingTax));
  expect(charged.map(String)).toEqual(['30', '40', '15']);
});
