import type { Database } from '../../db/connect.ts';
import { Groups, OwnersGroups } from '../../db/groups.ts';
import { OwnersLockers } from '../../db/lockers.ts';
import { limitLocks } from '../../db/sql/transaction/limit-locks.ts';
import type { StandingReads } from '../contract/standing.ts';
import { againAfterFreeze } from '../customer/after-freeze.ts';
import { type CheckAnswer, type Checked, checkUsage, type UsageCheck } from './check.ts';
import { LOCK_WAIT, lockWaitLeft } from './lock-wait.ts';

const LIMITS = { atOnce: 1, most: 500 };
const LATER = { atOnce: 1, most: 500 };
/** Few statements, again and again, which look up by keys. */
const FEW_TEXTS = { prepare: true, generalPlans: true };
/** Customers at a time whose lock is waited for, and of one vendor at most. */
const AT_ONCE = { places: 5, most: 4 };

interface Waiting {
  check: UsageCheck;
  since: number;
}

/**
 * Answers checks in groups: requests that arrive together share a transaction, and each is answered after the commit.
 * One whose customer is locked waits for that with others of its customer, and nobody else waits for it.
 */
export class CheckIntake {
  readonly #db: Database;
  readonly #standings: StandingReads;
  readonly #groups: Groups<UsageCheck, Checked>;
  readonly #later: OwnersGroups<Waiting, Checked>;
  readonly #places = new OwnersLockers(AT_ONCE, LOCK_WAIT.longest);

  constructor(db: Database, standings: StandingReads) {
    this.#db = db;
    this.#standings = standings;
    this.#groups = new Groups((checks) => db.transaction((tx) => checkUsage({ tx, standings }, checks, 'skip'), FEW_TEXTS), LIMITS);
    this.#later = new OwnersGroups((waiting) => this.#places.run(waiting[0]?.check.vendorId ?? '', () => this.#waiting(waiting)), LATER);
  }

  /** @throws Refusal `customer_not_found`, `feature_not_usage_priced`, `clock_advancing` */
  ask(check: UsageCheck): Promise<CheckAnswer> {
    const ask = async (): Promise<CheckAnswer> =>
      answerOf((await this.#groups.one(check)) ?? (await this.#later.one(check.customerId, { check, since: performance.now() })));
    return ask().catch((error: unknown) => againAfterFreeze(this.#db, error, ask));
  }

  #waiting(waiting: readonly Waiting[]): Promise<Checked[]> {
    const turn = performance.now();
    return this.#db.transaction(async (tx) => {
      await limitLocks(tx, lockWaitLeft(waiting[0]?.since ?? turn, turn));
      return checkUsage(
        { tx, standings: this.#standings },
        waiting.map(({ check }) => check),
        'wait',
      );
    });
  }
}

function answerOf(checked: Checked): CheckAnswer {
  if (checked === null) throw new Error('a check that waits for its customer is answered');
  if ('error' in checked) throw checked.error;
  return checked;
}
