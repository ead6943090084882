import { readFileSync } from 'node:fs';
import { at } from '../../../billing/calendar/instant.ts';
import { planFreeze, planUnfreeze } from '../../../billing/contract/advance/freeze.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planOffer, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { invoicesOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';

/** Everything below falls due on 1 February 2025. */
const T = '2025-02-01';
const old = planOffer('old', { price: '100', features: { seats: seats('10', '2'), calls: usagePrice('1') } });
const next = planOffer('next', { price: '40', features: { seats: seats('5', '2'), calls: usagePrice('1') } });
const FIRST = '2025-01-01 120.00: plan 100.00, feature:seats 20.00';
const USAGE = 'usage feature:calls 7.00';
const CYCLE = 'plan 100.00, feature:seats 20.00';
const NEXT = '2025-02-01 50.00: plan 40.00, feature:seats 10.00';
/** Two seats to three at the very start of the period. */
const MORE = '2025-02-01 10.00: credit feature:seats -20.00, feature:seats 30.00';

function customer(words: SignWords = {}): Story {
  const story = signs('2025-01-01', old, words);
  if (story.contract().status === 'active') story.uses('2025-01-20', 'calls', '7');
  return story;
}

function quiet(words: SignWords = {}): Story {
  return signs('2025-01-01', planOffer('old', { price: '100', features: { seats: seats('10', '2') } }), words);
}

const inTrial = (words: SignWords = {}): Story => quiet({ trialDays: 31, ...words });
/** A trial that ends on 1 February without a payment method. */
function bareTrial(words: SignWords = {}): Story {
  const story = inTrial({ configuration: { onTrialEnd: 'cancel_without_method' }, ...words });
  story.ledger.hasMethod = false;
  return story;
}
const later = (words: SignWords = {}): Story => quiet({ activation: T, ...words });

function cancels(story: Story): Story {
  const when = { type: 'date', date: at(T) } as const;
  story.does('2025-01-05', (snapshot, now, newId) => planCancellation(snapshot, { when, credit: false, notes: null }, now, newId));
  return story;
}

function willChange(story: Story): Story {
  changes(story, '2025-01-10', changeToPlan(next, { activation: T }));
  return story;
}

function freezes(story: Story): Story {
  story.ledger.pauses = story.does(T, planFreeze).snapshot.customer.pauses;
  return story;
}

function moreSeats(story: Story): Story {
  changes(story, T, toUnits({ seats: '3' }));
  return story;
}

function lived(story: Story): { status: string; invoices: string[] } {
  story.advance(T);
  return { status: story.contract().status, invoices: invoicesOf(story) };
}

function stands(story: Story): void {
  expect(story.ledger.agenda.get(story.id())).toEqual([]);
  story.advance('2026-02-01');
}

/** Why the contract ended, after it has charged nothing. */
function endsOf(story: Story): unknown[] {
  expect(lived(story)).toEqual({ status: 'canceled', invoices: [] });
  const ends = story.ledger.events.filter(({ type }) => type === 'v1.contract.cancellation.completed');
  return ends.map(({ data }) => data.reason);
}

/** Frozen from 20 January to 1 February, with dates that freezes don't move. */
function ranOn(signed: (words: SignWords) => Story, words: SignWords = {}): Story {
  const story = signed({ ...words, trialDays: 30, vendorPauseRules: { trial: 'run_on', expiration: 'run_on' } });
  story.ledger.pauses = story.does('2025-01-20', planFreeze).snapshot.customer.pauses;
  story.ledger.pauses = story.does(T, planUnfreeze).snapshot.customer.pauses;
  return story;
}

const remindersOf = ({ ledger }: Story): number[] =>
  ledger.events.filter(({ type }) => type === 'v1.trial.ending').map((event) => event.at);

const expires: SignWords = { expiration: T };
const refused = (code: string) => expect.objectContaining({ code });

const ROWS: Record<string, () => void> = {
  'usage closing + cancellation': () =>
    expect(lived(cancels(customer()))).toEqual({ status: 'canceled', invoices: [FIRST, `2025-02-01 7.00: ${USAGE}`] }),
  'usage closing + expiration': () =>
    expect(lived(customer(expires))).toEqual({ status: 'canceled', invoices: [FIRST, `2025-02-01 7.00: ${USAGE}`] }),
  'usage closing + scheduled change': () =>
    expect(lived(willChange(customer()))).toEqual({ status: 'active', invoices: [FIRST, `2025-02-01 7.00: ${USAGE}`, NEXT] }),
  'usage closing + cycle charges': () =>
    expect(lived(customer())).toEqual({ status: 'active', invoices: [FIRST, `2025-02-01 127.00: ${USAGE}, ${CYCLE}`] }),
  'usage closing + freeze': () => {
    const story = freezes(customer());
    stands(story);
    expect(invoicesOf(story)).toEqual([FIRST, `2025-02-01 127.00: ${USAGE}, ${CYCLE}`]);
  },
  'usage closing + unit change': () =>
    expect(lived(moreSeats(customer())).invoices).toEqual([FIRST, `2025-02-01 127.00: ${USAGE}, ${CYCLE}`, MORE]),
  'cancellation + expiration': () => {
    const story = cancels(quiet(expires));
    expect(lived(story)).toEqual({ status: 'canceled', invoices: [FIRST] });
    const ends = story.ledger.events.filter(({ type }) => type === 'v1.contract.cancellation.completed');
    expect(ends.map(({ data }) => data)).toEqual([{ reason: 'canceled' }]);
  },
  'cancellation + scheduled change': () => {
    const story = willChange(cancels(quiet()));
    expect(lived(story)).toEqual({ status: 'canceled', invoices: [FIRST] });
    expect([...story.ledger.contracts.values()].map(({ status }) => status)).toEqual(['canceled', 'canceled']);
  },
  'cancellation + trial end': () => expect(lived(cancels(inTrial()))).toEqual({ status: 'canceled', invoices: [] }),
  'cancellation + activation': () => expect(lived(cancels(later()))).toEqual({ status: 'canceled', invoices: [] }),
  'cancellation + cycle charges': () => expect(lived(cancels(quiet()))).toEqual({ status: 'canceled', invoices: [FIRST] }),
  'cancellation + freeze': () => {
    const story = freezes(cancels(quiet()));
    stands(story);
    expect(lived(story)).toEqual({ status: 'canceled', invoices: [FIRST] });
  },
  'cancellation + unit change': () => expect(() => moreSeats(cancels(quiet()))).toThrow(refused('contract_ended')),
  'cancellation + trial end without a method': () => expect(endsOf(cancels(bareTrial()))).toEqual(['canceled']),
  'expiration + trial end without a method': () => expect(endsOf(bareTrial(expires))).toEqual(['expired']),
  'trial end without a method + scheduled change': () => {
    const story = willChange(bareTrial());
    expect(endsOf(story)).toEqual(['trial_without_method']);
    expect([...story.ledger.contracts.values()].map(({ status }) => status)).toEqual(['canceled', 'canceled']);
  },
  'trial end without a method + trial end': () => expect(endsOf(bareTrial())).toEqual(['trial_without_method']),
  'trial end without a method + freeze': () => {
    const story = freezes(bareTrial());
    stands(story);
    expect(endsOf(story)).toEqual(['trial_without_method']);
  },
  'trial end without a method + unit change': () => expect(() => moreSeats(bareTrial())).toThrow(refused('contract_ended')),
  'expiration + scheduled change': () => {
    const story = willChange(quiet(expires));
    expect(lived(story)).toEqual({ status: 'canceled', invoices: [FIRST] });
    expect([...story.ledger.contracts.values()].map(({ status }) => status)).toEqual(['canceled', 'canceled']);
  },
  'expiration + trial end': () => expect(lived(inTrial(expires))).toEqual({ status: 'canceled', invoices: [] }),
  'expiration + cycle charges': () => expect(lived(quiet(expires))).toEqual({ status: 'canceled', invoices: [FIRST] }),
  'expiration + freeze': () => {
    const story = freezes(quiet(expires));
    stands(story);
    expect(lived(story)).toEqual({ status: 'canceled', invoices: [FIRST] });
  },
  'expiration + unit change': () => expect(() => moreSeats(quiet(expires))).toThrow(refused('contract_ended')),
  'scheduled change + trial end': () => expect(lived(willChange(inTrial()))).toEqual({ status: 'active', invoices: [NEXT] }),
  'scheduled change + cycle charges': () => expect(lived(willChange(quiet()))).toEqual({ status: 'active', invoices: [FIRST, NEXT] }),
  'scheduled change + freeze': () => {
    const story = freezes(willChange(quiet()));
    stands(story);
    expect(invoicesOf(story)).toEqual([FIRST, NEXT]);
  },
  'scheduled change + unit change': () => {
    const story = willChange(quiet());
    const before = story.id();
    expect(lived(moreSeats(story)).invoices.slice(2)).toContain('2025-02-01 5.00: credit feature:seats -10.00, feature:seats 15.00');
    expect(story.ledger.contracts.get(before)?.status).toBe('moved');
  },
  'trial end + freeze': () => {
    const story = freezes(inTrial());
    stands(story);
    expect(invoicesOf(story)).toEqual([`2025-02-01 120.00: ${CYCLE}`]);
  },
  'trial end + unit change': () => expect(lived(moreSeats(inTrial())).invoices).toEqual([`2025-02-01 120.00: ${CYCLE}`, MORE]),
  'activation + freeze': () => {
    const story = freezes(later());
    stands(story);
    expect(lived(story)).toEqual({ status: 'active', invoices: [`2025-02-01 120.00: ${CYCLE}`] });
  },
  'activation + unit change': () => expect(lived(moreSeats(later())).invoices).toEqual([`2025-02-01 120.00: ${CYCLE}`, MORE]),
  'cycle charges + freeze': () => {
    const story = freezes(quiet());
    stands(story);
    expect(invoicesOf(story)).toEqual([FIRST, `2025-02-01 120.00: ${CYCLE}`]);
  },
  'cycle charges + unit change': () => expect(lived(moreSeats(quiet())).invoices).toEqual([FIRST, `2025-02-01 120.00: ${CYCLE}`, MORE]),
  'trial end + reminder of it': () => expect(remindersOf(ranOn(inTrial))).toEqual([]),
  "expiration + reminder of a trial's end": () => {
    const story = ranOn(inTrial, { expiration: '2025-01-30' });
    expect([lived(story), remindersOf(story)]).toEqual([{ status: 'canceled', invoices: [] }, []]);
  },
  "activation + reminder of a trial's end": () => {
    const story = later({ trialDays: 3 });
    expect([lived(story), remindersOf(story)]).toEqual([{ status: 'active', invoices: [] }, [at(T)]]);
  },
  'freeze + unit change': () => {
    expect(() => moreSeats(freezes(quiet()))).toThrow(refused('customer_frozen'));
    const story = freezes(moreSeats(quiet()));
    stands(story);
    expect(invoicesOf(story)).toEqual([FIRST, `2025-02-01 120.00: ${CYCLE}`, MORE]);
  },
};

const rows = readFileSync(new URL('../../../docs/order-at-one-instant.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes(' + '))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('the documented table has a row for each pair that is tested, and no other', () => {
  expect(rows.map(([, pair]) => pair)).toEqual(Object.keys(ROWS));
});

test.each(rows.map(([, pair = '', outcome = '']) => [pair, outcome] as const))('%s: %s', (pair) => {
  const row = ROWS[pair];
  if (!row) throw new Error(`no test for ${pair}`);
  row();
});
