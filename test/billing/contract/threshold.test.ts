import { planThreshold } from '../../../billing/contract/charge/threshold.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { planOffer, usagePrice } from '../../support-billing/catalogue.ts';
import { invoicesOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { taxAt } from '../invoice/build.ts';

const threshold = (invoiceThreshold: string): SignWords => ({ configuration: { invoiceThreshold } });

function uses(story: Story, date: string, units: string): void {
  story.advance(date);
  story.uses(date, 'calls', units);
  story.does(date, planThreshold);
}

test('0.0002 a unit, threshold 200.00, fee 31.00: 200.00 on day 5, 200.00 on day 15, 31.00 at the end', () => {
  const offer = planOffer('pro', { features: { calls: usagePrice('0.0002', { flatFee: '31.00' }) } });
  const story = signs('2025-01-01', offer, threshold('200.00'));
  uses(story, '2025-01-05', '1000000');
  uses(story, '2025-01-15', '1000000');
  story.advance('2025-02-01');
  expect(invoicesOf(story)).toEqual([
    '2025-01-05 200.00: usage feature:calls 200.00',
    '2025-01-15 200.00: usage feature:calls 200.00',
    '2025-02-01 31.00: usage feature:calls 31.00',
  ]);
});

test('its lines say what they charge: so far, less what was billed before, and at last the rest', () => {
  const story = signs('2025-01-01', planOffer('pro', { features: { calls: usagePrice('1') } }), threshold('10.00'));
  uses(story, '2025-01-05', '10');
  uses(story, '2025-01-06', '12');
  uses(story, '2025-01-07', '3');
  story.advance('2025-02-01');
  const lines = [...story.ledger.lines.values()];
  expect(lines.map(({ description, unitCount, totalIncludingTax }) => [description, unitCount, totalIncludingTax])).toEqual([
    ['so far', '10', '10.00'],
    ['22.00 so far, less 10.00 billed before', '12', '12.00'],
    ['25.00, less 22.00 billed before', '3', '3.00'],
  ]);
  expect(
    lines.flatMap((line) => explainLine(line).sentences.filter((one) => one.startsWith('Less') || one.startsWith('The period'))),
  ).toEqual([
    'The period goes on and its usage has reached the invoice threshold: its own fee and its minimum are charged with its end.',
    'The period goes on and its usage has reached the invoice threshold: its own fee and its minimum are charged with its end.',
    `Less 10.00, which the item ${lines[0]?.id} charged before.`,
    `Less 22.00, which 2 items up to ${lines[1]?.id} charged before.`,
  ]);
});

test('254.00 used as 100 + 100 + 54, threshold 100.00: 100.00, 100.00 and 54.00 at the end', () => {
  const story = signs('2025-01-01', planOffer('pro', { features: { calls: usagePrice('1') } }), threshold('100.00'));
  uses(story, '2025-01-05', '100');
  uses(story, '2025-01-06', '100');
  uses(story, '2025-01-07', '54');
  story.advance('2025-02-01');
  expect(invoicesOf(story)).toEqual([
    '2025-01-05 100.00: usage feature:calls 100.00',
    '2025-01-06 100.00: usage feature:calls 100.00',
    '2025-02-01 54.00: usage feature:calls 54.00',
  ]);
});

test('one event worth ten thresholds makes one invoice, and nothing is left for the end', () => {
  const story = signs('2025-01-01', planOffer('pro', { features: { calls: usagePrice('1') } }), threshold('100.00'));
  uses(story, '2025-01-05', '1000');
  story.advance('2025-02-01');
  expect(invoicesOf(story)).toEqual(['2025-01-05 1000.00: usage feature:calls 1000.00']);
});

test('the 1,000th early invoice of a period stores what the 10th does, and the rest is charged to the cent', () => {
  const story = signs('2025-01-01', planOffer('pro', { features: { calls: usagePrice('0.10') } }), threshold('1.00'));
  for (let n = 0; n < 1_000; n += 1) uses(story, '2025-01-05', '10');
  uses(story, '2025-01-06', '3');
  story.advance('2025-02-01');
  const lines = [...story.ledger.lines.values()];
  const [tenth, thousandth] = [lines[9], lines[999]].map((line) => JSON.stringify(line).length);
  // only numbers and ids have more digits
  expect((thousandth ?? 0) - (tenth ?? 0)).toBeLessThan(60);
  expect(lines.at(-1)).toMatchObject({ subtotal: '0.30', unitCount: '3', derivation: { billed: { lines: 1_000, subtotal: '1000.00' } } });
});

test.each([
  ['all of 100 at 19 %, by now 21 %', [['100', '0.19']], '0.21', '0', ['-100.00', '-19.00']],
  ['40 of 100 at 19 %, by now no tax', [['100', '0.19']], null, '60', ['-40.00', '-7.60']],
  [
    'all of 100 at 19 % and 50 at 21 %, by now 21 %',
    [
      ['100', '0.19'],
      ['150', '0.21'],
    ],
    '0.21',
    '0',
    ['-150.00', '-29.50'],
  ],
  [
    '20 of 100 at 19 % and 50 at 21 %, by now 21 %',
    [
      ['100', '0.19'],
      ['150', '0.21'],
    ],
    '0.21',
    '130',
    ['-20.00', '-4.20'],
  ],
  ['20 more than 100 at 19 %, by now 21 %', [['100', '0.19']], '0.21', '120', ['20.00', '4.20']],
] as const)('what is given back has the tax it was charged with: %s', (_, parts, rate, end, expected) => {
  const offer = planOffer('pro', { features: { calls: usagePrice('1') } });
  const story = signs('2025-01-01', offer, threshold('50.00'));
  const taxes = (now: string | null): void => {
    story.ledger.tax = now === null ? { ...story.ledger.tax, rates: [] } : taxAt(now, 'tax_excluded');
  };
  parts.forEach(([units, then], index) => {
    taxes(then);
    story.uses(`2025-01-0${index + 2}`, 'calls', units, true);
    story.does(`2025-01-0${index + 2}`, planThreshold);
  });
  taxes(rate);
  story.uses('2025-01-20', 'calls', end, true);
  story.advance('2025-02-01');
  const last = [...story.ledger.lines.values()].findLast(({ kind }) => kind === 'usage');
  if (last === undefined) throw new Error('nothing was charged');
  expect([last.totalExcludingTax, last.taxAmount]).toEqual(expected);
  const { amounts, recomputed } = explainLine(last);
  expect(recomputed).toEqual(amounts);
});

test.each([
  ['all of 100 with 19 % in it and 60 with 19 % on top', ['tax_included', '0.19'], ['tax_excluded', '0.19'], '0', ['-144.03', '-27.37']],
  ['150 of both', ['tax_included', '0.19'], ['tax_excluded', '0.19'], '10', ['-135.03', '-25.66']],
  ['80 of both, which are fewer than the 100', ['tax_included', '0.19'], ['tax_excluded', '0.19'], '80', ['-67.22', '-12.78']],
  ['all of 100 with 19 % on top and 60 with it in them', ['tax_excluded', '0.19'], ['tax_included', '0.19'], '0', ['-150.42', '-28.58']],
  ['all of 100 with 19 % in it and 60 with 7 %', ['tax_included', '0.19'], ['tax_included', '0.07'], '0', ['-140.10', '-19.90']],
] as const)('what goes beyond each tax rule is a share of all that was charged: %s', (_, first, second, end, expected) => {
  const story = signs('2025-01-01', planOffer('pro', { features: { calls: usagePrice('1') } }), threshold('50.00'));
  const uses = (date: string, units: string, [policy, rate]: typeof first | typeof second): void => {
    story.ledger.tax = taxAt(rate, policy);
    story.uses(date, 'calls', units, true);
    story.does(date, planThreshold);
  };
  uses('2025-01-02', '100', first);
  uses('2025-01-03', '160', second);
  story.uses('2025-01-20', 'calls', end, true);
  story.advance('2025-02-01');
  const usage = [...story.ledger.lines.values()].filter(({ kind }) => kind === 'usage');
  const last = usage.at(-1);
  expect([last?.totalExcludingTax, last?.taxAmount, usage.length]).toEqual([...expected, 3]);
  expect(sum(usage.map((line) => dec(line.subtotal))).toFixed()).toBe(end);
  for (const { amounts, recomputed } of usage.map(explainLine)) expect(recomputed).toEqual(amounts);
});
