import { leaseKey } from '../../db/idempotency/lease.ts';
import { endLease } from '../../db/sql/idempotency/end-lease.ts';
import { noteEffect } from '../../db/sql/idempotency/note-effect.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { newVendor } from '../support/vendor.ts';

describe('a lease given back at once', () => {
  const ref = async () => ({ vendorId: (await newVendor()).vendorId, operation: 'pay_invoice', key: 'once', bodyHash: 'same' });

  it('lets a repeat make its effect when none was made', () =>
    withTestDatabase(async (db) => {
      const one = await ref();
      const first = await leaseKey(db, one, Date.now());
      if (first.outcome !== 'leased') throw new Error(first.outcome);
      await endLease(db, first.lease);
      expect((await leaseKey(db, one, Date.now())).outcome).toBe('leased');
      expect(await noteEffect(db, one)).toBe(true);
    }));

  it('after its effect lets a repeat run, and keeps it from making the effect again', () =>
    withTestDatabase(async (db) => {
      const one = await ref();
      const first = await leaseKey(db, one, Date.now() - 1);
      if (first.outcome !== 'leased') throw new Error(first.outcome);
      expect(await noteEffect(db, one)).toBe(true);
      await endLease(db, first.lease);
      expect((await leaseKey(db, one, Date.now())).outcome).toBe('leased');
      expect(await noteEffect(db, one)).toBe(false);
    }));

  it('while its effect is being made waits for that, and keeps a repeat from making it again', () =>
    withTestDatabase(async (db) => {
      const one = await ref();
      const first = await leaseKey(db, one, Date.now() - 1);
      if (first.outcome !== 'leased') throw new Error(first.outcome);
      const { lease } = first;
      const ended = await db.transaction(async (tx) => {
        expect(await noteEffect(tx, one)).toBe(true);
        const ending = endLease(db, lease);
        await withTestDatabase((beside) => eventually(async () => expect(await waitingFor(tx, beside)).toBe(1)));
        return { ending };
      });
      await ended.ending;
      expect((await leaseKey(db, one, Date.now())).outcome).toBe('leased');
      expect(await noteEffect(db, one)).toBe(false);
    }));
});
