import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { cancelsFor, followsRule, made, monthly, takesBack, to } from '../../support-billing/known-ends.ts';
import { type Story, signs } from '../../support-billing/story.ts';

// A change was cut at a known end, and a later change puts that end off by itself.

const supported = (amount: string, care: string, cycle: 'month' | 'year' | 'once' = 'month') =>
  planOffer(`p${amount}`, { price: amount, cycle, features: { care: ['year', price(care)] } });
/** 365.00 a year to 1 July, then 730.00 a year from 11 June on. */
function cutYear(): Story {
  const story = signs('2025-06-01', supported('30', '365'));
  cancelsFor(story, '2025-06-02', null);
  to(story, '2025-06-11', 'time', supported('60', '730'));
  expect(made(story, 1)).toEqual([
    '2025-06-11 40.00: credit plan -20.00, credit feature:care -20.00, plan 40.00, custom feature:care 40.00',
  ]);
  return story;
}

describe('a change to another cycle by difference puts a cancellation for the end of the cycle off', () => {
  it('to a year: the year line is charged on from 1 July to its own end, and the one before it comes back', () => {
    const story = cutYear();
    to(story, '2025-06-16', 'difference', supported('1000', '730', 'year'));
    const [change] = made(story);
    expect(change).toMatch(/credit feature:care -335.00, .*custom feature:care 670.00/);
    takesBack(story, '2025-06-20');
    expect(made(story, 3)).toEqual([]);
  });

  it('to `once`, by which the cancellation is taken back: the same', () => {
    const story = cutYear();
    to(story, '2025-06-16', 'difference', supported('1000', '730', 'once'));
    expect(made(story)[0]).toMatch(/credit feature:care -335.00, .*custom feature:care 670.00/);
  });

  it('and then by time: all of it is given back', () => {
    const story = cutYear();
    to(story, '2025-06-16', 'difference', supported('1000', '730', 'year'));
    to(story, '2025-06-16', 'time', planOffer('bare', { price: '2000', cycle: 'year' }));
    expect(made(story, 3)[0]).toMatch(/credit feature:care -30.00, .*credit feature:care -670.00/);
  });
});

describe('what an end had left of a line that a change by time replaced', () => {
  it('by time without credit, to `once`: the year of 365.00 comes back from 1 July on, and the line that pays is lost', () => {
    const story = cutYear();
    to(story, '2025-06-16', { proration: 'time', credit: 'none' }, supported('1000', '730', 'once'));
    expect(made(story)).toEqual(['2025-06-16 1395.00: credit feature:care -335.00, plan 1000.00, custom feature:care 730.00']);
  });

  it.each([
    ['once', '2025-06-16 4675.00: credit plan -325.00, plan 5000.00'],
    ['month', '2025-06-16 4995.00: credit plan -5.00, plan 5000.00'],
  ] as const)('by `full` to %s: a year comes back as far as the new contract is known to last', (cycle, expected) => {
    const story = signs('2025-06-01', planOffer('y', { price: '365', cycle: 'year' }));
    cancelsFor(story, '2025-06-02', '2025-07-01');
    to(story, '2025-06-11', 'time', monthly('300'));
    cancelsFor(story, '2025-06-12', null);
    to(story, '2025-06-16', 'full', planOffer('o', { price: '5000', cycle }));
    expect(made(story).slice(1)).toEqual([expected]);
  });

  it('is lost with a change of currency without credit, so that the cancellation can still be taken back', () => {
    const story = signs('2025-06-01', supported('30', '365'));
    cancelsFor(story, '2025-06-02', '2025-07-21');
    to(story, '2025-06-11', 'time', supported('60', '730'));
    followsRule(story, { credit: 'none' });
    changes(story, '2025-06-12', changeToPlan(planOffer('e', { price: '40', currency: 'eur' }), { activation: 'next_cycle' }));
    story.advance('2025-07-01');
    takesBack(story, '2025-07-05');
    expect(made(story)).toEqual(['2025-07-01 25.81: plan 25.81', '2025-07-05 14.19: plan 14.19']);
  });
});

describe('a change that waits, as its estimate shows it', () => {
  const shown = (activation: string): string[] => {
    const story = cutYear();
    followsRule(story, { proration: 'difference' });
    const { priceOnNew } = changes(story, '2025-06-12', changeToPlan(supported('1000', '730', 'year'), { activation }));
    return priceOnNew.map(({ invoice, lines }) => [invoice.total, ...lines.map((line) => `${line.source} ${line.subtotal}`)].join(' '));
  };

  it('before the end: with what is charged on', () => {
    expect(shown('2025-06-16')).toEqual(['1275.00 plan 940.00 feature:care -335.00 feature:care 670.00']);
  });

  it.each(['next_cycle', '2025-07-16'])('at %s, which comes only if the end is taken back before: without', (activation) => {
    expect(shown(activation)).toEqual([expect.not.stringContaining('care')]);
  });
});

describe('a credit and the rest of another line undo each other with the next invoice', () => {
  it('the line that pays again goes on: seats for 300.00 a month, one more and back, and another end', () => {
    const story = signs('2025-06-01', monthly('0', { features: { seats: seats('300', '1') } }));
    cancelsFor(story, '2025-06-02', '2025-06-21');
    followsRule(story, { collect: 'next_invoice' });
    changes(story, '2025-06-05', toUnits({ seats: '2' }));
    changes(story, '2025-06-06', toUnits({ seats: '1' }, { downgradeAllowed: true }));
    takesBack(story, '2025-06-15');
    cancelsFor(story, '2025-06-22', '2025-07-25');
    takesBack(story, '2025-06-23');
    story.advance('2025-07-02');
    expect(made(story, 1)).toEqual([
      // 10.00 for one day of a second seat
      '2025-06-15 10.00: credit feature:seats -160.00, feature:seats 320.00, credit feature:seats -300.00, feature:seats 150.00',
      '2025-07-01 300.00: plan 0.00, feature:seats 300.00',
    ]);
  });

  it('also where the new plan has the same price with other bounds', () => {
    const team = (maximum: string) => monthly('0', { features: { seats: seats('300', '1', { maximum }) } });
    const story = signs('2025-06-01', team('10'));
    cancelsFor(story, '2025-06-02', '2025-06-21');
    followsRule(story, { collect: 'next_invoice' });
    changes(story, '2025-06-05', toUnits({ seats: '2' }));
    changes(story, '2025-06-06', changeToPlan(team('20'), { downgradeAllowed: true, units: { seats: '1' } }));
    takesBack(story, '2025-06-15');
    cancelsFor(story, '2025-06-16', '2025-06-25');
    takesBack(story, '2025-06-17');
    expect(made(story, 2)).toEqual([]);
  });

  it('and is given back by a later change by time: a year for 365.00, doubled for a day', () => {
    const story = signs('2025-06-01', supported('0', '365'));
    cancelsFor(story, '2025-06-02', null);
    to(story, '2025-06-11', 'time', supported('1', '730'));
    to(story, '2025-06-12', { collect: 'next_invoice' }, supported('0', '365'));
    takesBack(story, '2025-06-16');
    to(story, '2025-07-11', 'time', planOffer('bare', { price: '0', cycle: 'month' }));
    expect(made(story).at(-1)).toBe('2025-07-11 0.00: credit feature:care -325.00, plan 0.00, wallet 325.00');
  });
});

test('the line of a difference undoes no credit: beside it, the line that it was computed from pays', () => {
  const costs = (isCanceled: boolean): string[] => {
    const story = signs('2025-06-01', monthly('300'));
    to(story, '2025-06-01', { collect: 'next_invoice' }, monthly('600'));
    to(story, '2025-06-04', { collect: 'next_invoice' }, monthly('300'));
    to(story, '2025-06-06', { collect: 'next_invoice', proration: 'difference' }, planOffer('max', { price: '600' }));
    if (isCanceled) {
      cancelsFor(story, '2025-06-16', '2025-06-21');
      takesBack(story, '2025-06-17');
    }
    story.advance('2025-07-01');
    return made(story, 1);
  };
  const once = '2025-07-01 930.00: credit plan -300.00, plan 600.00, credit plan -540.00, plan 270.00, plan 300.00, plan 600.00';
  expect(costs(true)).toEqual(costs(false));
  expect(costs(false)).toEqual([once]);
});

test('the price of a month in a plan with another cycle: the month that begins there is charged by its own length', () => {
  const care = (cycle: 'month' | 'year') => planOffer(cycle, { price: '0', cycle, features: { care: ['month', price('310')] } });
  const story = signs('2025-06-22', care('year'));
  cancelsFor(story, '2025-06-23', '2025-07-22');
  changes(story, '2025-07-15', changeToPlan(care('month'), { downgradeAllowed: true }));
  takesBack(story, '2025-07-21');
  // 7 of 30 days back; 7 and 24 of 31 days
  expect(made(story, 1)).toEqual([
    '2025-07-15 0.00: credit feature:care -72.33, plan 0.00, custom feature:care 70.00, wallet 2.33',
    '2025-07-21 240.00: plan 0.00, custom feature:care 240.00',
  ]);
});
