import type { AnyJson, Api } from '../support/api.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import { contractCount, SEED } from '../support/runs.ts';
import { flat } from '../support/story-catalogue.ts';
import { newVendor } from '../support/vendor.ts';

/** Customers whose year is played; 1,000 in the long form, or `--globals '{"CONTRACTS":1000}'`. */
const CUSTOMERS = contractCount(16, 1_000);
const AT_ONCE = 8;
const DAY = 86_400_000;
const BEGIN = Date.parse('2025-01-01T00:00:00Z');
/** The 1st and the 15th of each month of a year, and the 1st of the next. */
const STOPS = Array.from({ length: 25 }, (_, n) => Date.UTC(2025, Math.floor(n / 2), n % 2 === 0 ? 1 : 15));
const TRIAL = 20 * DAY;

/** In hundredths, so that halves and twelfths are whole. */
const PLANS = {
  small: { cents: 1_000, currency: 'usd', cycle: 'month', perYear: 12, trial: 0 },
  middle: { cents: 3_050, currency: 'usd', cycle: 'month', perYear: 12, trial: 0 },
  big: { cents: 9_900, currency: 'usd', cycle: 'month', perYear: 12, trial: 0 },
  tried: { cents: 4_000, currency: 'usd', cycle: 'month', perYear: 12, trial: 20 },
  annual: { cents: 120_000, currency: 'usd', cycle: 'year', perYear: 1, trial: 0 },
  dinar: { cents: 2_500, currency: 'kwd', cycle: 'month', perYear: 12, trial: 0 },
} as const;
type PlanName = keyof typeof PLANS;

/** A customer as the test itself keeps account of her: written from the words of the rules, with none of their code. */
interface Person {
  id: string;
  contract: string | null;
  plan: PlanName;
  paysFrom: number;
  halfUntil: number;
  frozenAt: number | null;
  /** what her chain comes to a month, in hundredths */
  amount: number;
  hadAny: boolean;
}

interface Move {
  customer: string;
  at: number;
  currency: string;
  move: string;
  cents: number;
}

/** Numbers between 0 and 1 that are the same in each run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const twoMonthsAfter = (at: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, date.getUTCDate());
};

/** What she pays a month at an instant, by what the test knows of her. */
function monthly({ contract, plan, paysFrom, halfUntil, frozenAt }: Person, at: number): number {
  if (contract === null || frozenAt !== null || at < paysFrom) return 0;
  const { cents, perYear } = PLANS[plan];
  return (cents * perYear) / 12 / (at < halfUntil ? 2 : 1);
}

function moved(person: Person, at: number, moves: Move[]): void {
  const now = monthly(person, at);
  if (now === person.amount) return;
  const up = person.amount > 0 ? 'expansion' : person.hadAny ? 'reactivation' : 'new';
  const down = now > 0 ? 'contraction' : 'churn';
  const move = now > person.amount ? up : down;
  moves.push({ customer: person.id, at, currency: PLANS[person.plan].currency, move, cents: now - person.amount });
  Object.assign(person, { amount: now, hadAny: true });
}

/** What time brings between two stops. */
function passes(person: Person, { since, until }: { since: number; until: number }, moves: Move[]): void {
  if (person.frozenAt !== null) return;
  for (const at of [person.paysFrom, person.halfUntil].sort((a, b) => a - b)) if (at > since && at <= until) moved(person, at, moves);
}

class Year {
  readonly api: Api;
  readonly plans: ReadonlyMap<PlanName, string>;
  readonly half: string;
  readonly roll: () => number;
  readonly moves: Move[] = [];

  constructor(api: Api, plans: ReadonlyMap<PlanName, string>, half: string, roll: () => number) {
    this.api = api;
    this.plans = plans;
    this.half = half;
    this.roll = roll;
  }

  /** Draws first and asks then, so that the order of answers changes nothing. */
  async act(person: Person, at: number): Promise<void> {
    const [what, which] = [this.roll(), this.roll()];
    if (person.frozenAt !== null) {
      if (what < 0.6) await this.unfreeze(person, at);
    } else if (person.contract === null) {
      if (what < 0.6) await this.sign(person, at, pick(Object.keys(PLANS) as PlanName[], which), this.roll() < 0.4);
    } else if (what < 0.2) await this.change(person, pick(['small', 'middle', 'big'] as const, which));
    else if (what < 0.3 && at >= person.halfUntil) await this.freeze(person, at);
    else if (what < 0.37) await this.cancel(person);
    moved(person, at, this.moves);
  }

  async sign(person: Person, at: number, plan: PlanName, half: boolean): Promise<void> {
    const { cycle, currency, trial } = PLANS[plan];
    const isHalf = half && trial === 0 && cycle === 'month';
    const body = { customer: person.id, plan: this.plans.get(plan), currency, cycle, ...(isHalf ? { discount_id: this.half } : {}) };
    const contract = await this.api.made<string>('/v1/c/contract', body);
    const paysFrom = trial > 0 ? at + TRIAL : at;
    Object.assign(person, { contract, plan, paysFrom, halfUntil: isHalf ? twoMonthsAfter(at) : at, hadAny: false });
  }

  /** Between monthly plans of one currency, at once, up or down. */
  async change(person: Person, to: PlanName): Promise<void> {
    if (person.plan === to || PLANS[person.plan].cycle !== 'month' || PLANS[person.plan].currency !== 'usd') return;
    const upgrade_configuration = { upgrade_strategy: 'new_plan', plan_id: this.plans.get(to) };
    const body = { upgrade_configuration, downgrade_allowed: true };
    person.contract = await this.api.made<string>(`/v1/c/contract/${person.contract}/upgrade`, body);
    person.plan = to;
  }

  async freeze(person: Person, at: number): Promise<void> {
    await this.api.made(`/v1/c/customer/${person.id}/inactivate`, {});
    person.frozenAt = at;
  }

  /** What is left of a trial is left after the freeze. */
  async unfreeze(person: Person, at: number): Promise<void> {
    await this.api.made(`/v1/c/customer/${person.id}/activate`, {});
    if (person.paysFrom > (person.frozenAt ?? at)) person.paysFrom += at - (person.frozenAt ?? at);
    person.frozenAt = null;
  }

  async cancel(person: Person): Promise<void> {
    await this.api.made(`/v1/c/contract/${person.contract}/cancel`, { when: { type: 'now' }, credit: true });
    person.contract = null;
  }
}

const pick = <T>(list: readonly T[], share: number): T => list[Math.floor(share * list.length)] as T;

async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE) await Promise.all(items.slice(from, from + AT_ONCE).map(act));
}

async function allHits(api: Api, path: string): Promise<AnyJson[]> {
  const hits: AnyJson[] = [];
  for (let offset = ''; ; ) {
    const page = await api.read(`${path}&limit=100${offset}`);
    hits.push(...page.hits);
    if (page.forward === null) return hits;
    offset = `&offset=${encodeURIComponent(page.forward)}`;
  }
}

const thousandths = (amount: string): number => Math.round(Number(amount) * 1_000);
const shown = ({ customer, at, currency, move, cents }: Move): string =>
  `${new Date(at).toISOString()} ${customer} ${move} ${cents / 100} ${currency}`;

describe('a year of many contracts on a test clock', () => {
  let year: Year;
  let clock: ClockHandle;
  const people: Person[] = [];

  beforeAll(async () => {
    const vendor = await newVendor('Year of figures');
    clock = await clockOf(vendor, new Date(BEGIN).toISOString());
    const plans = new Map<PlanName, string>();
    for (const [slug, { cents, currency, cycle, trial }] of Object.entries(PLANS)) {
      const pricings = [{ currency, cycle, price: flat((cents / 100).toFixed(2)) }];
      const body = { slug, internal_name: slug, strategy: 'plan', free_trial_days: trial, features: [], pricings };
      plans.set(slug as PlanName, await vendor.api.made<string>('/v1/c/plan', body));
    }
    const half = await vendor.api.made<string>('/v1/c/discount', {
      ...{ slug: 'half', name: 'Half', discount_type: 'percentage', amount: '50', duration: 2 },
    });
    year = new Year(vendor.api, plans, half, dice(SEED ?? 7));
    const numbers = Array.from({ length: CUSTOMERS }, (_, n) => n);
    await each(numbers, async (n) => {
      const id = await vendor.api.made<string>('/v1/c/customer', { name: `Customer ${n}`, test_clock: clock.id });
      await vendor.api.made(`/v1/c/customer/${id}/activate`, {});
      people[n] = { id, contract: null, plan: 'small', paysFrom: 0, halfUntil: 0, frozenAt: null, amount: 0, hadAny: false };
    });
    for (const [n, at] of STOPS.entries()) {
      if (at > BEGIN) await clock.advanceTo(new Date(at).toISOString());
      for (const person of people) passes(person, { since: STOPS[n - 1] ?? 0, until: at }, year.moves);
      await each(people, (person) => year.act(person, at));
    }
  }, 1_800_000);

  it('has booked just the moves that the test has kept account of', async () => {
    const hits = await allHits(year.api, `/v1/c/report/mrr/contract?from=2025-01-01&to=2027-01-01&test_clock=${clock.id}`);
    const booked = hits.map(({ customer_id, at, currency, move, amount }: AnyJson) =>
      shown({ customer: customer_id, at: Date.parse(at), currency, move, cents: Number(amount) * 100 }),
    );
    expect(booked.sort()).toEqual(year.moves.map(shown).sort());
    expect(new Set(year.moves.map(({ move }) => move)).size).toBe(5);
  });

  it('adds them up in each month: start, moves and end', async () => {
    for (let month = 0; month < 13; month += 1) {
      const [from, to] = [Date.UTC(2025, month, 1), Date.UTC(2025, month + 1, 1)];
      const range = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
      const { currencies } = await year.api.read(`/v1/c/report/mrr?${range}&test_clock=${clock.id}`);
      for (const { currency, start, end, ...moves } of currencies) {
        const sumOf = (some: Move[]): number => some.reduce((sum, { cents }) => sum + cents * 10, 0);
        const own = year.moves.filter((one) => one.currency === currency);
        const within = own.filter(({ at }) => at >= from && at < to);
        expect(thousandths(start)).toBe(sumOf(own.filter(({ at }) => at < from)));
        expect(thousandths(end)).toBe(sumOf(own.filter(({ at }) => at < to)));
        for (const [move, amount] of Object.entries(moves)) {
          expect([month, currency, move, thousandths(String(amount))]).toEqual([
            ...[month, currency, move, sumOf(within.filter((one) => one.move === move))],
          ]);
        }
      }
    }
  });

  it('has balances that are the sums of the postings so far, and zero together, at every instant asked', async () => {
    const postings = await allHits(year.api, `/v1/c/ledger?test_clock=${clock.id}`);
    expect(postings.length).toBeGreaterThan(CUSTOMERS);
    const instants = [BEGIN, BEGIN + 30 * DAY - 1, ...STOPS.slice(3).map((at, n) => at + n * 7_777_777)];
    for (const at of instants) {
      const { accounts } = await year.api.read(`/v1/c/ledger/balance?at=${new Date(at).toISOString()}&test_clock=${clock.id}`);
      const sums = new Map<string, number>();
      for (const { account, currency, amount } of postings.filter((one) => Date.parse(one.at) <= at)) {
        sums.set(`${account} ${currency}`, (sums.get(`${account} ${currency}`) ?? 0) + thousandths(amount));
      }
      expect(Object.fromEntries(accounts.map((one: AnyJson) => [`${one.account} ${one.currency}`, thousandths(one.balance)]))).toEqual(
        Object.fromEntries(sums),
      );
      for (const currency of ['usd', 'kwd']) {
        const own = accounts.filter((one: AnyJson) => one.currency === currency);
        expect(own.reduce((sum: number, one: AnyJson) => sum + thousandths(one.balance), 0)).toBe(0);
      }
    }
  });
});
