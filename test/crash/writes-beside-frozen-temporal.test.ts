import type { Client } from '@temporalio/client';
import { HOUR } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { chainsThatNeedAWorkflow } from '../../db/health/contracts.ts';
import { notRunning } from '../../temporal/running.ts';
import { signedContract } from '../api/support.ts';
import type { AnyJson, TestResponse } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { byFairClock } from '../support/fair-clock.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { rounds } from '../support/runs.ts';
import { standstillsIn } from '../support/standstills.ts';
import { plan as planOf, planToSave } from '../support/story-catalogue.ts';
import { temporalAt } from '../support/temporal.ts';
import type { TestVendor } from '../support/vendor.ts';

const SECONDS = rounds(5, 60);
const A_SECOND = 50;
const WRITES = SECONDS * A_SECOND;
/** using, signing, upgrading, canceling, freezing */
const KINDS = 5;
/** of each kind; the last one is sent by itself */
const EACH = WRITES / KINDS + 1;
const MOST_TRIES = 10;
/** Contracts whose hour ends while nothing but the API and Postgres runs: fewer than a bill run takes. */
const DUE = 10;
/** Milliseconds to sign these and to stop the processes before the hours end. */
const AHEAD = 15_000;
/** Milliseconds before the end of an hour within which its timer might have begun. */
const MARGIN = 1_000;

interface Written {
  status: number;
  body: unknown;
  /** of all its tries */
  ms: number;
}

interface Subject {
  customer: string;
  /** the contract that is written about; the one that an upgrade has made, once it is made */
  contract: string;
  /** the first contract of its chain, which names the workflow */
  chain: string;
}

let stack: OwnStack;
let vendor: TestVendor;
let plan: string;
let hourly: string;
/** Customers who will sign, and contracts to be changed, canceled and frozen: made beforehand for each write. */
let ready: { sign: Subject[]; change: Subject[]; cancel: Subject[]; freeze: Subject[] };
beforeAll(async () => {
  stack = await ownStack();
  await withTestDatabase(noteFailedTries, stack.servers);
  vendor = await stack.newVendor();
  plan = (await signedContract(vendor)).planId;
  hourly = await vendor.api.made('/v1/c/plan', planToSave(planOf('hourly', '10', { cycle: 'hour' })));
  ready = {
    sign: await inTurn(EACH, async () => ({ customer: await newCustomer(), contract: '', chain: '' })),
    change: await inTurn(EACH, signsAnother),
    cancel: await inTurn(EACH, signsAnother),
    freeze: await inTurn(EACH, signsAnother),
  };
});
afterAll(() => stack?.stop());

const newCustomer = (): Promise<string> => vendor.api.made('/v1/c/customer', { name: 'Ada' });
const terms = (customer: string) => ({ customer, plan, currency: 'usd', cycle: 'month' });

const signsAnother = async (): Promise<Subject> => signed(terms(await newCustomer()));

async function signed(given: { customer: string; [term: string]: string }): Promise<Subject> {
  const contract = await vendor.api.made('/v1/c/contract', given);
  return { customer: given.customer, contract, chain: contract };
}

/** Makes a number of them, a few at a time. */
async function inTurn<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(...(await Promise.all(Array.from({ length: Math.min(5, count - made.length) }, make))));
  return made;
}

const SEATS = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '6' } };

/** What callers write, one after the other. */
const WRITE: ((n: number) => Promise<TestResponse>)[] = [
  (n) => vendor.api.post('/v1/c/usage', { customer_id: of(ready.change, n).customer, feature_slug: 'calls', units: '1' }),
  async (n) => {
    const one = of(ready.sign, n);
    const answer = await vendor.api.post('/v1/c/contract', terms(one.customer));
    one.contract = answer.body;
    one.chain = answer.body;
    return answer;
  },
  async (n) => {
    const one = of(ready.change, n);
    const answer = await vendor.api.post(`/v1/c/contract/${one.contract}/upgrade`, { upgrade_configuration: SEATS });
    if (answer.status === 200) one.contract = answer.body;
    return answer;
  },
  (n) => vendor.api.post(`/v1/c/contract/${of(ready.cancel, n).contract}/cancel`, { when: { type: 'now' } }),
  (n) => vendor.api.post(`/v1/c/customer/${of(ready.freeze, n).customer}/inactivate`, {}),
];

const of = (subjects: readonly Subject[], n: number): Subject => subjects[n % subjects.length] ?? missing();
const missing = (): never => {
  throw new Error('there is none');
};

/** A machine too slow for so many writes puts some of them off; they are tried again, still without Temporal. */
async function written(write: () => Promise<TestResponse>, now: () => number = Date.now): Promise<Written> {
  const at = now();
  for (let tries = 1; ; tries += 1) {
    const { status, body } = await write();
    if (status !== 503 || body.code !== 'unavailable' || tries === MOST_TRIES) return { status, body, ms: now() - at };
  }
}

/** Sends a number of writes a second, whether or not earlier ones have been answered. */
async function writes(): Promise<Written[]> {
  const began = Date.now();
  const under: Promise<Written>[] = [];
  for (let n = 0; n < WRITES; n += 1) {
    await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(began + (n * 1_000) / A_SECOND), { every: 5 });
    const write = WRITE[n % KINDS] ?? missing();
    under.push(written(() => write(Math.floor(n / KINDS))));
  }
  return Promise.all(under);
}

/** Sends one of each kind when the one before it is answered. */
function inTurnAlone(): Promise<Written[]> {
  const alive = () => fetch(`${stack.servers.baseUrl}/healthz`);
  return byFairClock(alive, async (now) => {
    const answered: Written[] = [];
    for (const write of WRITE) answered.push(await written(() => write(EACH - 1), now));
    return answered;
  });
}

/** Contracts whose hour ends at one instant, some way into the writes. */
async function signDue(ahead: number): Promise<{ due: Subject[]; endsAt: number }> {
  const endsAt = Date.now() + ahead + SECONDS * 500;
  const activation = new Date(endsAt - HOUR).toISOString();
  const due = await inTurn(DUE, async () => signed({ ...terms(await newCustomer()), plan: hourly, cycle: 'hour', activation }));
  return { due, endsAt };
}

const inEach = async <T>(subjects: readonly Subject[], read: (one: Subject) => Promise<T>): Promise<T[]> => {
  let at = 0;
  return inTurn(subjects.length, () => read(of(subjects, at++)));
};

/** What has been invoiced of a customer, the oldest first. */
async function billed({ customer }: Subject): Promise<{ date: number; total: string }[]> {
  const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${customer}`);
  const invoices = hits.map(({ invoice: { date, total } }: AnyJson) => ({ date: Date.parse(date), total }));
  return invoices.toSorted((a: { date: number }, b: { date: number }) => a.date - b.date);
}

/** What a caller reads of a customer and the contract that was written about. */
async function asRead(one: Subject): Promise<{ contract: string; customer: string; totals: string[] }> {
  const { contract_summary } = await vendor.api.read(`/v1/c/contract/${one.contract}`);
  const { status } = await vendor.api.read(`/v1/c/customer/${one.customer}`);
  return { contract: contract_summary.status, customer: status, totals: (await billed(one)).map(({ total }) => total) };
}

const always = <T>(one: T, count: number): T[] => Array.from({ length: count }, () => one);

async function expectWritten(): Promise<void> {
  const expected = {
    sign: { contract: 'active', customer: 'temporary', totals: ['79.00'] },
    change: { contract: 'active', customer: 'temporary', totals: ['79.00', '10.00'] },
    cancel: { contract: 'canceled', customer: 'temporary', totals: ['79.00'] },
    freeze: { contract: 'active', customer: 'inactive', totals: ['79.00'] },
  };
  for (const kind of ['sign', 'change', 'cancel', 'freeze'] as const)
    expect(await inEach(ready[kind], asRead)).toEqual(always(expected[kind], EACH));
}

/** Has the database note each time that a message was sent in vain. */
const noteFailedTries = (db: Database): Promise<unknown> =>
  db.query(`
    create table failed_try (workflow_id text);
    create function note_failed_try() returns trigger language plpgsql as
      'begin insert into failed_try values (new.workflow_id); return null; end';
    create trigger note_failed_try after update of tries on outbox
      for each row when (new.tries > old.tries) execute function note_failed_try()`);

/** How often each workflow's message was sent in vain: a server may have taken a signal that it didn't confirm. */
async function failedTries(db: Database): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; count: number }>(
    'select workflow_id as id, count(*)::int as count from failed_try group by workflow_id',
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const whenAllSent = (db: Database): Promise<void> =>
  eventually(async () => expect(await db.query('select workflow_id from outbox where sent < wanted')).toEqual([]), { every: 250 });

/** Waits until nothing is being sent. The messages that are open then stay so. */
const whenNoneIsSent = (db: Database): Promise<void> =>
  eventually(async () =>
    expect(await db.query('select workflow_id from outbox where sent < wanted and leased_until > clock_timestamp()')).toEqual([]),
  );

/** How many signals the chains' workflows have received, in all their runs. */
async function signalsOf({ workflow }: Client, chains: readonly string[]): Promise<Map<string, number>> {
  const signals = new Map(chains.map((id) => [id, 0]));
  for await (const { workflowId, runId } of workflow.list({ query: `WorkflowType = 'contractLifecycle'` })) {
    const before = signals.get(workflowId);
    if (before === undefined) continue;
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    const received = (events ?? []).filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal != null);
    signals.set(workflowId, before + received.length);
  }
  return signals;
}

/** Signing and each write about a contract signal its chain once; what a server took unconfirmed comes again. */
async function expectSignals(client: Client, db: Database): Promise<void> {
  const chains = (subjects: readonly Subject[], signals: number) => subjects.map(({ chain }) => ({ chain, signals }));
  const expected = [...chains(ready.sign, 1), ...chains([...ready.change, ...ready.cancel, ...ready.freeze], 2)];
  const received = await signalsOf(
    client,
    expected.map(({ chain }) => chain),
  );
  const failed = await failedTries(db);
  const compared = expected.map((one) => ({ ...one, received: received.get(one.chain) ?? 0, failed: failed.get(one.chain) ?? 0 }));
  expect(compared.filter((one) => one.received < one.signals || one.received > one.signals + one.failed)).toEqual([]);
}

interface Halted {
  due: readonly Subject[];
  endsAt: number;
  proceed(): void;
}

/** Stops the worker and Temporal while the hours of some contracts still run, which were signed right before. */
async function haltBeforeAnHourEnds(db: Database, ahead = AHEAD): Promise<Halted> {
  await whenAllSent(db);
  const { due, endsAt } = await signDue(ahead);
  await whenAllSent(db);
  const halted = [await stack.halt('worker'), await stack.halt('temporal')];
  const proceed = () => {
    for (const one of halted) one();
  };
  if (Date.now() < endsAt - MARGIN) return { due, endsAt, proceed };
  proceed();
  return haltBeforeAnHourEnds(db, 2 * ahead);
}

async function play(db: Database, client: Client): Promise<void> {
  const { due, endsAt, proceed } = await haltBeforeAnHourEnds(db);
  const sendAll = async () => {
    const [answered, alone] = [await writes(), await inTurnAlone()];
    await eventually(() => expect(Date.now()).toBeGreaterThan(endsAt), { every: 200 });
    expect(await inEach(due, billed)).toEqual(always([{ date: endsAt - HOUR, total: '10.00' }], DUE));
    await whenNoneIsSent(db);
    return { answered, alone };
  };
  const { answered, alone } = await sendAll().finally(proceed);
  expect([...answered, ...alone].filter(({ status }) => status >= 300)).toEqual([]);
  // those before it may wait for one another on a slow machine; one by itself waits for nobody, and not for Temporal
  expect(alone.filter(({ ms }) => !(ms < 5_000))).toEqual([]);
  await eventually(async () =>
    expect(await standstillsIn(stack.servers.home)).toContainEqual(expect.stringMatching(/the worker had stood still for \d{4,} ms/)),
  );
  await whenAllSent(db);
  const bothHours = [endsAt - HOUR, endsAt].map((date) => ({ date, total: '10.00' }));
  await eventually(async () => expect(await inEach(due, billed)).toEqual(always(bothHours, DUE)));
  await expectWritten();
  const none = async () => expect(await notRunning(client, await chainsThatNeedAWorkflow(db))).toEqual([]);
  await eventually(none, { every: 1_000 });
  await eventually(() => expectSignals(client, db), { every: 1_000 });
}

it(
  `with Temporal and every worker standing still, ${A_SECOND} writes a second for ${SECONDS} s are all answered; afterwards each chain is signalled once and what fell due is billed once, at its instant`,
  () =>
    withTestDatabase((db) => {
      const { client, close } = temporalAt(stack.servers.temporalAddress);
      return play(db, client).finally(close);
    }, stack.servers),
  300_000 + SECONDS * 3_000,
);
