import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { followsRule } from '../../support-billing/known-ends.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

const priced = (amount: string, cycle: 'month' | 'year' | 'constant' | 'once' = 'month') =>
  planOffer(`${cycle}${amount}`, { price: amount, cycle });
const since = (story: Story, count: number): string[] => invoicesOf(story).slice(count);

type When = Parameters<typeof planCancellation>[1]['when'];
const cancels = (story: Story, date: string, when: When, credit = false): void =>
  void story.does(date, (snapshot, now, newId) => planCancellation(snapshot, { when, credit, notes: null }, now, newId));
const undoes = (story: Story, date: string): void => void story.does(date, planCancelUndo);
const on = (date: string): When => ({ type: 'date', date: at(date) });
const atCycleEnd: When = { type: 'end_of_cycle' };

test('30.00 → 300.00 on 11 June, expiration 21 June: −10.00 and +100.00, and nothing after', () => {
  const story = signs('2025-06-01', priced('30'), { expiration: '2025-06-21' });
  const { breakdown, newContractPeriod } = changes(story, '2025-06-11', changeToPlan(priced('300')));
  expect(since(story, 1)).toEqual(['2025-06-11 90.00: credit plan -10.00, plan 100.00']);
  expect(breakdown).toMatchObject({
    proRateOldContract: '0.333333333333',
    proRateNewContract: '0.333333333333',
    newContractCostProRated: '100.00',
    total: '90.00',
    timeOnNewContract: { value: 240 },
    newContract: { timeOnContract: { period: { start: at('2025-06-11'), end: at('2025-06-21') } } },
  });
  expect(newContractPeriod).toEqual({ start: at('2025-06-01'), end: at('2025-07-01') });
  story.advance('2025-08-01');
  expect(since(story, 2)).toEqual([]);
  for (const { amounts, recomputed } of [...story.ledger.lines.values()].map(explainLine)) expect(recomputed).toEqual(amounts);
});

test('what a credit to a known end says of itself', () => {
  const story = signs('2025-06-01', priced('30'), { expiration: '2025-06-21' });
  changes(story, '2025-06-11', changeToPlan(priced('300')));
  const [credit] = [...story.ledger.lines.values()].filter(({ kind }) => kind === 'credit');
  if (credit === undefined) throw new Error('no credit');
  expect(credit.span).toEqual({ start: at('2025-06-11'), end: at('2025-06-21') });
  expect(explainLine(credit).sentences[1]).toBe(
    'From 2025-06-11T00:00:00.000Z to 2025-06-21T00:00:00.000Z, where the contract ends: times 864000000 / 2592000000 (0.333333333333).',
  );
});

test('a cancellation with a date keeps it and is a known end too; of two the earlier counts', () => {
  const story = signs('2025-06-01', priced('30'), { expiration: '2025-06-25' });
  cancels(story, '2025-06-02', on('2025-06-21'));
  changes(story, '2025-06-11', changeToPlan(priced('300')));
  changes(story, '2025-06-16', changeToPlan(priced('600')));
  expect(since(story, 1)).toEqual([
    '2025-06-11 90.00: credit plan -10.00, plan 100.00',
    '2025-06-16 50.00: credit plan -50.00, plan 100.00',
  ]);
  story.advance('2025-06-21');
  expect(story.contract().status).toBe('canceled');
});

test('a freeze moves the known end, and the time up to it stays the same', () => {
  const story = signs('2025-06-01', priced('30'), { expiration: '2025-06-21' });
  freeze(story, at('2025-06-05'));
  unfreeze(story, at('2025-06-08'));
  changes(story, '2025-06-14', changeToPlan(priced('300')));
  expect(since(story, 1)).toEqual(['2025-06-14 90.00: credit plan -10.00, plan 100.00']);
  freeze(story, at('2025-06-16'));
  unfreeze(story, at('2025-06-18'));
  changes(story, '2025-06-21', changeToPlan(priced('600')));
  expect(since(story, 2)).toEqual(['2025-06-21 50.00: credit plan -50.00, plan 100.00']);
  story.advance('2025-06-26');
  expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-06-26') });
});

test('a change to yearly that ends on 21 June costs ten days of the year', () => {
  const story = signs('2025-06-01', priced('30'));
  cancels(story, '2025-06-02', on('2025-06-21'));
  changes(story, '2025-06-11', changeToPlan(priced('730', 'year')));
  expect(since(story, 1)).toEqual(['2025-06-11 10.00: credit plan -10.00, plan 20.00']);
  story.advance('2025-06-21');
  expect(story.contract().status).toBe('canceled');
});

test('month, quarter and year lines run to the known end, over their own span', () => {
  const supported = (amount: string) => planOffer(`s${amount}`, { price: '0', features: { support: ['year', price(amount)] } });
  const story = signs('2025-01-01', supported('365'), { expiration: '2025-04-11' });
  changes(story, '2025-04-01', changeToPlan(supported('730')));
  expect(invoicesOf(story).at(-1)).toBe('2025-04-01 10.00: credit feature:support -10.00, plan 0.00, custom feature:support 20.00');
});

test('a scheduled change at the boundary is charged to the known end too', () => {
  const story = signs('2025-06-01', priced('300'), { expiration: '2025-07-11' });
  const { priceOnNew, breakdown } = changes(story, '2025-06-10', changeToPlan(priced('31')));
  expect(priceOnNew[0]?.invoice.total).toBe('10.00');
  expect(breakdown.newContract).toMatchObject({ costProRated: '10.00' });
  story.advance('2025-07-01');
  expect(since(story, 1)).toEqual(['2025-07-01 10.00: plan 10.00']);
});

test('a change of units to the known end; the line that it leaves alone stays whole', () => {
  const team = planOffer('team', { price: '60', features: { seats: seats('30', '1') } });
  const story = signs('2025-06-01', team, { expiration: '2025-06-21' });
  changes(story, '2025-06-11', toUnits({ seats: '3' }));
  expect(since(story, 1)).toEqual(['2025-06-11 20.00: credit feature:seats -10.00, feature:seats 30.00']);
});

test.each<[string, Record<string, string>, string]>([
  ['fewer', { seats: '3' }, '2025-06-01 320.00: plan 300.00, feature:seats 20.00'],
  ['more', { seats: '8' }, '2025-06-01 353.33: plan 300.00, feature:seats 53.33'],
])('%s seats from the boundary on: they run to the known end, the plan is charged as by any rollover', (_, units, made) => {
  const team = planOffer('team', { price: '300', features: { seats: seats('10', '5') } });
  const story = signs('2025-05-01', team, { expiration: '2025-06-21' });
  const { priceOnNew } = changes(story, '2025-05-25', toUnits(units, { activation: 'next_cycle' }));
  story.advance('2025-06-01');
  expect(since(story, 1)).toEqual([made]);
  expect(priceOnNew[0]?.invoice.total).toBe(made.split(' ')[1]?.slice(0, -1));
});

test.each(['time', 'difference', 'none', 'full'] as const)('by %s the plan is charged as by any rollover too', (proration) => {
  const team = planOffer('team', { price: '300', features: { seats: seats('10', '5') } });
  const story = signs('2025-05-01', team, { expiration: '2025-06-21' });
  followsRule(story, { proration });
  changes(story, '2025-05-25', toUnits({ seats: '3' }, { activation: 'next_cycle' }));
  story.advance('2025-06-01');
  expect(since(story, 1)).toEqual(['2025-06-01 320.00: plan 300.00, feature:seats 20.00']);
});

test('a change that waits for the end of the trial begins with whole cycles, of year prices too', () => {
  const supported = (amount: string, year: string) =>
    planOffer(`s${amount}`, { price: amount, trialDays: 10, features: { support: ['year', price(year)] } });
  const story = signs('2025-05-22', supported('30', '365'), { expiration: '2025-06-21' });
  changes(story, '2025-05-25', changeToPlan(supported('300', '730'), { activation: 'next_cycle' }));
  story.advance('2025-06-01');
  expect(invoicesOf(story)).toEqual(['2025-06-01 1030.00: plan 300.00, custom feature:support 730.00']);
});

test('usage minimum and fee of a period that an expiration cuts off stay whole where a change keeps the price', () => {
  const metered = (amount: string) => planOffer(`m${amount}`, { price: amount, features: { calls: usagePrice('1', { flatFee: '30' }) } });
  const story = signs('2025-06-01', metered('30'), { expiration: '2025-06-21' });
  changes(story, '2025-06-11', changeToPlan(metered('300')));
  story.advance('2025-06-21');
  expect(since(story, 1)).toEqual(['2025-06-11 90.00: credit plan -10.00, plan 100.00', '2025-06-21 30.00: usage feature:calls 30.00']);
});

test.each(['expiration', 'cancellation'])('usage fee and minimum of another price run to the known end, an %s', (kind) => {
  const metered = (amount: string, more: { flatFee?: string; minimum?: string }) =>
    planOffer(`m${amount}`, { price: amount, features: { calls: usagePrice('1', more) } });
  for (const own of ['flatFee', 'minimum'] as const) {
    const story = signs('2025-06-01', metered('30', { [own]: '30' }), kind === 'expiration' ? { expiration: '2025-06-21' } : {});
    if (kind === 'cancellation') cancels(story, '2025-06-02', on('2025-06-21'));
    changes(story, '2025-06-11', changeToPlan(metered('300', { [own]: '300' })));
    story.advance('2025-08-01');
    expect(since(story, 1)).toEqual([
      '2025-06-11 10.00: usage feature:calls 10.00',
      '2025-06-11 90.00: credit plan -10.00, plan 100.00',
      '2025-06-21 100.00: usage feature:calls 100.00',
    ]);
  }
});

describe('a cancellation for the end of the cycle', () => {
  test('followed by a change to yearly it means the end of the year', () => {
    const story = signs('2025-06-01', priced('30'));
    cancels(story, '2025-06-02', atCycleEnd);
    changes(story, '2025-06-16', changeToPlan(priced('365', 'year'), { downgradeAllowed: true }));
    expect(since(story, 1)).toEqual(['2025-06-16 350.00: credit plan -15.00, plan 365.00']);
    story.advance('2026-06-15');
    expect(story.contract().status).toBe('active');
    story.advance('2027-01-01');
    expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2026-06-16') });
    expect(since(story, 2)).toEqual([]);
  });

  test('followed by a change to monthly it means the end of the month, and the paid rest of the year comes back whole', () => {
    const story = signs('2025-01-01', priced('365', 'year'));
    cancels(story, '2025-01-02', atCycleEnd);
    changes(story, '2025-07-01', changeToPlan(priced('62'), { downgradeAllowed: true }));
    expect(since(story, 1)).toEqual(['2025-07-01 0.00: credit plan -184.00, plan 62.00, wallet 122.00']);
    story.advance('2026-01-01');
    expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-08-01') });
  });

  test('in a trial it stays the trial’s end, whatever the cycle', () => {
    const trial = (cycle: 'month' | 'year') => planOffer(`t${cycle}`, { price: '30', trialDays: 10, cycle });
    const story = signs('2025-06-01', trial('month'));
    cancels(story, '2025-06-02', atCycleEnd);
    changes(story, '2025-06-05', changeToPlan(trial('year')));
    story.advance('2025-06-11');
    expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-06-11') });
  });

  test('followed by a change to a cycle without an end it is taken back, and an event says so', () => {
    const story = signs('2025-06-01', priced('30'));
    cancels(story, '2025-06-02', atCycleEnd);
    changes(story, '2025-06-16', changeToPlan(priced('500', 'once')));
    expect(story.contract().cancellation).toBeNull();
    expect(story.ledger.events.at(-1)).toMatchObject({ type: 'v1.contract.cancellation.undone', objectId: story.id() });
  });

  test('of the same cycle it stays where it was, and cuts the lines of a longer rhythm', () => {
    const supported = (amount: string) => planOffer(`s${amount}`, { price: amount, features: { support: ['year', price(amount)] } });
    const story = signs('2025-06-01', supported('365'));
    cancels(story, '2025-06-02', atCycleEnd);
    changes(story, '2025-06-16', changeToPlan(supported('730')));
    expect(since(story, 1)).toEqual([
      '2025-06-16 197.50: credit plan -182.50, credit feature:support -15.00, plan 365.00, custom feature:support 30.00',
    ]);
  });
});

describe('a cancellation taken back or put off after a change', () => {
  const changed = (): Story => {
    const story = signs('2025-06-01', priced('30'));
    cancels(story, '2025-06-02', on('2025-06-21'));
    changes(story, '2025-06-11', changeToPlan(priced('300')));
    return story;
  };

  test('taken back: the rest of the period is charged at the new price, what the old one charged for it comes back', () => {
    const story = changed();
    undoes(story, '2025-06-15');
    expect(since(story, 2)).toEqual(['2025-06-15 90.00: credit plan -10.00, plan 100.00']);
    for (const { amounts, recomputed } of [...story.ledger.lines.values()].map(explainLine)) expect(recomputed).toEqual(amounts);
    story.advance('2025-07-01');
    expect(since(story, 3)).toEqual(['2025-07-01 300.00: plan 300.00']);
  });

  test('put off to 26 June and then taken back: five days each', () => {
    const story = changed();
    cancels(story, '2025-06-15', on('2025-06-26'));
    undoes(story, '2025-06-16');
    expect(since(story, 2)).toEqual(['2025-06-15 45.00: credit plan -5.00, plan 50.00', '2025-06-16 45.00: credit plan -5.00, plan 50.00']);
  });

  test('asked for again, and taken back again: nothing more is charged', () => {
    const story = changed();
    undoes(story, '2025-06-15');
    cancels(story, '2025-06-16', on('2025-06-20'));
    undoes(story, '2025-06-17');
    expect(since(story, 3)).toEqual([]);
  });

  test('brought forward, changed again and taken back: all that was cut off is charged at the last price', () => {
    const story = changed();
    cancels(story, '2025-06-12', on('2025-06-16'));
    changes(story, '2025-06-13', changeToPlan(priced('600')));
    undoes(story, '2025-06-14');
    // 3 days of 300 and of 600; then 5 days of 300 and 10 of 30 come back for 15 days of 600
    expect(since(story, 2)).toEqual([
      '2025-06-13 30.00: credit plan -30.00, plan 60.00',
      '2025-06-14 240.00: credit plan -10.00, credit plan -50.00, plan 300.00',
    ]);
  });

  test('then changed again: the whole rest of the period comes back', () => {
    const story = changed();
    undoes(story, '2025-06-15');
    changes(story, '2025-06-16', changeToPlan(priced('600')));
    expect(since(story, 3)).toEqual(['2025-06-16 150.00: credit plan -50.00, credit plan -100.00, plan 300.00']);
  });

  test('a year line is charged on to its own end', () => {
    const supported = (amount: string) => planOffer(`s${amount}`, { price: '0', features: { support: ['year', price(amount)] } });
    const story = signs('2025-01-01', supported('365'));
    cancels(story, '2025-03-01', on('2025-04-11'));
    changes(story, '2025-04-01', changeToPlan(supported('730')));
    undoes(story, '2025-04-02');
    expect(invoicesOf(story).at(-1)).toBe('2025-04-02 265.00: credit feature:support -265.00, plan 0.00, custom feature:support 530.00');
  });

  test('put off, changed again before the first end and taken back: what was charged on at the middle price comes back too', () => {
    const story = changed();
    cancels(story, '2025-06-12', on('2025-06-26'));
    cancels(story, '2025-06-13', on('2025-06-16'));
    changes(story, '2025-06-14', changeToPlan(priced('600')));
    undoes(story, '2025-06-15');
    expect(since(story, 2)).toEqual([
      '2025-06-12 45.00: credit plan -5.00, plan 50.00',
      '2025-06-14 20.00: credit plan -20.00, plan 40.00',
      // 16 to 21 and 21 to 26 June at 300, 26 June to 1 July at 30
      '2025-06-15 195.00: credit plan -5.00, credit plan -50.00, credit plan -50.00, plan 300.00',
    ]);
  });

  test('a year line free when it was first charged is charged on too', () => {
    const own = planOffer('own', { price: '31', features: { support: ['year', price('365', { kind: 'flat' }, 1)] } });
    const other = planOffer('other', { price: '62', features: { support: ['year', price('730')] } });
    const story = signs('2025-01-01', own);
    cancels(story, '2025-02-10', on('2025-02-25'));
    changes(story, '2025-02-15', changeToPlan(other));
    undoes(story, '2025-02-20');
    expect(
      [...story.ledger.lines.values()]
        .filter(({ source, kind }) => source === 'feature:support' && kind === 'custom')
        .map((line) => line.totalIncludingTax),
    ).toEqual(['0.00', '20.00', '620.00']);
  });
});

describe('canceled with credit after a change to a known end', () => {
  test('what the change charged and what the old price still pays for come back', () => {
    const story = signs('2025-06-01', priced('30'), { expiration: '2025-06-21' });
    changes(story, '2025-06-11', changeToPlan(priced('300')));
    cancels(story, '2025-06-16', { type: 'now' }, true);
    expect(since(story, 2)).toEqual(['2025-06-16 0.00: credit plan -10.00, credit plan -50.00, wallet 60.00']);
  });

  test('at the date it was for: the rest of the month as it was paid', () => {
    const story = signs('2025-06-01', priced('30'));
    cancels(story, '2025-06-02', on('2025-06-21'), true);
    changes(story, '2025-06-11', changeToPlan(priced('300')));
    story.advance('2025-06-21');
    expect(since(story, 2)).toEqual(['2025-06-21 0.00: credit plan -10.00, wallet 10.00']);
  });
});

describe('`constant` and `once`', () => {
  test('1200.00 for 1 June to 1 June, changed on 1 December: 598.36 come back, the new price over the same span', () => {
    const story = signs('2025-06-01', priced('1200', 'constant'), { expiration: '2026-06-01' });
    const { breakdown } = changes(story, '2025-12-01', changeToPlan(priced('2400', 'constant')));
    expect(since(story, 1)).toEqual(['2025-12-01 598.35: credit plan -598.36, plan 1196.71']);
    expect(breakdown).toMatchObject({ proRateNewContract: '0.498630136986', timeOnNewContract: { value: 4368 } });
    story.advance('2026-07-01');
    expect(since(story, 2)).toEqual([]);
  });

  test('canceled with credit it gives back the rest of its span; a known end before the expiration cuts the change', () => {
    const story = signs('2025-06-01', priced('365', 'once'), { expiration: '2026-06-01' });
    cancels(story, '2025-06-02', on('2025-07-01'), true);
    changes(story, '2025-06-21', changeToPlan(priced('730', 'once')));
    expect(since(story, 1)).toEqual(['2025-06-21 10.00: credit plan -10.00, plan 20.00']);
    story.advance('2025-07-01');
    expect(since(story, 2)).toEqual(['2025-07-01 0.00: credit plan -335.00, wallet 335.00']);
  });

  test('to monthly and back: the span starts again', () => {
    const story = signs('2025-06-01', priced('365', 'constant'), { expiration: '2026-06-01' });
    changes(story, '2025-06-11', changeToPlan(priced('60'), { downgradeAllowed: true }));
    changes(story, '2025-06-21', changeToPlan(priced('345', 'constant'), { downgradeAllowed: true }));
    expect(since(story, 1)).toEqual([
      '2025-06-11 0.00: credit plan -355.00, plan 60.00, wallet 295.00',
      '2025-06-21 305.00: credit plan -40.00, plan 345.00',
    ]);
  });

  describe('usage minimum and fee are shared out over the span', () => {
    const metered = (amount: string, flatFee: string) =>
      planOffer(`m${amount}`, { cycle: 'constant', price: '0', features: { calls: usagePrice(amount, { flatFee, minimum: '365' }) } });
    const signed = (expiration?: string, policy: 'automatic' | 'manual' = 'automatic') =>
      signs('2025-06-01', metered('1', '365'), {
        ...(expiration === undefined ? {} : { expiration }),
        configuration: { usagePeriodClosingPolicy: policy },
      });

    test('by a change: 10 days at the old price, 355 at the new', () => {
      const story = signed('2026-06-01');
      changes(story, '2025-06-11', changeToPlan(metered('2', '730')));
      story.advance('2026-06-01');
      expect(since(story, 1)).toEqual([
        '2025-06-11 20.00: usage feature:calls 20.00',
        '2025-06-11 0.00: plan 0.00',
        '2026-06-01 1420.00: usage feature:calls 1420.00',
      ]);
    });

    test('by a cancellation; an expiration leaves them whole', () => {
      const canceled = signed('2026-06-01');
      cancels(canceled, '2025-06-11', { type: 'now' });
      expect(since(canceled, 1)).toEqual(['2025-06-11 20.00: usage feature:calls 20.00']);
      const expired = signed('2026-06-01');
      expired.advance('2026-06-01');
      expect(since(expired, 1)).toEqual(['2026-06-01 730.00: usage feature:calls 730.00']);
    });

    test('closed by hand while it runs it is charged to its end', () => {
      const story = signed('2026-06-01', 'manual');
      story.does('2025-06-11', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
      expect(since(story, 1)).toEqual(['2025-06-11 730.00: usage feature:calls 730.00']);
    });

    test('without an expiration there is no span to share out', () => {
      const story = signed();
      cancels(story, '2025-06-11', { type: 'now' });
      expect(since(story, 1)).toEqual(['2025-06-11 730.00: usage feature:calls 730.00']);
    });
  });

  test('without an expiration nothing is given back', () => {
    const story = signs('2025-06-01', priced('1200', 'constant'));
    changes(story, '2025-12-01', changeToPlan(priced('2400', 'constant')));
    expect(since(story, 1)).toEqual(['2025-12-01 2400.00: plan 2400.00']);
  });
});
