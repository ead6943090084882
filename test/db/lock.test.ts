import { ApiKey, Vendor } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';
import { FOR_UPDATE, type LockStrength, lockOne } from '../../db/sql/lock.ts';
import { sqlState } from '../../db/sql-state.ts';
import type { Tx } from '../../db/transaction.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { withTestDatabase } from '../support/database.ts';

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a second transaction gets through while the first holds the vendor's row. */
async function passesBeside(held: LockStrength, second: (tx: Tx, vendorId: string) => Promise<unknown>): Promise<boolean> {
  return withTestDatabase(async (db) => {
    const { vendorId } = await createVendor(db, 'held');
    return db.transaction(async ({ em }) => {
      await lockOne(em, Vendor, { id: vendorId }, held);
      const beside = db.transaction(async (tx) => {
        await tx.query(`set local lock_timeout = '100ms'`);
        await second(tx, vendorId);
        await tx.em.flush();
      });
      return beside.then(
        () => true,
        (error: unknown) => {
          expect(sqlState(error)).toBe(LOCK_NOT_AVAILABLE);
          return false;
        },
      );
    });
  });
}

const holds =
  (strength: LockStrength) =>
  ({ em }: Tx, id: string) =>
    lockOne(em, Vendor, { id }, strength);
const pointsAtIt = async ({ em }: Tx, vendor: string): Promise<void> => {
  em.create(ApiKey, { id: newId('Key'), vendor, name: 'points at it', hash: newId('hash'), scope: 'read', created: 0 });
};

describe('a row that is held', () => {
  it.each<[LockStrength, boolean, boolean, boolean]>([
    ['key share', true, true, true],
    ['no key update', true, true, false],
    ['update', false, false, false],
  ])('%s: passes a foreign key %s, key share %s, no key update %s', async (held, foreignKey, keyShare, noKeyUpdate) => {
    expect(await passesBeside(held, pointsAtIt)).toBe(foreignKey);
    expect(await passesBeside(held, holds('key share'))).toBe(keyShare);
    expect(await passesBeside(held, holds('no key update'))).toBe(noKeyUpdate);
    expect(await passesBeside(held, holds('update'))).toBe(false);
  });

  it('is read as it is now, whatever the entity manager knew of it', async () => {
    await withTestDatabase(async (db) => {
      const { vendorId } = await createVendor(db, 'before');
      await db.transaction(async ({ em, query }) => {
        const known = await em.findOneOrFail(Vendor, { id: vendorId });
        await query('update vendor set name = $2 where id = $1', [vendorId, 'after']);
        expect(await lockOne(em, Vendor, { id: vendorId }, 'update')).toBe(known);
        expect(known.name).toBe('after');
        expect(await lockOne(em, Vendor, { id: newId('Wbc') }, 'update')).toBeNull();
      });
    });
  });

  it.each([
    ['by lockOne', (em: Tx['em'], id: string) => lockOne(em, Vendor, { id }, 'no key update')],
    ['by a find for update', (em: Tx['em'], id: string) => em.findOne(Vendor, { id }, FOR_UPDATE)],
  ])('%s is read as it is now where it has become null too', async (_, held) => {
    await withTestDatabase(async (db) => {
      const { vendorId } = await createVendor(db, 'before');
      await db.query(`update vendor set retry_days = '[1, 2]' where id = $1`, [vendorId]);
      await db.transaction(async ({ em, query }) => {
        const known = await em.findOneOrFail(Vendor, { id: vendorId });
        expect(known.retryDays).toEqual([1, 2]);
        await query('update vendor set retry_days = null where id = $1', [vendorId]);
        expect((await held(em, vendorId))?.retryDays).toBeNull();
      });
    });
  });
});
