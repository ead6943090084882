import pino from 'pino';
import { Carrier } from '../../activities/contract/carrier.ts';
import { connect, type Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

const HOUR = 3_600_000;
const HERD = 100;
const CARRIERS = 6;

let kit: Kit;
const databases: Database[] = [];
let carriers: Carrier[];
beforeAll(async () => {
  kit = await openKit(await servers());
  const { databaseUrl } = await servers();
  for (let i = 0; i < CARRIERS; i += 1) databases.push(await connect({ databaseUrl, databasePool: 3 }));
  carriers = databases.map((db) => new Carrier({ db, log: pino({ level: 'silent' }), deliver: async () => {} }));
});
afterAll(async () => {
  await Promise.all(carriers.map((carrier) => carrier.rest()));
  await Promise.all(databases.map((db) => db.close()));
  await kit.close();
});

/** Left of the time once all are signed, for what is done to them before they are due. */
const MARGIN = 5_000;

/** Contracts by the hour whose second period begins at one instant, so many milliseconds from now; later where signing them took too long for that. */
async function herdDueIn(ms: number, size: number): Promise<{ ids: string[]; dueAt: number }> {
  const plan = await kit.plan('1.00', { cycle: 'hour' });
  const dueAt = Date.now() + ms;
  const sign = async () => kit.sign(await kit.customer(), plan, { activation: dueAt - HOUR });
  const ids: string[] = [];
  while (ids.length < size) ids.push(...(await Promise.all(Array.from({ length: 4 }, sign))));
  await eventually(
    async () => {
      const rows = await kit.db.query(`select id from contract where id = any($1::text[]) and status = 'active'`, [ids]);
      expect(rows).toHaveLength(ids.length);
    },
    { timeout: 40_000 },
  );
  return Date.now() < dueAt - MARGIN ? { ids, dueAt } : herdDueIn(2 * ms, size);
}

/** Terms no rule can read. */
const breakTerms = (id: string) =>
  kit.db.query(`update contract set terms = jsonb_set(terms, '{price,amount}', '"no number"') where id = $1`, [id]);

/** The charge that is due stands there already: the rules have nothing against the contract, its rows can't be written. */
async function breakWriting(id: string): Promise<void> {
  await kit.db.query(
    `insert into invoice_item select (json_populate_record(l, json_build_object('id', $2::text, 'invoice_id', null, 'dead', true,
       'charge_key', replace(l.charge_key, 'cycle:1:', 'cycle:2:')))).* from invoice_item l where l.contract_id = $1 and l.charge_key like 'cycle:1:%'`,
    [id, newId('Item')],
  );
}

const invoicedAt = async (ids: readonly string[], dueAt: number): Promise<string[]> => {
  const date = new Date(dueAt).toISOString();
  const rows = await kit.db.query<{ id: string }>(
    'select contract_id as id from invoice where contract_id = any($1::text[]) and date = $2 order by 1',
    [ids, date],
  );
  return rows.map(({ id }) => id);
};

const wakeAt = async (id: string): Promise<number> => {
  const state = await kit.client.workflow.getHandle(id).query<{ wakeAt: number; due: { at: number }[] }>('state');
  expect(state.due[0]?.at).toBeGreaterThan(Date.now());
  return state.wakeAt - (state.due[0]?.at ?? 0);
};

describe('100 contracts due at one instant', () => {
  it('6 carriers and the worker at once make one invoice each for 98; the 2 that cannot be reckoned or written are parked by their own workflows', async () => {
    const { ids, dueAt } = await herdDueIn(35_000, HERD);
    const [unreadable = '', unwritable = '', ...well] = ids;
    await breakTerms(unreadable);
    await breakWriting(unwritable);
    await eventually(
      async () => {
        await Promise.all(carriers.map((carrier) => carrier.carry()));
        expect(await invoicedAt(well, dueAt)).toEqual([...well].sort());
      },
      { timeout: 60_000 },
    );
    await eventually(async () => {
      for (const id of [unreadable, unwritable]) expect((await kit.state(id)).parked).not.toBeNull();
    });
    expect(await invoicedAt([unreadable, unwritable], dueAt)).toEqual([]);
    const late = await eventually(async () => Promise.all(well.map(wakeAt)));
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThan(2_000);
    // those that look while fewer than a herd have been carried wake at the instant
    expect(new Set(late).size).toBeGreaterThan(HERD / 4);
  }, 300_000);
});

it('a lone contract wakes at the very instant it is due, and is told so', async () => {
  const { ids } = await herdDueIn(HOUR / 2, 4);
  expect(await eventually(() => Promise.all(ids.map(wakeAt)))).toEqual([0, 0, 0, 0]);
});
