import { claimKey, noteEffect, releaseClaim } from '../../db/idempotency/answer.ts';
import { newVendor, withDatabase } from '../support/vendor.ts';

describe('a claim given back at once', () => {
  const ref = async () => ({ vendorId: (await newVendor()).vendorId, operation: 'pay_invoice', key: 'once', bodyHash: 'same' });

  it('lets a repeat make its effect when none was made', () =>
    withDatabase(async (db) => {
      const one = await ref();
      const first = await claimKey(db, one, Date.now());
      if (first.outcome !== 'claimed') throw new Error(first.outcome);
      await releaseClaim(db, first.claim);
      expect((await claimKey(db, one, Date.now())).outcome).toBe('claimed');
      expect(await noteEffect(db, one)).toBe(true);
    }));

  it('after its effect lets a repeat run, and keeps it from making the effect again', () =>
    withDatabase(async (db) => {
      const one = await ref();
      const first = await claimKey(db, one, Date.now() - 1);
      if (first.outcome !== 'claimed') throw new Error(first.outcome);
      expect(await noteEffect(db, one)).toBe(true);
      await releaseClaim(db, first.claim);
      expect((await claimKey(db, one, Date.now())).outcome).toBe('claimed');
      expect(await noteEffect(db, one)).toBe(false);
    }));
});
