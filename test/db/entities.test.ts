import { readCustomer } from '../../db/customer/read.ts';
import { TestClock } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';
import { blankCustomer, insertCustomer, updateCustomer } from '../../services/customer/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { withTestDatabase } from '../support/database.ts';

const NOW = Date.parse('2025-01-31T10:20:30.456Z');

it('an instant of an entity keeps its milliseconds, and one that is not there stays so when another field changes', async () => {
  await withTestDatabase(async (db) => {
    const { vendorId } = await createVendor(db, 'instants');
    const id = newId('Clock');
    await db.transaction(async ({ em }) => {
      em.create(TestClock, { id, vendorId, created: NOW, now: NOW, name: 'one' });
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

it('an order of addresses that alone is changed is written: without `main` the first one counts', async () => {
  await withTestDatabase(async (db) => {
    const { vendorId } = await createVendor(db, 'addresses');
    const [home, work] = ['Berlin', 'Paris'].map((city) => ({ line_1: '1', line_2: null, city, state: null, zip: '1', country: 'DE' }));
    if (home === undefined || work === undefined) throw new Error('two addresses were made');
    const customer = { ...blankCustomer(vendorId, null, NOW), addresses: { home, work } };
    await db.transaction((tx) => insertCustomer(tx, customer, NOW));
    await db.transaction((tx) => updateCustomer(tx, { ...customer, addresses: { work, home } }, NOW));
    expect(Object.keys((await readCustomer(db.em(), vendorId, customer.id))?.addresses ?? {})).toEqual(['work', 'home']);
  });
});

it('a customer is found by what it is called now, and not by what it was called before', async () => {
  await withTestDatabase(async (db) => {
    const { vendorId } = await createVendor(db, 'search');
    const customer = { ...blankCustomer(vendorId, null, NOW), name: 'Acme', emails: { main: 'Old@acme.test' } };
    await db.transaction((tx) => insertCustomer(tx, customer, NOW));
    await db.transaction((tx) => updateCustomer(tx, { ...customer, name: 'Umbra', emails: { main: 'New@umbra.test' } }, NOW));
    const rows = await db.query('select search, email_keys from customer where id = $1', [customer.id]);
    expect(rows).toEqual([{ search: 'umbra\nnew@umbra.test\n', email_keys: ['new@umbra.test'] }]);
  });
});
