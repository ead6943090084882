import { listVendors } from '../db/vendor-account/vendors.ts';
import { createVendor } from '../services/vendor-account/create.ts';
import type { Run } from './run.ts';
import { table } from './table.ts';
import { withDatabase } from './with-database.ts';

export const createOne: Run = ({ args: [name = ''], say, answer }) =>
  withDatabase(async (db) => {
    const { vendorId, keyId, apiKey } = await createVendor(db, name);
    say(`vendor   ${vendorId}`);
    say(`key id   ${keyId}`);
    say(`api key  ${apiKey}`);
    say('The key is shown this once; only its hash is kept.');
    answer({ id: vendorId, name, key_id: keyId, key: apiKey });
    return 0;
  });

export const listAll: Run = ({ say, answer }) =>
  withDatabase(async (db) => {
    const vendors = (await listVendors(db)).map(({ created, ...vendor }) => ({ ...vendor, created: new Date(created).toISOString() }));
    for (const line of table(vendors.map(({ id, created, live_keys, name }) => [id, created, `${live_keys} live keys`, name]))) say(line);
    if (vendors.length === 0) say('There is no vendor yet: vendor create makes one.');
    answer({ vendors });
    return 0;
  });
