import { readDevFile } from '../../config/local.ts';
import { connect, type Database } from '../../db/connect.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type Api, api } from '../../test/support/api.ts';
import { ownStack } from '../../test/support/own-stack.ts';

/** A running copy, and the vendor that attacks it. */
export interface Stage {
  readonly base: string;
  readonly db: Database;
  /** A vendor like any other, with a key. */
  readonly attacker: Api;
  /** Lets Postgres stand still; gives what makes it go on. Null where the copy isn't ours to freeze. */
  readonly freezePostgres: (() => Promise<() => void>) | null;
  leave(): Promise<void>;
}

/** A copy of its own, started and stopped by the campaign; or the one that `npm start` runs from a home. */
export async function openStage(home: string | null): Promise<Stage> {
  return home === null ? ownStage() : runningStage(home);
}

async function ownStage(): Promise<Stage> {
  const stack = await ownStack();
  const { baseUrl, databaseUrl } = stack.servers;
  const stage = await stageOf(baseUrl, databaseUrl);
  return {
    ...stage,
    freezePostgres: () => stack.halt('postgres'),
    leave: async () => {
      await stage.leave();
      await stack.stop();
    },
  };
}

async function runningStage(home: string): Promise<Stage> {
  const dev = readDevFile({ PERENNIAL_HOME: home });
  if (dev === null) throw new Error(`no npm start ever ran in ${home}`);
  const { hostname } = new URL(dev.base_url);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) throw new Error('a campaign is for a copy on this machine alone');
  return { ...(await stageOf(dev.base_url, dev.database_url)), freezePostgres: null };
}

async function stageOf(base: string, databaseUrl: string): Promise<Omit<Stage, 'freezePostgres'>> {
  const db = await connect({ databaseUrl, databasePool: 2 });
  const { apiKey } = await createVendor(db, 'Attacker');
  return { base, db, attacker: api(apiKey, base), leave: () => db.close() };
}
