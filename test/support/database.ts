import { connect, type Database } from '../../db/connect.ts';
import { type Servers, servers } from './servers.ts';

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
