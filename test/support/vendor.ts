import { connect, type Database } from '../../db/connect.ts';
import { createVendor, type NewVendor } from '../../db/vendor/create-vendor.ts';
import { type Api, api } from './api.ts';
import { type Servers, servers } from './servers.ts';

export type TestVendor = NewVendor & { api: Api };

/** A vendor of the test's own: files run in parallel against the same servers without seeing each other. */
export async function newVendor(name = 'Test vendor', at?: Servers): Promise<TestVendor> {
  const { baseUrl } = at ?? (await servers());
  const vendor = await withDatabase((db) => createVendor(db, name), at);
  return { ...vendor, api: api(vendor.apiKey, baseUrl) };
}

/** The database itself, for facts that no endpoint shows. */
export async function withDatabase<T>(work: (db: Database) => Promise<T>, at?: Servers): Promise<T> {
  const { databaseUrl } = at ?? (await servers());
  const db = await connect({ databaseUrl, databasePool: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
