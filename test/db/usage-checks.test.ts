import { connect } from '../../db/connect.ts';
import { KnownContracts } from '../../db/contract/known.ts';
import { sqlState } from '../../db/sql-state.ts';
import { StandingReads } from '../../services/contract/standing.ts';
import type { UsageCheck } from '../../services/usage/check.ts';
import { CheckIntake } from '../../services/usage/check-intake.ts';
import { ReservationIntake } from '../../services/usage/reservation-intake.ts';
import { signedContract } from '../api/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { fairTimeOf } from '../support/fair-clock.ts';
import { waitingFor } from '../support/locks.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';

/** What Postgres says of a text with a NUL in it. */
const NOT_IN_TEXT = '22021';
const LOCK_NOT_AVAILABLE = '55P03';

it('checks that share a transaction fail together when Postgres refuses a statement of one of them, each with its reason, and nothing is kept', async () => {
  const vendor = await newVendor();
  const { vendorId } = vendor;
  const [one, other, third] = [await signedContract(vendor), await signedContract(vendor), await signedContract(vendor)];
  const asks = (customerId: string, reserve: UsageCheck['reserve'] = null): UsageCheck => ({
    ...{ vendorId, customerId, slug: 'calls', units: '1', reserve },
  });
  const kept = { seconds: 60, reference: null };
  const refused = { seconds: 60, reference: { vendorId, operation: 'check_usage', key: 'with a \u0000', bodyHash: '' } };
  await withTestDatabase(async (db) => {
    const intake = new CheckIntake(db, new StandingReads(db, new KnownContracts()));
    const together = [asks(one.customerId, kept), asks(other.customerId, refused), asks(third.customerId), asks(third.customerId, kept)];
    const outcomes = await Promise.allSettled(together.map((check) => intake.ask(check)));
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && sqlState(outcome.reason))).toEqual(together.map(() => NOT_IN_TEXT));
    for (const { customerId } of [one, other, third])
      expect(await intake.ask(asks(customerId))).toMatchObject({ allowed: true, reserved: '0' });
  });
});

it.each(['a check', 'the end of a reservation'])(
  '%s that comes while others wait for its locked customer is answered in time',
  async (kind) => {
    const vendor = await newVendor();
    const { vendorId } = vendor;
    const { customerId } = await signedContract(vendor);
    const asked: UsageCheck = { vendorId, customerId, slug: 'calls', units: '1', reserve: null };
    const db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 8 });
    const holder = await db.pool.connect();
    const query = async <R extends object>(sql: string, params: readonly unknown[] = []): Promise<R[]> =>
      (await holder.query<R>(sql, [...params])).rows;
    try {
      const checks = new CheckIntake(db, new StandingReads(db, new KnownContracts()));
      const ends = new ReservationIntake(db);
      const { reservation } = await checks.ask({ ...asked, reserve: { seconds: 600, reference: null } });
      const release = () => ends.end({ vendorId, reservationId: reservation?.id ?? '', with: 'nothing' });
      const ask = async (): Promise<unknown> => (kind === 'a check' ? checks.ask(asked) : release());
      const refused = () => ask().catch((error: unknown) => sqlState(error));
      await query('begin');
      await query('select from customer where id = $1 for update', [customerId]);
      const first = refused();
      await eventually(async () => expect(await waitingFor({ query }, db)).toBe(1));
      const waited = await fairTimeOf(async () => expect(await refused()).toBe(LOCK_NOT_AVAILABLE));
      expect(waited).toBeLessThan(6_000);
      expect(await first).toBe(LOCK_NOT_AVAILABLE);
      await query('rollback');
      await ask();
    } finally {
      holder.release();
      await db.close();
    }
  },
);
