import { KnownContracts } from '../../db/contract/known.ts';
import { sqlState } from '../../db/sql-state.ts';
import { StandingReads } from '../../services/contract/standing.ts';
import type { UsageCheck } from '../../services/usage/check.ts';
import { CheckIntake } from '../../services/usage/check-intake.ts';
import { signedContract } from '../api/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor } from '../support/vendor.ts';

/** What Postgres says of a text with a NUL in it. */
const NOT_IN_TEXT = '22021';

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
