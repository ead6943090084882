import { at } from '../../../billing/calendar/instant.ts';
import { planFreeze, planUnfreeze } from '../../../billing/contract/advance/freeze.ts';
import { type CancelRequest, planCancellation } from '../../../billing/contract/change/cancel.ts';
import {
  type GivenPauseRules,
  type InFreeze,
  pauseRule,
  pauseRulePlace,
  pauseRulesAfter,
} from '../../../billing/contract/period/pause-rules.ts';
import { expirationAt, trialEndingAt } from '../../../billing/contract/period/time.ts';
import type { ContractDiscount } from '../../../billing/contract/types.ts';
import { planOffer, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { cancelsFor, made, paid, takesBack } from '../../support-billing/known-ends.ts';
import { day, invoicesOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';

function frozen(story: Story, from: string, to: string): Story {
  story.ledger.pauses = story.does(from, planFreeze).snapshot.customer.pauses;
  story.ledger.pauses = story.does(to, planUnfreeze).snapshot.customer.pauses;
  return story;
}

const pro = (pauseRules: GivenPauseRules = {}, words = {}) => planOffer('pro', { price: '100', pauseRules, ...words });
const off = (type: ContractDiscount['type'], amount: string, duration: number): SignWords => ({
  discount: {
    ...{ type, amount, duration, currency: type === 'flat' ? 'usd' : null },
    ...{ originalDiscountId: null, slug: 'off', name: 'Off' },
  },
});
const eventsOf = ({ ledger }: Story, type: string): string[] =>
  ledger.events.filter((event) => event.type === type).map((event) => day(event.at));
const invoices = (story: Story, until: string): string[] => {
  story.advance(until);
  return invoicesOf(story).map((one) => one.split(':')[0] as string);
};

test.each<[string, GivenPauseRules, GivenPauseRules, unknown, string]>([
  ['nobody gives it', {}, {}, 'refuse', 'default'],
  ['the vendor gives it', {}, { usage: 'hold' }, 'hold', 'vendor'],
  ['the plan gives it', { usage: 'hold' }, {}, 'hold', 'plan'],
  ['both give it, the plan first', { usage: 'refuse' }, { usage: 'hold' }, 'refuse', 'plan'],
])('the rule for usage where %s', (_, plan, vendor, value, from) => {
  expect([pauseRule({ plan, vendor }, 'usage'), pauseRulePlace({ plan, vendor }, 'usage')]).toEqual([value, from]);
});

test('days: 30 of the vendor, null of the plan is a rule of its own; another plan brings its rules, the vendor’s stay', () => {
  const copied = { plan: { resumeAfterDays: null }, vendor: { resumeAfterDays: 30 } };
  expect(pauseRule(copied, 'resumeAfterDays')).toBeNull();
  expect(pauseRulesAfter(copied, {})).toEqual({ vendor: { resumeAfterDays: 30 } });
  expect(pauseRulesAfter(copied, { trial: 'run_on' })).toEqual({ plan: { trial: 'run_on' }, vendor: { resumeAfterDays: 30 } });
});

describe('a trial to 15 January', () => {
  const tried = (rules: GivenPauseRules): Story => signs('2025-01-01', pro(rules, { trialDays: 14 }));

  test.each<[string, GivenPauseRules, string, string, string]>([
    ['moves: frozen 5 to 10 January it ends on the 20th', {}, '2025-01-05', '2025-01-10', '2025-01-20'],
    ['runs on: frozen 5 to 10 January it ends on the 15th', { trial: 'run_on' }, '2025-01-05', '2025-01-10', '2025-01-15'],
    ['runs on: frozen 10 to 20 January it ends at the activation', { trial: 'run_on' }, '2025-01-10', '2025-01-20', '2025-01-20'],
    ['runs on: frozen to the very 15th it ends then', { trial: 'run_on' }, '2025-01-10', '2025-01-15', '2025-01-15'],
  ])('%s', (_, rules, from, to, end) => {
    const story = frozen(tried(rules), from, to);
    expect(invoices(story, end)).toEqual([`${end} 100.00`]);
    expect(invoices(story, '2025-02-28')).toHaveLength(2);
  });

  test('a second freeze of a trial that runs on: 5 to 8 and 12 to 18 January, it ends on the 18th', () => {
    const story = frozen(frozen(tried({ trial: 'run_on' }), '2025-01-05', '2025-01-08'), '2025-01-12', '2025-01-18');
    expect(invoices(story, '2025-01-18')).toEqual(['2025-01-18 100.00']);
  });
});

describe('the reminder that a trial ends', () => {
  const reminder = (trialDays: number, rules: GivenPauseRules = {}): Story => signs('2025-01-01', pro(rules, { trialDays }));
  const remindersOf = (story: Story): string[] => {
    story.advance('2025-06-01');
    return eventsOf(story, 'v1.trial.ending');
  };

  test.each<[string, () => Story, string[]]>([
    ['of 14 days is sent on day 11', () => reminder(14), ['2025-01-12']],
    ['of 3 days is sent at its beginning', () => reminder(3), ['2025-01-01']],
    ['of 2 days too', () => reminder(2), ['2025-01-01']],
    ['frozen before it moves with the trial', () => frozen(reminder(14), '2025-01-05', '2025-01-10'), ['2025-01-17']],
    ['frozen after it is sent once', () => frozen(reminder(14), '2025-01-13', '2025-01-20'), ['2025-01-12']],
    [
      'frozen over it, where the trial runs on to later, comes at the activation',
      () => frozen(reminder(14, { trial: 'run_on' }), '2025-01-10', '2025-01-13'),
      ['2025-01-13'],
    ],
    [
      'frozen over it and over the end of the trial never comes',
      () => frozen(reminder(14, { trial: 'run_on' }), '2025-01-10', '2025-01-20'),
      [],
    ],
    ['that is canceled on day 5 never comes', () => canceled(reminder(14), '2025-01-06'), []],
  ])('%s', (_, story, expected) => {
    expect(remindersOf(story())).toEqual(expected);
  });

  test('says when the trial ends, and is not due once more after a change inside the trial', () => {
    const story = reminder(14);
    story.advance('2025-01-12');
    changes(story, '2025-01-13', changeToPlan(planOffer('max', { price: '300' })));
    story.advance('2025-03-01');
    const reminders = story.ledger.events.filter(({ type }) => type === 'v1.trial.ending');
    expect(reminders.map(({ data }) => data)).toEqual([{ at: at('2025-01-15') }]);
    expect(trialEndingAt(story.contract(), [])).toBe(at('2025-01-13'));
  });

  function canceled(story: Story, date: string): Story {
    const request: CancelRequest = { when: { type: 'now' }, credit: false, notes: null };
    story.does(date, (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
    return story;
  }
});

describe('an expiration on 16 February', () => {
  const lasting = (rules: GivenPauseRules): Story => signs('2025-01-01', pro(rules), { expiration: '2025-02-16' });
  const ended = (story: Story): string => {
    story.advance('2026-01-01');
    return day(story.contract().ended ?? 0);
  };

  test.each<[string, GivenPauseRules, string, string, string, string[]]>([
    ['moves by ten days', {}, '2025-01-10', '2025-01-20', '2025-02-26', ['2025-01-01 100.00', '2025-02-11 100.00']],
    ['runs on', { expiration: 'run_on' }, '2025-01-10', '2025-01-20', '2025-02-16', ['2025-01-01 100.00', '2025-02-11 100.00']],
    ['runs on: at the activation', { expiration: 'run_on' }, '2025-01-10', '2025-03-01', '2025-03-01', ['2025-01-01 100.00']],
  ])('%s', (_, rules, from, to, end, expected) => {
    const story = frozen(lasting(rules), from, to);
    expect([ended(story), invoices(story, '2026-01-01')]).toEqual([end, expected]);
  });

  test('trial and expiration lie in one freeze: the expiration comes first, nothing is charged', () => {
    const rules: GivenPauseRules = { trial: 'run_on', expiration: 'run_on' };
    const story = signs('2025-01-01', pro(rules, { trialDays: 14 }), { expiration: '2025-01-18' });
    expect([ended(frozen(story, '2025-01-10', '2025-01-20')), invoicesOf(story)]).toEqual(['2025-01-20', []]);
    expect(eventsOf(story, 'v1.contract.cancellation.completed')).toEqual(['2025-01-20']);
  });

  test('a year for 1,200.00 that runs on, frozen in June and given back on 1 December: 182 of 365 days are 598.36', () => {
    const year = (expiration: 'move' | 'run_on') =>
      signs('2025-06-01', pro({ expiration }, { price: '1200', cycle: 'constant' }), { expiration: '2026-06-01' });
    const back = (story: Story): string | undefined => {
      const request: CancelRequest = { when: { type: 'now' }, credit: true, notes: null };
      story.does('2025-12-01', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
      return invoicesOf(story).at(-1);
    };
    expect(back(frozen(year('run_on'), '2025-06-10', '2025-06-20'))).toBe('2025-12-01 0.00: credit plan -598.36, wallet 598.36');
    expect(back(frozen(year('move'), '2025-06-10', '2025-06-20'))).toBe('2025-12-01 0.00: credit plan -631.23, wallet 631.23');
  });

  test.each<[string, InFreeze, InFreeze, string[]]>([
    ['runs on, then moves: 182 of 365 days, then 130', 'run_on', 'move', ['plan -598.36, plan 1196.71', 'plan -854.79, plan 427.40']],
    ['moves, then runs on: 192 of 365 days, then 130', 'move', 'run_on', ['plan -631.23, plan 1262.47', 'plan -854.80, plan 427.40']],
  ])('a year for 1,200.00, for 2,400.00 by another rule, and back, frozen before and between: it %s', (_, before, after, expected) => {
    const offer = (slug: string, amount: string, expiration: InFreeze) =>
      planOffer(slug, { price: amount, cycle: 'constant', pauseRules: { expiration } });
    const story = frozen(signs('2025-06-01', offer('pro', '1200', before), { expiration: '2026-06-01' }), '2025-06-10', '2025-06-20');
    changes(story, '2025-12-01', changeToPlan(offer('max', '2400', after)));
    frozen(story, '2026-01-10', '2026-01-20');
    changes(story, '2026-02-01', changeToPlan(offer('pro', '1200', after), { downgradeAllowed: true }));
    expect(
      invoicesOf(story).flatMap((one) =>
        one
          .split('credit ')
          .slice(1)
          .map((lines) => lines.split(', wallet')[0]),
      ),
    ).toEqual(expected);
  });

  describe('a year for 1,200.00 that runs on, canceled for 1 March and changed to 2,400.00 on 1 December, then frozen in January', () => {
    const offer = (slug: string, amount: string) =>
      planOffer(slug, { price: amount, cycle: 'constant', pauseRules: { expiration: 'run_on' } });
    const canceled = (): Story => {
      const story = signs('2025-06-01', offer('pro', '1200'), { expiration: '2026-06-01' });
      cancelsFor(story, '2025-11-01', '2026-03-01');
      changes(story, '2025-12-01', changeToPlan(offer('max', '2400')));
      return frozen(story, '2026-01-10', '2026-01-20');
    };

    const endOf = (story: Story): string => {
      story.advance('2026-07-01');
      return day(story.contract().ended ?? 0);
    };

    it('ends on 1 March, up to which both plans have been paid by their days', () => {
      const story = canceled();
      expect(endOf(story)).toBe('2026-03-01');
      expect(made(story)).toEqual([]);
    });

    it('taken back, it has cost what it costs without a cancellation: 598.36 back, 1,196.71 more', () => {
      const story = canceled();
      takesBack(story, '2026-02-01');
      expect(made(story)).toEqual(['2026-02-01 302.46: credit plan -302.47, plan 604.93']);
      expect(paid(story)).toBe('1798.35');
    });

    it('frozen over the day, it ends with the freeze', () => {
      const story = canceled();
      expect(endOf(frozen(story, '2026-02-20', '2026-03-05'))).toBe('2026-03-05');
    });

    it('with a plan whose expiration freezes move, later ones move the cancellation too', () => {
      const story = canceled();
      changes(story, '2026-02-01', changeToPlan(planOffer('top', { price: '3650', cycle: 'constant' })));
      frozen(story, '2026-02-10', '2026-02-12');
      expect(endOf(story)).toBe('2026-03-03');
    });
  });

  test('another plan, another rule: what freezes moved before the change stays moved, later ones don’t move it', () => {
    const story = frozen(lasting({}), '2025-01-10', '2025-01-20');
    changes(story, '2025-01-21', changeToPlan(planOffer('max', { price: '300', pauseRules: { expiration: 'run_on' } })));
    frozen(story, '2025-01-25', '2025-01-27');
    expect(expirationAt(story.contract(), story.ledger.pauses)).toBe(at('2025-02-26'));
    const other = frozen(lasting({ expiration: 'run_on' }), '2025-01-10', '2025-01-20');
    changes(other, '2025-01-21', changeToPlan(planOffer('max', { price: '300' })));
    frozen(other, '2025-01-25', '2025-01-27');
    expect(expirationAt(other.contract(), other.ledger.pauses)).toBe(at('2025-02-18'));
  });
});

describe('10 % off for 3 months', () => {
  const cheaper = (rules: GivenPauseRules, words = off('percentage', '10', 3)): Story => signs('2025-01-01', pro(rules), words);

  test.each<[string, GivenPauseRules, string, string, string[]]>([
    [
      'moves with 60 frozen days',
      {},
      '2025-01-10',
      '2025-03-11',
      ['2025-01-01 90.00', '2025-04-02 90.00', '2025-05-02 90.00', '2025-06-02 100.00'],
    ],
    [
      'runs on to 1 April: of later cycles none begins before',
      { discount: 'run_on' },
      '2025-01-10',
      '2025-03-11',
      ['2025-01-01 90.00', '2025-04-02 100.00', '2025-05-02 100.00', '2025-06-02 100.00'],
    ],
    [
      'runs on: a cycle that begins on 11 March has it whole',
      { discount: 'run_on' },
      '2025-02-10',
      '2025-02-20',
      ['2025-01-01 90.00', '2025-02-01 90.00', '2025-03-11 90.00', '2025-04-11 100.00'],
    ],
    [
      'runs on: one that begins on 1 April has not',
      { discount: 'run_on' },
      '2025-02-10',
      '2025-03-13',
      ['2025-01-01 90.00', '2025-02-01 90.00', '2025-04-01 100.00', '2025-05-01 100.00'],
    ],
  ])('%s', (_, rules, from, to, expected) => {
    expect(invoices(frozen(cheaper(rules), from, to), '2025-06-02').slice(0, 4)).toEqual(expected);
  });

  test('4 cycles that run on to 31 December: frozen for an hour on 31 August, the fifth begins on the 30th, at the full price', () => {
    const story = signs('2025-08-31', pro({ discount: 'run_on' }), off('percentage', '10', 4));
    frozen(story, '2025-08-31', '2025-08-31T01:00:00Z');
    expect(story.contract().discount?.endsAt).toBe(at('2025-12-31'));
    story.advance('2025-12-31');
    expect(invoicesOf(story)).toEqual([
      '2025-08-31 90.00: plan 90.00',
      ...['2025-09-30', '2025-10-30', '2025-11-30'].map((date) => `${date}T01:00Z 90.00: plan 90.00`),
      '2025-12-30T01:00Z 100.00: plan 100.00',
    ]);
  });

  test('a flat 5.00 a month runs on too, counted from the end of the trial', () => {
    const story = signs('2025-01-01', pro({ discount: 'run_on' }, { trialDays: 14 }), off('flat', '5.00', 2));
    frozen(frozen(story, '2025-01-05', '2025-01-10'), '2025-01-25', '2025-03-25');
    expect(story.contract().discount?.endsAt).toBe(at('2025-03-20'));
    expect(invoices(story, '2025-05-20')).toEqual(['2025-01-20 95.00', '2025-04-20 100.00', '2025-05-20 100.00']);
  });

  test('a change of units in the last discounted cycle gives back and charges at the same discount', () => {
    const story = frozen(cheaper({ discount: 'run_on' }), '2025-02-10', '2025-02-20');
    changes(story, '2025-03-20', changeToPlan(pro({ discount: 'run_on' }, { price: '200' })));
    const [first] = invoicesOf(story).slice(-1);
    expect(first).toBe('2025-03-20 63.87: credit plan -63.87, plan 127.74');
    expect(invoices(story, '2025-04-11').at(-1)).toBe('2025-04-11 200.00');
  });

  test('a change that was asked for in the trial leaves it its end: of cycles from 27 April on it takes off nothing', () => {
    const runsOn: GivenPauseRules = { discount: 'run_on' };
    const story = signs('2025-01-01', pro(runsOn, { trialDays: 14 }), off('percentage', '10', 3));
    const max = planOffer('max', { price: '200', pauseRules: runsOn });
    changes(story, '2025-01-02', changeToPlan(max, { activation: '2025-03-20' }));
    frozen(story, '2025-01-20', '2025-03-01');
    story.advance('2025-05-27');
    expect(invoicesOf(story)).toEqual([
      ...['2025-01-15 90.00: plan 90.00', '2025-03-27 90.00: plan 90.00', '2025-04-27 100.00: plan 100.00'],
      ...['2025-04-29 93.34: credit plan -93.33, plan 186.67', '2025-05-27 200.00: plan 200.00'],
    ]);
  });

  test('another plan’s rule dates what is left of it, or lets freezes move it again', () => {
    const story = cheaper({});
    changes(story, '2025-01-16', changeToPlan(planOffer('max', { price: '200', pauseRules: { discount: 'run_on' } })));
    expect(story.contract().discount?.endsAt).toBe(at('2025-04-01'));
    changes(story, '2025-01-20', changeToPlan(planOffer('pro', { price: '300' })));
    expect(story.contract().discount?.endsAt).toBeUndefined();
  });
});

test('units changed later keep the contract’s rules', () => {
  const offer = planOffer('team', { features: { seats: seats('10', '2') }, pauseRules: { trial: 'run_on', usage: 'hold' } });
  const story = signs('2025-01-01', offer, { vendorPauseRules: { resumeAfterDays: 30 } });
  changes(story, '2025-01-10', toUnits({ seats: '3' }));
  expect(story.contract().pauseRules).toEqual({ plan: { trial: 'run_on', usage: 'hold' }, vendor: { resumeAfterDays: 30 } });
});
