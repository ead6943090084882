import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../../db/connect.ts';
import { createVendor, type NewVendor } from '../../services/vendor-account/create.ts';
import { type Api, api } from './api.ts';
import { withTestDatabase } from './database.ts';
import { type Servers, servers } from './servers.ts';
import { settledLog } from './settled-log.ts';

export type TestVendor = NewVendor & { api: Api };

/** A vendor of the test's own: files run in parallel against the same servers without seeing each other. */
export async function newVendor(name = 'Test vendor', at?: Servers): Promise<TestVendor> {
  const { baseUrl } = at ?? (await servers());
  const vendor = await withTestDatabase((db) => createVendor(db, name), at);
  const own = api(vendor.apiKey, baseUrl);
  return { ...vendor, api: at === undefined ? afterSettling(own) : own };
}

/** Reads the logs only when they are settled: the transactions of other tests on the same database hold them up. */
function afterSettling(api: Api): Api {
  const settled = async <T>(path: string, read: () => Promise<T>): Promise<T> => {
    if (/^\/v1\/c\/(event|audit)\b/.test(path)) await settledLog();
    return read();
  };
  return {
    ...api,
    get: (path, headers) => settled(path, () => api.get(path, headers)),
    read: (path) => settled(path, () => api.read(path)),
  };
}

/** The server's own administrator, who makes databases and changes settings: the service's role can't. */
export async function asAdministrator(sql: string, at?: Servers): Promise<void> {
  const { home, databaseUrl } = at ?? (await servers());
  const url = new URL(databaseUrl);
  url.username = 'postgres';
  url.password = (await readFile(join(home, 'postgres.admin.password'), 'utf8')).trim();
  url.pathname = 'postgres';
  const db = await connect({ databaseUrl: url.href, databasePool: 2 });
  try {
    await db.query(sql);
  } finally {
    await db.close();
  }
}
