import { connect, type Database } from '../../db/connect.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import { violatedConstraint } from '../../db/sql-state.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { servers } from '../support/servers.ts';

let db: Database;
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 2 });
});
afterAll(() => db.close());

it.each([{ prepare: false }, { prepare: true }])(
  'a part that a row refuses leaves its transaction usable, also within another part: %j',
  async (options) => {
    const { vendorId } = await createVendor(db, 'before');
    const rename = `update vendor set name = $2 where id = $1`;
    const twice = `insert into vendor select * from vendor where id = $1`;
    const refusals: (string | undefined)[] = [];
    const noted = (error: unknown): void => void refusals.push(violatedConstraint(error));
    await db.transaction(async (tx) => {
      await inSavepoint(tx, async () => {
        await inSavepoint(tx, async () => {
          await tx.query(rename, [vendorId, 'inner']);
          await tx.query(twice, [vendorId]);
        }).catch(noted);
        await tx.query(rename, [vendorId, 'outer']);
        await tx.query(twice, [vendorId]);
      }).catch(noted);
      expect(await tx.query('select name from vendor where id = $1', [vendorId])).toEqual([{ name: 'before' }]);
      await inSavepoint(tx, () => tx.query(rename, [vendorId, 'after']));
    }, options);
    expect(refusals).toEqual(['vendor_pkey', 'vendor_pkey']);
    expect(await db.query('select name from vendor where id = $1', [vendorId])).toEqual([{ name: 'after' }]);
  },
);

it('a part that fails takes back what it did to entities, flushed or not', async () => {
  const { vendorId } = await createVendor(db, 'before');
  await db.transaction(async (tx) => {
    const vendor = await tx.em.findOneOrFail(Vendor, { id: vendorId });
    vendor.taxPolicy = 'tax_excluded';
    const part = async (): Promise<void> => {
      vendor.name = 'flushed';
      await tx.em.flush();
      vendor.name = 'not flushed';
      throw new Error('the part fails');
    };
    await expect(inSavepoint(tx, part)).rejects.toThrow('the part fails');
    expect((await tx.em.findOneOrFail(Vendor, { id: vendorId })).name).toBe('before');
  });
  expect(await db.em().findOne(Vendor, { id: vendorId })).toMatchObject({ name: 'before', taxPolicy: 'tax_excluded' });
});
