import { Refusal } from '../../billing/refusal.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { UsageReservation } from '../../db/entities/usage-reservation.ts';
import { OwnersGroups } from '../../db/groups.ts';
import { OwnersLockers } from '../../db/lockers.ts';
import { limitLocks } from '../../db/sql/transaction/limit-locks.ts';
import { againAfterFreeze } from '../customer/after-freeze.ts';
import { LOCK_WAIT, lockWaitLeft } from './lock-wait.ts';
import { endReservation, type ReservationEnd, unknownReservation } from './reservation.ts';

const LIMITS = { atOnce: 1, most: 50 };
/** Customers at a time whose lock is waited for, and of one vendor at most. */
const AT_ONCE = { places: 5, most: 4 };
/** Refusals that come before anything is written: what else is in the transaction goes on. */
const BEFORE_WRITES: ReadonlySet<string> = new Set(['reservation_ended', 'reservation_not_found', 'invalid_request']);

type Ended = { id: string } | { error: unknown };
type Waiting = ReservationEnd & { since: number };

/**
 * Confirms and releases reservations, those of one customer that arrive together in one transaction: each needs its
 * customer's lock, and none is turned away because others wait for it too.
 */
export class ReservationIntake {
  readonly #db: Database;
  readonly #groups: OwnersGroups<Waiting, Ended>;
  readonly #places = new OwnersLockers(AT_ONCE, LOCK_WAIT.longest);

  constructor(db: Database) {
    this.#db = db;
    this.#groups = new OwnersGroups((ends) => this.#places.run(ends[0]?.vendorId ?? '', () => this.#together(ends)), LIMITS);
  }

  /**
   * @returns the id of the event, or of the reservation that was released
   * @throws Refusal as `endReservation`
   */
  async end(end: ReservationEnd): Promise<string> {
    const seen = await this.#db.em().findOne(UsageReservation, { id: end.reservationId });
    if (seen === null) throw unknownReservation(end.reservationId);
    const ask = async (): Promise<string> => {
      const ended = await this.#groups.one(seen.customerId, { ...end, since: performance.now() });
      if ('error' in ended) throw ended.error;
      return ended.id;
    };
    return ask().catch((error: unknown) => againAfterFreeze(this.#db, error, ask));
  }

  /** One that is refused after something was written takes the transaction with it: then each has one of its own. */
  async #together(ends: readonly Waiting[]): Promise<Ended[]> {
    try {
      return await this.#transaction(ends);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (ends.length === 1) return [{ error }];
    }
    const ended: Ended[] = [];
    for (const end of ends) ended.push(await this.#transaction([end]).then(([one]) => one as Ended, refusalOf));
    return ended;
  }

  #transaction(ends: readonly Waiting[]): Promise<Ended[]> {
    const turn = performance.now();
    return this.#db.transaction(async (tx) => {
      await limitLocks(tx, lockWaitLeft(ends[0]?.since ?? turn, turn));
      const ended: Ended[] = [];
      for (const end of ends) ended.push(await endOne(tx, end));
      return ended;
    });
  }
}

const refusalOf = (error: unknown): Ended => {
  if (!(error instanceof Refusal)) throw error;
  return { error };
};

const endOne = (tx: Tx, end: ReservationEnd): Promise<Ended> =>
  endReservation(tx, end).then(
    (id) => ({ id }),
    (error: unknown) => {
      if (!(error instanceof Refusal && BEFORE_WRITES.has(error.code))) throw error;
      return { error };
    },
  );
