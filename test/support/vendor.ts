import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Database } from '../../db/connect.ts';
import { createVendor, type NewVendor } from '../../services/vendor-account/create.ts';
import { type Api, api } from './api.ts';
import { type Servers, servers } from './servers.ts';

export type TestVendor = NewVendor & { api: Api };

/** A vendor of the test's own: files run in parallel against the same servers without seeing each other. */
export async function newVendor(name = 'Test vendor', at?: Servers): Promise<TestVendor> {
  const { baseUrl } = at ?? (await servers());
  const vendor = await withTestDatabase((db) => createVendor(db, name), at);
  return { ...vendor, api: api(vendor.apiKey, baseUrl) };
}

/**
 * The database itself, for facts that no endpoint shows. Work within work gets a database of its own, as another
 * process would.
 */
export async function withTestDatabase<T>(work: (db: Database) => Promise<T>, at?: Servers): Promise<T> {
  const { databaseUrl } = at ?? (await servers());
  const isShared = at === undefined && !hasEnded;
  const db = (isShared && kept.pop()) || (await connect({ databaseUrl, databasePool: 2 }));
  try {
    return await work(db);
  } finally {
    if (isShared && !hasEnded) kept.push(db);
    else await db.close();
  }
}

/** Open databases of this run's servers that no test uses now: opening one takes longer than most statements. */
const kept: Database[] = [];
/** Benches use this file without Jest: nothing would close what is kept. */
let hasEnded = typeof afterAll === 'undefined';

if (!hasEnded)
  afterAll(async () => {
    hasEnded = true;
    await Promise.all(kept.splice(0).map((db) => db.close()));
  });

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
