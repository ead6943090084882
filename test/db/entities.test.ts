import { TestClock } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { withDatabase } from '../support/vendor.ts';

const NOW = Date.parse('2025-01-31T10:20:30.456Z');

it('an instant of an entity keeps its milliseconds, and one that is not there stays so when another field changes', async () => {
  await withDatabase(async (db) => {
    const { vendorId } = await createVendor(db, 'instants');
    const id = newId('Clock');
    await db.transaction(async ({ em }) => {
      em.create(TestClock, { id, vendor: vendorId, created: NOW, now: NOW, name: 'one' });
    });
    await db.transaction(async ({ em }) => {
      const clock = await em.findOneOrFail(TestClock, { id });
      expect(clock).toMatchObject({ created: NOW, now: NOW, target: null, reason: null });
      clock.name = 'another';
    });
    const [row] = await db.query('select name, created, now, target from test_clock where id = $1', [id]);
    expect(row).toEqual({ name: 'another', created: NOW, now: NOW, target: null });
  });
});
