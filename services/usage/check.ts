import type { Instant } from '../../billing/calendar/instant.ts';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { type Decimal, dec, larger, text, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Refusal } from '../../billing/refusal.ts';
import { calendarWindow, type UsageLimit } from '../../billing/usage/limit.ts';
import type { Tx } from '../../db/connect.ts';
import { isUnreachable } from '../../db/fault.ts';
import { newId } from '../../db/id.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { noteEffect } from '../../db/sql/idempotency/note-effect.ts';
import type { IdempotencyRef } from '../../db/sql/idempotency/request.ts';
import type { LockedElsewhere } from '../../db/sql/lock.ts';
import { insertReservations, type NewReservation } from '../../db/sql/usage/insert-reservations.ts';
import { limitsOf } from '../../db/sql/usage/list-limits.ts';
import { type AskingCustomer, lockAskers, readAskers } from '../../db/sql/usage/lock-askers.ts';
import { type CheckedPlace, placeChecks } from '../../db/sql/usage/place-checks.ts';
import { sqlState } from '../../db/sql-state.ts';
import { together } from '../../db/together.ts';
import type { StandingReads } from '../contract/standing.ts';
import { FreezeIsOver, isFreezeOver } from '../customer/freeze-over.ts';
import { clockAdvancing } from '../customer/lock.ts';
import { pricedOpenUsage } from './priced.ts';
import { appliesTo, type CountedUnits, type FoundRoom, readRooms, roomKey } from './room.ts';

/** Whether a customer may use units of a feature now. */
export interface UsageCheck {
  vendorId: string;
  customerId: string;
  slug: string;
  units: string;
  /** how long the units are to be kept, and for a request of which Idempotency-Key; null: not at all */
  reserve: { seconds: number; reference: IdempotencyRef | null } | null;
}

/** Why a customer may not. */
export type CheckReason = 'limit_reached' | 'customer_frozen' | 'customer_erased' | 'feature_not_included';

/** The answer, and how things stand with it. */
export interface CheckAnswer {
  allowed: boolean;
  reason: CheckReason | null;
  /**
   * the limit that refuses, or leaves the least; a limit of money only if no limit of units holds. Null: there is no
   * limit
   */
  limit: UsageLimit | null;
  /** currency of that limit: then `used`, `reserved` and `remaining` are money; null: they are units */
  currency: Currency | null;
  used: string;
  reserved: string;
  remaining: string | null;
  resetsAt: Instant | null;
  reservation: { id: string; expiresAt: Instant } | null;
}

/** What a check comes to: an answer, a refusal of the request, or null where a customer is locked by another. */
export type Checked = CheckAnswer | { error: unknown } | null;

/**
 * Answers checks in their order, and keeps the units of those that ask for it. The customers are locked as by the
 * intake of usage, so that nobody else changes what is taken until the transaction ends. Where nothing is waited for,
 * customers with limits of money are left out too: those are read one by one, and others' checks don't wait for that.
 */
export async function checkUsage(
  { tx, standings }: { tx: Tx; standings: StandingReads },
  checks: readonly UsageCheck[],
  elsewhere: LockedElsewhere,
): Promise<Checked[]> {
  const ids = [...new Set(checks.map(({ customerId }) => customerId))];
  const asking = { ids, vendorIds: [...new Set(checks.map(({ vendorId }) => vendorId))] };
  const [locked, customers, found] = await together(tx, [
    () => lockAskers(tx, asking, elsewhere),
    () => readAskers(tx, asking),
    () => limitsOf(tx, ids),
  ]);
  const limits = found.filter(({ action }) => action === 'refuse');
  const known = new Map(customers.map((customer) => [customer.id, customer]));
  const costly = new Set(elsewhere === 'skip' ? limits.flatMap(({ customerId, amount }) => (amount === null ? [] : [customerId])) : []);
  const free = checks.map(({ customerId }) => (locked.has(customerId) && !costly.has(customerId)) || !known.has(customerId));
  const asked = checks.filter((_, at) => free[at]).map((check) => ({ check, customer: known.get(check.customerId) ?? null }));
  const late = await activeNow(tx, standings, asked);
  const places = await placesOf(tx, asked, late);
  const standing = new Standing(tx, limits);
  await standing.read(places);
  const answers: Checked[] = [];
  for (const [at, one] of asked.entries()) {
    answers.push(await answerTo(standing, { ...one, place: places[at] ?? null }).catch(ofThisCheck));
  }
  await insertReservations(tx, standing.made, Date.now());
  return free.map((isFree) => (isFree ? (answers.shift() ?? null) : null));
}

/** What one check fails with doesn't concern the others, unless the transaction has failed. */
function ofThisCheck(error: unknown): { error: unknown } {
  if (sqlState(error) !== undefined || isUnreachable(error)) throw error;
  return { error };
}

type Placed = CheckedPlace & CountedUnits;

type AskedBy = Omit<Asked, 'place'>;

/**
 * The contracts that are active now of customers whose timers are late, each with the one in which its usage counts
 * until that is carried out.
 */
async function activeNow(tx: Tx, standings: StandingReads, asked: readonly AskedBy[]): Promise<Map<string, Record<string, string>>> {
  const ids = [...new Set(asked.flatMap(({ customer }) => (customer?.isLate ? [customer.id] : [])))];
  if (ids.length === 0) return new Map();
  const found = await standings.within(
    tx,
    ids.map((customerId) => ({ customerId, rootId: null, contractId: null })),
  );
  return new Map(
    found.flatMap((one) => {
      if (one === null) return [];
      const active = [...one.contracts.values()].filter(({ contract }) => contract.status === 'active');
      return [[one.customer.id, Object.fromEntries(active.map(({ contract, countedIn }) => [contract.id, countedIn]))] as const];
    }),
  );
}

async function placesOf(tx: Tx, asked: readonly AskedBy[], late: ReadonlyMap<string, Record<string, string>>): Promise<(Placed | null)[]> {
  const features = asked.map(({ check: { customerId, slug }, customer }) => ({
    customerId,
    slug,
    at: customer?.now ?? 0,
    active: late.get(customerId) ?? null,
  }));
  const found = new Map((await placeChecks(tx, features)).map((place) => [place.n, place]));
  return features.map((feature, at) => {
    const place = found.get(at + 1);
    return place === undefined ? null : { ...place, ...feature };
  });
}

interface Asked {
  check: UsageCheck;
  customer: AskingCustomer | null;
  place: Placed | null;
}

async function answerTo(standing: Standing, { check, customer, place }: Asked): Promise<CheckAnswer> {
  if (customer === null || customer.vendorId !== check.vendorId)
    throw new Refusal('customer_not_found', `There is no customer ${check.customerId}.`, 'customer');
  if (customer.status === 'inactive') {
    if (customer.clockId === null && isFreezeOver(customer)) throw new FreezeIsOver(customer.id);
    return refused(customer.isErased ? 'customer_erased' : 'customer_frozen');
  }
  if (place === null || place.value === false) return refused('feature_not_included');
  if (check.reserve !== null && !isCounted(place))
    throw new Refusal('feature_not_usage_priced', `the feature ${check.slug} has no usage price`, { feature_slug: 'has no usage price' });
  if (check.reserve !== null && customer.isAdvancing) throw clockAdvancing(customer.clockId);
  return standing.ask(check, place);
}

const isCounted = ({ pricing }: CheckedPlace): boolean => pricing !== null && pricing !== 'flat';

const refused = (reason: CheckReason): CheckAnswer => ({
  ...{ allowed: false, reason, limit: null, currency: null, used: '0', reserved: '0' },
  ...{ remaining: null, resetsAt: null, reservation: null },
});

/** A usage period without a limit, to say what is counted in it. */
const unlimited = ({ customerId, slug }: CountedUnits): UsageLimit => ({
  ...{ id: `feature ${slug}`, customerId, slug, units: null, amount: null },
  ...{ window: 'period', action: 'refuse' },
});

/** What is taken of each limit while checks are answered one after the other. */
class Standing {
  readonly #tx: Tx;
  readonly #limits: readonly UsageLimit[];
  #rooms = new Map<string, FoundRoom>();
  readonly made: NewReservation[] = [];

  constructor(tx: Tx, limits: readonly UsageLimit[]) {
    this.#tx = tx;
    this.#limits = limits;
  }

  async read(places: readonly (Placed | null)[]): Promise<void> {
    const found = places.flatMap((place) => (place === null ? [] : [place]));
    this.#rooms = await readRooms(
      this.#tx,
      found.map((event) => ({ event, limits: [unlimited(event), ...this.#unitLimits(event)] })),
    );
  }

  async ask(check: UsageCheck, place: Placed): Promise<CheckAnswer> {
    const limits = this.#unitLimits(place);
    const full = limits.find((limit) => this.#leftOf(limit, place).lessThan(check.units)) ?? null;
    if (full !== null) return this.#answer(place, full, { reason: 'limit_reached', reservation: null });
    const money = await this.#leastMoney(check, place);
    if (money?.isFull) return { ...this.#answer(place, null, { reason: 'limit_reached', reservation: null }), ...money.standing };
    const reservation = await this.#keep(check, place, limits);
    const [least] = limits.toSorted((a, b) => this.#leftOf(a, place).comparedTo(this.#leftOf(b, place)));
    const answer = this.#answer(place, least ?? null, { reason: null, reservation });
    return least === undefined && money !== null ? { ...answer, ...money.standing } : answer;
  }

  #unitLimits(place: CountedUnits): UsageLimit[] {
    return this.#limits.filter((limit) => limit.units !== null && appliesTo(limit, place));
  }

  #roomOf(limit: UsageLimit, place: CountedUnits): FoundRoom {
    return this.#rooms.get(roomKey(limit, place)) ?? { most: '0', used: '0', reserved: '0' };
  }

  /** What a limit leaves; negative if more is taken than it allows by now. */
  #leftOf(limit: UsageLimit, place: CountedUnits): Decimal {
    const { most, used, reserved } = this.#roomOf(limit, place);
    return dec(most).minus(used).minus(reserved);
  }

  /** The limit of money that the units would pass, else the one that leaves the least, with what it leaves. */
  async #leastMoney(check: UsageCheck, place: Placed): Promise<MoneyStanding | null> {
    const limits = this.#limits.filter((limit) => limit.amount !== null && appliesTo(limit, place));
    if (limits.length === 0 || !isCounted(place)) return null;
    // the price is not known yet: the contract has to begin the period first
    if (place.idx === null) throw new CatchingUp(place.contractId);
    const [contract] = await contractsByIds(this.#tx, [place.contractId]);
    if (contract === undefined) throw new Error(`the contract ${place.contractId} does not exist`);
    const customer = { id: place.customerId, pauses: await readPauses(this.#tx, place.customerId) };
    // reservations that this transaction has made must be counted, too
    await insertReservations(this.#tx, this.made.splice(0), Date.now());
    const found: MoneyStanding[] = [];
    for (const limit of limits) {
      const priced = (more: { added?: string; reserved?: boolean }): Promise<string> =>
        pricedOpenUsage(this.#tx, customer, { contract, idx: place.idx ?? 0, slug: place.slug }, { of: limit.slug, ...more });
      const amounts = { counted: await priced({ reserved: false }), taken: await priced({}), asked: await priced({ added: check.units }) };
      found.push(moneyStanding(limit, contract.terms.currency, amounts, check.reserve !== null));
    }
    return found.find(({ isFull }) => isFull) ?? leastOf(found);
  }

  async #keep(check: UsageCheck, place: Placed, limits: readonly UsageLimit[]): Promise<CheckAnswer['reservation']> {
    if (check.reserve === null) return null;
    const { seconds, reference } = check.reserve;
    const id = newId('Rsv');
    if (reference !== null && !(await noteEffect(this.#tx, reference, id)))
      throw new Refusal('idempotency_in_progress', 'Another request with this Idempotency-Key reserves the units.', {}, { retryAfter: 1 });
    const { customerId, slug, at } = place;
    const made = { id, customerId, slug, units: check.units, at, expiresAt: at + seconds * 1_000 };
    this.made.push(made);
    for (const limit of [unlimited(place), ...limits]) {
      const room = this.#roomOf(limit, place);
      this.#rooms.set(roomKey(limit, place), { ...room, reserved: text(dec(room.reserved).plus(check.units)) });
    }
    return { id: made.id, expiresAt: made.expiresAt };
  }

  #answer(place: Placed, limit: UsageLimit | null, { reason, reservation }: Pick<CheckAnswer, 'reason' | 'reservation'>): CheckAnswer {
    const { used, reserved } = this.#roomOf(limit ?? unlimited(place), place);
    const resetsAt = limit === null || limit.window === 'period' ? place.end : calendarWindow(limit.window, place.at).to;
    const remaining = limit === null ? null : text(larger(this.#leftOf(limit, place), ZERO));
    return { allowed: reason === null, reason, limit, currency: null, used, reserved, remaining, resetsAt, reservation };
  }
}

/** How a limit of money stands with what is asked for. */
interface MoneyStanding {
  isFull: boolean;
  standing: Pick<CheckAnswer, 'currency' | 'used' | 'reserved' | 'remaining'> & { limit: UsageLimit };
}

/**
 * How a limit of money stands, given what open usage comes to: `counted` alone, `taken` with what is reserved, and
 * `asked` with what is asked for besides.
 *
 * @param keeps whether what is asked for is reserved, if it is allowed
 */
function moneyStanding(
  limit: UsageLimit,
  currency: Currency,
  { counted, taken, asked }: { counted: string; taken: string; asked: string },
  keeps: boolean,
): MoneyStanding {
  const isFull = dec(asked).greaterThan(limit.amount ?? '0');
  const after = keeps && !isFull ? asked : taken;
  const left = dec(limit.amount ?? '0').minus(after);
  const shown = { used: moneyText(counted, currency), reserved: moneyText(dec(after).minus(counted), currency) };
  return { isFull, standing: { limit, currency, ...shown, remaining: moneyText(left.isNegative() ? '0' : left, currency) } };
}

const leastOf = (found: readonly MoneyStanding[]): MoneyStanding | null =>
  found.toSorted((a, b) => dec(a.standing.remaining ?? '0').comparedTo(b.standing.remaining ?? '0'))[0] ?? null;
