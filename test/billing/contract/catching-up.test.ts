import { at, HOUR } from '../../../billing/calendar/instant.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { CatchingUp, requireRecentActivation } from '../../../billing/contract/advance/catching-up.ts';
import { planFreeze } from '../../../billing/contract/advance/freeze.ts';
import { planResume } from '../../../billing/contract/advance/resume.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import type { BillingError } from '../../../billing/problem.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { invoicesOf, periodsOf, type Story, signs } from '../../support-billing/story.ts';

// A contract that is late: by how many instants it is advanced at once, and with which freezes.

const START = at('2025-01-01');
const hourly = planOffer('hourly', { price: '1', cycle: 'hour' });
const lateBy = (hours: number) => {
  const story = signs('2025-01-01', hourly);
  const now = START + hours * HOUR;
  return { snapshot: snapshotOf(story.ledger, story.id(), now), now, newId: story.newId };
};

describe('what is asked of a late contract', () => {
  const cancels = (hours: number) => {
    const { snapshot, now, newId } = lateBy(hours);
    return planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId);
  };

  test('is done on one that is 50 boundaries behind, and waits on one that is 51 behind', () => {
    expect(cancels(50).effects.invoices).toHaveLength(50);
    expect(() => cancels(51)).toThrow(CatchingUp);
  });

  test('the refusal names the contract and why', () => {
    const { snapshot, now, newId } = lateBy(51);
    const { id } = snapshot.contract;
    expect(() => planFreeze(snapshot, now, newId)).toThrow(
      expect.objectContaining({ name: 'CatchingUp', contractId: id, message: `more than 50 instants are due for ${id}` }),
    );
  });

  test('bringing it up has no such end; resuming it does the first 50', () => {
    const { snapshot, now, newId } = lateBy(60);
    expect(advance(snapshot, now, newId).effects.invoices).toHaveLength(60);
    const { effects } = planResume(snapshot, now, newId);
    expect(effects.invoices).toHaveLength(50);
    expect(effects.contracts[0]?.currentIdx).toBe(51);
    expect(effects.agenda[0]?.rows.map(({ kind, dueAt }) => [kind, dueAt])).toEqual([['boundary', START + 51 * HOUR]]);
  });

  test.each([
    ['20', 1],
    [null, 3],
  ])(
    'resumed 3 boundaries late, credits of which up to %s lasts on: %d at once, since each invoice decides how much that is',
    (rolloverMaximum, invoices) => {
      const credits = { amount: '50', expiresAfterCycles: 1, rolloverMaximum };
      const story = signs('2025-01-01', planOffer('hourly', { price: '1', cycle: 'hour', credits }));
      const now = START + 3 * HOUR;
      const { effects } = planResume(snapshotOf(story.ledger, story.id(), now), now, story.newId);
      expect(effects.invoices).toHaveLength(invoices);
      expect(effects.agenda[0]?.rows.map(({ dueAt }) => dueAt)).toEqual([START + (invoices + 1) * HOUR]);
    },
  );
});

describe('an activation that lies behind', () => {
  const NOW = at('2025-01-01');
  const DAYS = 86_400_000;
  const signed = (offer: ReturnType<typeof planOffer>, activation: number | null, trialDays = 0): Contract => ({
    ...signs('2025-01-01', offer).contract(),
    start: null,
    activation,
    trialDays,
  });
  const problems = (contract: Contract) => {
    try {
      requireRecentActivation(contract, [], NOW);
      return [];
    } catch (error) {
      return (error as BillingError).problems;
    }
  };

  test.each<[string, Contract, number]>([
    ['400 hours of an hourly plan', signed(hourly, NOW - 400 * HOUR), 0],
    ['401 hours of an hourly plan', signed(hourly, NOW - 401 * HOUR), 401],
    ['401 hours and more of them a trial of a day', signed(hourly, NOW - 401 * HOUR, 1), 0],
    ['425 hours with a trial of a day', signed(hourly, NOW - 425 * HOUR, 1), 401],
    ['a trial of 20 days that isn’t over', signed(hourly, NOW - 19 * DAYS, 20), 0],
    ['a trial that ends now', signed(hourly, NOW - 20 * DAYS, 20), 0],
    ['33 years of a monthly plan', signed(planOffer('m', { price: '1' }), at('1992-01-01')), 0],
    ['34 years of a monthly plan', signed(planOffer('m', { price: '1' }), at('1991-01-01')), 408],
    ['100 years of a single payment', signed(planOffer('o', { price: '1', cycle: 'once' }), at('1925-01-01')), 0],
    ['now', signed(hourly, NOW), 0],
    ['ahead', signed(hourly, NOW + 500 * HOUR), 0],
    ['not known yet', signed(hourly, null), 0],
  ])('%s', (_, contract, boundaries) => {
    expect(problems(contract)).toEqual(
      boundaries === 0
        ? []
        : [
            {
              field: 'activation',
              code: 'activation_too_early',
              message: `give an instant at most 400 billing cycles back; ${boundaries} have passed since this one`,
            },
          ],
    );
  });

  test.each(['month', 'quarter', 'year'] as const)('a %s charge counts one for each 28 days: 400, then 401', (trigger) => {
    const once = planOffer('o', { price: '1', cycle: 'once', features: { support: [trigger, price('5')] } });
    expect(problems(signed(once, NOW - (401 * 28 * DAYS - 1)))).toEqual([]);
    expect(problems(signed(once, NOW - 401 * 28 * DAYS))).toMatchObject([{ code: 'activation_too_early' }]);
  });
});

describe('freezes that passed a parked contract by', () => {
  /** The customer’s freeze is known; nothing was done for the contract. */
  const frozen = (story: Story, from: string, to: string | null) =>
    void story.ledger.pauses.push({ from: at(from), to: to === null ? null : at(to) });
  const metered = (slug: string, call: string, amount: string) => planOffer(slug, { price: amount, features: { calls: usagePrice(call) } });

  test('resumed on 3 February: the period ends on 6 February, and its usage closes then', () => {
    const story = signs('2025-01-01', metered('pro', '1', '30'));
    story.uses('2025-01-03', 'calls', '4');
    frozen(story, '2025-01-10', '2025-01-15');
    const { effects } = planResume(snapshotOf(story.ledger, story.id(), at('2025-02-03')), at('2025-02-03'), story.newId);
    expect(effects.invoices).toEqual([]);
    expect(effects.periods).toMatchObject([{ idx: 1, end: at('2025-02-06'), until: at('2025-02-06'), closesAt: at('2025-02-06') }]);
    story.advance('2025-02-10');
    expect(invoicesOf(story).slice(1)).toEqual(['2025-02-06 34.00: usage feature:calls 4.00, plan 30.00']);
  });

  test('a change on 8 January carried out late: the new contract’s period ends on 6 February too', () => {
    const story = signs('2025-01-01', metered('pro', '1', '30'));
    changes(story, '2025-01-02', changeToPlan(metered('max', '2', '60'), { activation: '2025-01-08' }));
    frozen(story, '2025-01-10', '2025-01-15');
    story.advance('2025-01-20');
    expect(periodsOf(story)).toEqual(['1: 2025-01-01 – 2025-01-08 closed', '1: 2025-01-08 – 2025-02-06 open']);
  });

  test('signed for a day that a freeze covers, it is scheduled all the same', () => {
    const story = signs('2025-01-01', metered('pro', '1', '30'), { activation: '2025-01-10' });
    frozen(story, '2025-01-05', null);
    const snapshot = snapshotOf(story.ledger, story.id(), at('2025-01-12'));
    const fresh = { ...snapshot, contract: { ...snapshot.contract, status: 'not_ready' as const } };
    const { effects } = advance(fresh, at('2025-01-12'), story.newId);
    expect(effects.contracts).toMatchObject([{ status: 'scheduled' }]);
    expect(effects.events).toMatchObject([{ type: 'v1.contract.signature.scheduled' }]);
  });
});
