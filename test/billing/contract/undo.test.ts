import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { NO_TAX } from '../../support-billing/ledger.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';

const back = { downgradeAllowed: true };
const monthly = (amount: string, slug = `p${amount}`) => planOffer(slug, { price: amount });
const now = { when: { type: 'now' }, credit: true, notes: null } as const;
const since = (story: Story, count: number): string[] => invoicesOf(story).slice(count);

test('10.005 a month was rounded up to 10.01; undone on 16 June, 5.01 was given back and 5.01 is charged, not 5.00', () => {
  const story = signs('2025-06-01', monthly('10.005'));
  changes(story, '2025-06-16', changeToPlan(monthly('20')));
  changes(story, '2025-06-16', changeToPlan(monthly('10.005'), back));
  expect(since(story, 1)).toEqual([
    '2025-06-16 4.99: credit plan -5.01, plan 10.00',
    '2025-06-16 0.00: credit plan -10.00, plan 5.01, wallet 4.99',
  ]);
  const [line] = [...story.ledger.lines.values()].filter(
    ({ chargeKey, contractId }) => chargeKey === 'change:plan' && contractId === story.id(),
  );
  if (line === undefined) throw new Error('no line');
  const { amounts, recomputed, sentences } = explainLine(line);
  expect(recomputed).toEqual(amounts);
  expect(sentences.slice(-4)).toEqual([
    'Goes on with "p10.005" (Item_3), of which 1296000000 / 2592000000 (0.5) was given back at the same instant, 2025-06-16T00:00:00.000Z.',
    'Exactly that is charged: 5.01.',
    'No tax rate applies.',
    'The default rule for downgrades was followed: proration "time", collect "now", credit "wallet".',
  ]);
});

test('two undos in a row, and one more a day later, stay at nothing', () => {
  const story = signs('2025-06-01', monthly('10.005'));
  for (const date of ['2025-06-16', '2025-06-16', '2025-06-17']) {
    changes(story, date, changeToPlan(monthly('20')));
    changes(story, date, changeToPlan(monthly('30')));
    changes(story, date, changeToPlan(monthly('20'), back));
    changes(story, date, changeToPlan(monthly('10.005'), back));
  }
  const sums = story.ledger.invoices.slice(1).map(({ total }) => Number(total));
  const wallet = story.ledger.wallet.map(({ amount }) => Number(amount));
  const total = (amounts: number[]): string => amounts.reduce((a, b) => a + b, 0).toFixed(2);
  expect(total(sums)).toBe(total(wallet));
});

test('a year line free in its first cycle stays free when a change in the second is undone', () => {
  const own = planOffer('own', { price: '31', features: { support: ['year', price('365', { kind: 'flat' }, 1)] } });
  const other = planOffer('other', { price: '62', features: { support: ['year', price('730')] } });
  const story = signs('2025-01-01', own);
  story.advance('2025-02-15');
  changes(story, '2025-02-15', changeToPlan(other));
  changes(story, '2025-02-15', changeToPlan(own, back));
  expect(since(story, 2)).toEqual([
    '2025-02-15 655.50: credit plan -15.50, plan 31.00, custom feature:support 640.00',
    '2025-02-15 0.00: credit plan -31.00, credit feature:support -640.00, plan 15.50, custom feature:support 0.00, wallet 655.50',
  ]);
});

test('seats of a year that began in a free cycle are free with one more in the third cycle, and the next year is paid', () => {
  const team = planOffer('team', { price: '31', features: { seats: ['year', { ...seats('120', '5'), freeCycles: 1 }] } });
  const story = signs('2025-01-01', team);
  story.advance('2025-03-01');
  changes(story, '2025-03-01', toUnits({ seats: '6' }));
  expect(invoicesOf(story).at(-1)).toBe('2025-03-01 0.00: custom feature:seats 0.00');
  changes(story, '2025-04-01', toUnits({ seats: '7' }));
  expect(invoicesOf(story).at(-1)).toBe('2025-04-01 0.00: custom feature:seats 0.00');
  story.advance('2026-01-01');
  expect(invoicesOf(story).at(-1)).toBe('2026-01-01 871.00: plan 31.00, custom feature:seats 840.00');
});

test('a line of which a credit note took a part is charged as far as it was given back, with its old tax', () => {
  const rate = (percent: string) => ({ ...NO_TAX, rates: [{ taxCode: null, country: null, state: null, rate: percent }] });
  const story = signs('2025-06-01', monthly('100'), { tax: rate('0.19') });
  for (const line of story.ledger.lines.values()) Object.assign(line, { creditedExcludingTax: '58.82', creditedTax: '11.18' });
  story.ledger.tax = rate('0.25');
  changes(story, '2025-06-16', changeToPlan(monthly('200')));
  changes(story, '2025-06-16', changeToPlan(monthly('100'), back));
  const [line] = [...story.ledger.lines.values()].filter(
    ({ chargeKey, contractId }) => chargeKey === 'change:plan' && contractId === story.id(),
  );
  expect(line).toMatchObject({ totalIncludingTax: '30.00', taxAmount: '4.79', taxRate: '0.19' });
});

test('another price, other units, another discount or another instant is computed again', () => {
  const team = (amount: string) => planOffer('team', { price: '0', features: { seats: seats(amount, '3') } });
  const story = signs('2025-06-01', team('3.335'));
  changes(story, '2025-06-16', toUnits({ seats: '6' }));
  expect(since(story, 1)).toEqual(['2025-06-16 5.00: credit feature:seats -5.01, feature:seats 10.01']);
  changes(story, '2025-06-16', changeToPlan(team('3.336'), { ...back, units: { seats: '3' } }));
  expect(since(story, 2)).toEqual(
    ['2025-06-16 0.00: credit plan 0.00, credit feature:seats -10.01, plan 0.00, feature:seats 5.00, wallet 5.01'].map((text) =>
      text.replace('credit plan 0.00, ', ''),
    ),
  );
  changes(story, '2025-06-16T00:00:00.001', changeToPlan(team('3.335'), back));
  const [line] = [...story.ledger.lines.values()].filter(
    ({ chargeKey, contractId }) => chargeKey === 'change:feature:seats' && contractId === story.id(),
  );
  expect(line?.totalIncludingTax).toBe('5.00');
});

test('what goes on is given back from what was charged: canceled on 24 June with credit', () => {
  const story = signs('2025-06-01', monthly('10.005'));
  changes(story, '2025-06-16', changeToPlan(monthly('20')));
  changes(story, '2025-06-16', changeToPlan(monthly('10.005'), back));
  story.does('2025-06-24', (snapshot, _, newId) => planCancellation(snapshot, now, at('2025-06-24'), newId));
  expect(since(story, 3)).toEqual(['2025-06-24 0.00: credit plan -2.34, wallet 2.34']);
});
