import { HOUR, iso } from '../../billing/calendar/instant.ts';
import { newId } from '../../db/id.ts';
import { type StateResponse, TIMELINE_QUERY, type TimelineEntry } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { stepsOf } from '../workflows/history.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

const HERD = 200;
/** Milliseconds after its instant in which a chain that has left its work to the bill run reads its schedule again. */
const SPREAD = 30_000;

let stack: OwnStack;
let many: Kit;
let few: Kit;
beforeAll(async () => {
  stack = await ownStack();
  [many, few] = await Promise.all([openKit(stack.servers), openKit(stack.servers)]);
});
afterAll(async () => {
  await many?.close();
  await few?.close();
  await stack?.stop();
});

/** Contracts by the hour whose second hour begins at an instant. */
async function sign(kit: Kit, size: number, dueAt: number): Promise<string[]> {
  const plan = await kit.plan('1.00', { cycle: 'hour' });
  const one = async () => kit.sign(await kit.customer(), plan, { activation: dueAt - HOUR });
  const ids: string[] = [];
  while (ids.length < size) ids.push(...(await Promise.all(Array.from({ length: Math.min(4, size - ids.length) }, one))));
  return ids;
}

const statesOf = (kit: Kit, ids: readonly string[]): Promise<StateResponse[]> =>
  Promise.all(ids.map((id) => kit.client.workflow.getHandle(id).query<StateResponse>('state')));

/** The workflow of each chain has been started; it looks when it is due. */
async function allStarted(kit: Kit, ids: readonly string[]): Promise<void> {
  const unsent = () => kit.db.query('select from outbox where workflow_id = any($1::text[]) and sent < wanted', [ids]);
  await eventually(async () => expect(await unsent()).toEqual([]));
}

/**
 * An instant late enough that by then all are signed, every chain waits for it, and two are spoiled. How long that
 * takes here is measured with a few contracts that are due long after.
 */
async function instantFor(size: number): Promise<number> {
  const began = Date.now();
  await allStarted(few, await sign(few, 8, began + HOUR / 2));
  return Date.now() + 20_000 + Math.ceil(1.5 * (size / 8) * (Date.now() - began));
}

/** Terms no rule can read. */
const breakTerms = (id: string) =>
  many.db.query(`update contract set terms = jsonb_set(terms, '{price,amount}', '"no number"') where id = $1`, [id]);

/** The charge that is due exists already: the rules accept the contract, but its rows can't be written. */
const breakWriting = (id: string) =>
  many.db.query(
    `insert into invoice_item select (json_populate_record(l, json_build_object('id', $2::text, 'invoice_id', null, 'voided', true,
       'charge_key', replace(l.charge_key, 'cycle:1:', 'cycle:2:')))).* from invoice_item l where l.contract_id = $1 and l.charge_key like 'cycle:1:%'`,
    [id, newId('Item')],
  );

const invoicedAt = async (kit: Kit, dueAt: number): Promise<string[]> => {
  const rows = await kit.db.query<{ id: string }>('select contract_id as id from invoice where vendor_id = $1 and date = $2', [
    kit.vendorId,
    iso(dueAt),
  ]);
  return rows.map(({ id }) => id).sort();
};

/** What a chain's workflow has learned in any of its looks: the last one may be younger than what it did. */
async function invoicesListed(id: string): Promise<{ object: string; by: string }[]> {
  const timeline = await many.client.workflow.getHandle(id).query<TimelineEntry[]>(TIMELINE_QUERY);
  return timeline.flatMap(({ what }) => {
    const [, object, by] = /invoice\.created of `(\w+(?:-\w+)+)`, by (.+)$/.exec(what) ?? [];
    return object === undefined || by === undefined ? [] : [{ object, by }];
  });
}

const runsOf = async (type: string): Promise<number> => (await many.client.workflow.count(`WorkflowType = "${type}"`)).count;

it(`${HERD} contracts of one vendor and 1 of another due at one instant: a bill run bills each once, 2 that are broken are parked alone`, async () => {
  const dueAt = await instantFor(HERD);
  const ids = await sign(many, HERD, dueAt);
  const [other = ''] = await sign(few, 1, dueAt);
  // not the first ones: the chain with the smallest id wakes at the instant and leaves its work to the bill run
  const well = ids.slice(0, -2);
  const [unreadable = '', unwritable = ''] = ids.slice(-2);
  await breakTerms(unreadable);
  await breakWriting(unwritable);
  await allStarted(many, ids);
  expect(Date.now()).toBeLessThan(dueAt);

  await eventually(async () => expect(await invoicedAt(many, dueAt)).toEqual([...well].sort()), {
    timeout: dueAt - Date.now() + 180_000,
    every: 250,
  });
  await eventually(async () => expect(await invoicedAt(few, dueAt)).toEqual([other]));
  for (const id of [unreadable, unwritable]) await eventually(async () => expect((await many.state(id)).parked).not.toBeNull());
  const parked = await many.db.query<{ id: string }>('select id from contract where parked_reason is not null order by id');
  expect(parked.map(({ id }) => id)).toEqual([unreadable, unwritable].sort());

  const series = await many.db.query<{ last: string; count: string }>(
    'select max(number)::text as last, count(distinct number)::text as count from invoice where vendor_id = $1',
    [many.vendorId],
  );
  // the first hour of each, the second of those that are well
  expect(series).toEqual([{ last: String(HERD + well.length), count: String(HERD + well.length) }]);
  const periods = await many.db.query('select contract_id from usage_period where contract_id = any($1::text[])', [well]);
  expect(periods).toHaveLength(2 * well.length);

  const chains = await eventually(
    async () => {
      const states = await statesOf(many, well);
      expect(states.filter(({ contracts }) => contracts[0]?.periodIdx !== 2)).toEqual([]);
      return states;
    },
    { timeout: SPREAD + 180_000, every: 500 },
  );
  const invoices = await many.db.query<{ id: string }>('select id from invoice where vendor_id = $1 and date = $2', [
    many.vendorId,
    iso(dueAt),
  ]);
  const listed = (await Promise.all(well.map(invoicesListed))).flat();
  expect(listed.map(({ object }) => object).sort()).toEqual(invoices.map(({ id }) => id).sort());
  // chains bill what is less than a herd, and what the bill run has not come to in time
  expect(listed.filter(({ by }) => by === 'bill run').length).toBeGreaterThan(0);
  expect(listed.filter(({ by }) => by !== 'bill run' && by !== 'timer')).toEqual([]);
  expect(await runsOf('billRun')).toBeGreaterThanOrEqual(1);

  const stepsOfChain = async (id: string) => stepsOf(await many.history(id)).map(({ activity }) => activity);
  const all = await Promise.all(chains.map(async ({ chainId }) => (await stepsOfChain(chainId)).join(' ')));
  const billed = all.filter((_, i) => listed[i]?.by === 'bill run');
  // a chain that woke after the bill run found the work done at its first read; one that was started before there was a
  // herd looked at the instant, and again later; one that left its work to the bill run read once more, and may have
  // had to bill it then
  expect(all.filter((steps) => !/^readSchedule( rollOverCycle)?( readSchedule( rollOverCycle)?)?$/.test(steps))).toEqual([]);
  expect(billed.filter((steps) => steps === 'readSchedule').length).toBeGreaterThan(0);
  expect(all.filter((steps) => steps.includes('rollOverCycle readSchedule')).length).toBeGreaterThan(0);
}, 600_000);
