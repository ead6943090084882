import { howMany } from '../billing/how-many.ts';
import { listVendors } from '../db/vendor-account/vendors.ts';
import { createVendor } from '../services/vendor-account/create.ts';
import type { RunCommand } from './run.ts';
import { tableLines } from './table.ts';
import { withConfiguredDatabase } from './with-database.ts';

export const runVendorCreate: RunCommand = ({ args: [name = ''], say, printResult }) =>
  withConfiguredDatabase(async (db) => {
    const { vendorId, keyId, apiKey } = await createVendor(db, name);
    say(`vendor   ${vendorId}`);
    say(`key id   ${keyId}`);
    say(`api key  ${apiKey}`);
    say('The key is shown this once; only its hash is kept.');
    printResult({ id: vendorId, name, key_id: keyId, key: apiKey });
    return 0;
  });

export const runVendorList: RunCommand = ({ say, printResult }) =>
  withConfiguredDatabase(async (db) => {
    const vendors = (await listVendors(db.em())).map(({ created, ...vendor }) => ({ ...vendor, created: new Date(created).toISOString() }));
    for (const line of tableLines(vendors.map(({ id, created, live_keys, name }) => [id, created, howMany(live_keys, 'live key'), name])))
      say(line);
    if (vendors.length === 0) say('There is no vendor yet: vendor create makes one.');
    printResult({ vendors });
    return 0;
  });
