import type { Client } from '@temporalio/client';
import pino from 'pino';
import type { Database } from '../../db/connect.ts';
import { OutboxDispatcher } from '../../temporal/dispatcher.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { ownDatabase } from '../support/own-database.ts';
import { ScriptedTemporal } from './scripted-temporal.ts';

interface OutboxRow {
  id: string;
  wanted: string;
  sent: string;
  tries: number;
  failure: string | null;
}

/** An outbox that no other process sends from, and a Temporal that answers as the test says. */
export interface OutboxKit {
  readonly db: Database;
  readonly temporal: ScriptedTemporal;
  /** A process that sends; only by its relay until it is the database's dispatcher. */
  dispatcher(parts?: { from?: Database; client?: Client; isCrowded?: () => boolean }): OutboxDispatcher;
  /** A process that sends what it commits. */
  sending(client?: Client): OutboxDispatcher;
  /** Enqueues a message to the workflow of each of these chains, in one transaction. */
  wants(...chainIds: string[]): Promise<void>;
  rows(): Promise<OutboxRow[]>;
  /** What the clock of Postgres says. */
  time(): Promise<number>;
  /** "1 of 2": sent of wanted, by workflow. */
  counts(): Promise<Record<string, string>>;
  /** Begins again with an empty outbox. */
  clear(): Promise<void>;
  drop(): Promise<void>;
}

export async function outboxKit(): Promise<OutboxKit> {
  const { db, drop } = await ownDatabase();
  let temporal = new ScriptedTemporal();
  const dispatcher: OutboxKit['dispatcher'] = ({ from = db, client = temporal.client, isCrowded = () => false } = {}) =>
    new OutboxDispatcher({ db: from, client, isCrowded, taskQueue: 'none', log: pino({ level: 'silent' }) });
  const rows = () => db.query<OutboxRow>('select workflow_id as id, wanted, sent, tries, failure from outbox order by workflow_id');
  return {
    db,
    get temporal() {
      return temporal;
    },
    dispatcher,
    sending: (client) => {
      const made = dispatcher(client === undefined ? {} : { client });
      db.dispatcher = made;
      return made;
    },
    wants: (...chainIds) =>
      db.transaction(async (tx) => {
        for (const id of chainIds) enqueue(tx, 'contract', id);
      }),
    rows,
    time: async () => (await db.query<{ now: number }>('select clock_timestamp() as now'))[0]?.now ?? Number.NaN,
    counts: async () => Object.fromEntries((await rows()).map(({ id, wanted, sent }) => [id, `${sent} of ${wanted}`])),
    clear: async () => {
      await db.query('truncate table outbox');
      temporal = new ScriptedTemporal();
      db.dispatcher = null;
    },
    drop,
  };
}
