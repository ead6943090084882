import { doctorChecks } from '../../cli/doctor-checks.ts';
import type { Database, Tx } from '../../db/connect.ts';
import type { WebhookEndpointRecord } from '../../db/entities/webhook.ts';
import { newId } from '../../db/id.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { settleLog } from '../../db/sql/event/settle.ts';
import { endpointStanding } from '../../db/sql/webhook/standing.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { deliverEvents } from '../../services/webhook/deliver.ts';
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  lockEndpoint,
  openEndpoint,
  pauseOnRequest,
  rotateSecret,
} from '../../services/webhook/endpoint.ts';
import type { BodyMaker } from '../../services/webhook/port.ts';
import { resendEvent, skipEvent } from '../../services/webhook/steer.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { delivered } from './receiver.ts';

const SECRET = 'the-secret-of-these-deliveries-alone';
const HOUR = 3_600_000;
const BY = { by: 'caller', caller: { type: 'system', id: null } } as const;

let own: OwnDatabase;
let db: Database;
let vendorId: string;
beforeAll(async () => {
  own = await ownDatabase();
  db = own.db;
});
afterAll(() => own.drop());

type Answer = { statusCode: number | null; error: string | null; answer: string };
const answer = (statusCode: number): Answer => ({ statusCode, error: null, answer: '' });

/** What was sent, in order; each is answered when a test says so, or at once by `behave`. */
let sent: { id: string; answer: (statusCode: number) => void; given: Promise<Answer> }[];
let behave: (id: string) => number | null;
let makeBodies: BodyMaker;
let stopped: AbortController;
let running: Promise<unknown>[];
let endpoint: string;

const write = <R>(work: (tx: Tx) => Promise<R>): Promise<R> => db.transaction(work, { prepare: true, ...BY });
const steer = <R>(work: (tx: Tx, locked: WebhookEndpointRecord) => Promise<R>): Promise<R> =>
  write(async (tx) => work(tx, await lockEndpoint(tx, vendorId, endpoint)));

/** Publishes events of objects, one each; gives their ids. */
const happen = (
  objects: readonly string[],
  type: 'v1.customer.updated' | 'v1.customer.created' = 'v1.customer.updated',
): Promise<string[]> =>
  write(async (tx) => {
    await publish(
      tx,
      objects.map((objectId) => ({ vendorId, type, objectId, at: Date.now(), data: {} })),
    );
    const rows = await tx.query<{ id: string }>('select id from event where vendor_id = $1 order by seq desc limit $2', [
      vendorId,
      objects.length,
    ]);
    return rows.map(({ id }) => id).reverse();
  });

/** Settles the whole log: transactions of other databases hold it up too. */
const settled = () =>
  delivered(async () => {
    const { settled: up, last } = await settleLog(db);
    expect(up).toBe(last);
  });

/** One run of the endpoint's activity, with a schedule whose second try is far away. */
async function run({ secret = SECRET, ...limits }: { budgetMs?: number; longestMs?: number; secret?: string } = {}) {
  await settled();
  const transport = {
    post: (_url: string, headers: Record<string, string>, _body: string, signal: AbortSignal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      signal.addEventListener('abort', () => reject(signal.reason));
      const id = headers['webhook-id'] as string;
      sent.push({ id, answer: (statusCode) => resolve(answer(statusCode)), given: promise });
      const status = behave(id);
      if (status !== null) resolve(answer(status));
      return promise;
    },
    close: () => undefined,
  };
  const schedule = { pauses: [HOUR], giveUpAfter: 10 * HOUR };
  return deliverEvents(
    db,
    { transport, makeBodies: (...given) => makeBodies(...given), schedule, secret, inUse: () => undefined },
    endpoint,
    {
      budgetMs: 1_000,
      longestMs: 2_000,
      ...limits,
      stopped: stopped.signal,
    },
  );
}

function start(limits?: Parameters<typeof run>[0]) {
  const ended = run(limits);
  running.push(ended.catch(() => undefined));
  return ended;
}

const idsSent = () => sent.map(({ id }) => id);
const isSent = (...ids: string[]) => delivered(() => expect(idsSent()).toEqual(ids));

const newObject = () => newId('Cust');

beforeEach(async () => {
  ({ vendorId } = await createVendor(db, 'deliveries'));
  [sent, behave, running, stopped] = [[], () => 200, [], new AbortController()];
  makeBodies = async (_db, events) =>
    events.map(({ seq, id, objectId }) => ({ seq, vendorId, customerId: null, objectId, body: JSON.stringify({ id }) }));
  const settings = { url: 'http://127.0.0.1:9/', types: [], description: null };
  endpoint = (await write((tx) => createEndpoint(tx, vendorId, settings, { own: SECRET, now: Date.now() }))).id;
});
afterEach(async () => {
  stopped.abort();
  await Promise.all(running);
});

describe('an endpoint that is steered while a delivery is under way', () => {
  it('gets the next event at once when the one under way is skipped and then refused', async () => {
    behave = () => null;
    const ada = newObject();
    const [one = '', two = ''] = [...(await happen([ada])), ...(await happen([ada]))];
    const ended = start({ budgetMs: 20_000, longestMs: 20_000 });
    await isSent(one);
    await steer((tx, locked) => skipEvent(tx, locked, one, Date.now()));
    behave = () => 200;
    sent[0]?.answer(500);
    expect(await ended).toMatchObject({ failing: 0 });
    // where the answer came late, the run has ended with it
    expect(await start()).toMatchObject({ failing: 0, nextTry: null });
    expect(idsSent()).toEqual([one, two]);
  });

  it('goes on in the same run when it is paused and opened again', async () => {
    behave = () => null;
    const [one = '', two = '', three = ''] = await happen([newObject(), newObject(), newObject()]);
    const ended = start({ budgetMs: 20_000, longestMs: 20_000 });
    await delivered(() => expect(sent).toHaveLength(3));
    await steer((tx, locked) => pauseOnRequest(tx, locked));
    const before = await happen([newObject()]);
    await settled();
    // it has read the log, so that it knows of the pause
    await delivered(async () => expect(await endpointStanding(db, endpoint)).toMatchObject({ status: 'paused', hasNews: false }));
    behave = () => 200;
    for (const { answer: give } of sent.slice(1)) give(200);
    await steer((tx, locked) => openEndpoint(tx, locked));
    await delivered(() => expect(idsSent()).toEqual(expect.arrayContaining([one, two, three, ...before])));
    sent[0]?.answer(200);
    await ended;
  });

  it('has the whole schedule before it when it was opened while the last try was under way', async () => {
    const [one = ''] = await happen([newObject()]);
    behave = () => 500;
    await start();
    const long = new Date(Date.now() - 9.5 * HOUR).toISOString();
    await db.query('update webhook_backlog set failures = 12, failing_since = $2, next_try = now() where endpoint_id = $1', [
      endpoint,
      long,
    ]);
    behave = () => null;
    const ended = start();
    await isSent(one, one);
    await steer((tx, locked) => openEndpoint(tx, locked));
    sent[1]?.answer(500);
    expect(await ended).toMatchObject({ status: 'active', failing: 1 });
    const [lane] = await db.query<{ failures: number }>('select failures from webhook_backlog where endpoint_id = $1', [endpoint]);
    expect(lane).toMatchObject({ failures: 1 });
  });

  it('gets an event of a type that it asks for while the log is read', async () => {
    await steer((tx, locked) => changeEndpoint(tx, locked, { types: ['v1.customer.created'] }));
    const make = makeBodies;
    let isWidened = false;
    const ada = newObject();
    const [created = ''] = await happen([ada], 'v1.customer.created');
    let updated = '';
    makeBodies = async (...given) => {
      if (!isWidened) {
        isWidened = true;
        await steer((tx, locked) => changeEndpoint(tx, locked, { types: [] }));
      }
      return make(...given);
    };
    [updated = ''] = await happen([newObject()]);
    await start();
    expect(new Set(idsSent())).toEqual(new Set([created, updated]));
  });
});

describe('an endpoint for which 6,001 objects wait after failures of three days', () => {
  const FAILING = 6_001;
  /** All but one have no event any more. */
  const COPIES = `insert into webhook_backlog (endpoint_id, lane, object_id, event_seq, object_sequence, failures, failing_since, next_try)
    select endpoint_id, lane || n, object_id || n, event_seq, object_sequence, 12, now() - interval '3 days' + n * interval '1 second', now() + interval '6 hours'
    from webhook_backlog, generate_series(2, $2::int) n where endpoint_id = $1`;
  const failing = async (): Promise<number> => {
    const [row] = await db.query<{ n: number }>(
      'select count(*)::int as n from webhook_backlog where endpoint_id = $1 and failures > 0 and next_try > now()',
      [endpoint],
    );
    return row?.n ?? 0;
  };

  it('is opened by a statement that makes 5,000 due; the rest is due, with all tries before it, before anything is sent', async () => {
    const object = newObject();
    const [one = ''] = await happen([object]);
    behave = () => 500;
    await start();
    // the last in the order of their failures: its next failure would be the one that pauses the endpoint again
    await db.query(
      `update webhook_backlog set failures = 12, failing_since = now() - interval '1 day', next_try = now() + interval '6 hours' where endpoint_id = $1`,
      [endpoint],
    );
    await db.query(COPIES, [endpoint, FAILING]);
    await steer((tx, locked) => pauseOnRequest(tx, locked));
    await steer((tx, locked) => openEndpoint(tx, locked));
    expect(await failing()).toBe(FAILING - 5_000);
    // killed here, the next run goes on
    const { status, nextTry, now } = (await endpointStanding(db, endpoint)) ?? {};
    expect([status, nextTry !== null && Number(nextTry) <= Number(now)]).toEqual(['active', true]);

    await db.query('delete from webhook_backlog where endpoint_id = $1 and failures = 0 and object_id <> $2', [endpoint, object]);
    sent = [];
    // with the event that tells of the pause
    expect(await start({ budgetMs: 30_000, longestMs: 30_000 })).toMatchObject({ status: 'active', failing: 2 });
    expect([idsSent().includes(one), sent.length]).toEqual([true, 2]);
    const left = await db.query('select failures from webhook_backlog where endpoint_id = $1', [endpoint]);
    expect(left).toEqual([{ failures: 1 }, { failures: 1 }]);
  });
});

describe('an event sent again', () => {
  it('comes although its type is not asked for, also where its object waits', async () => {
    await steer((tx, locked) => changeEndpoint(tx, locked, { types: ['v1.customer.created'] }));
    const ada = newObject();
    const [created = ''] = await happen([ada], 'v1.customer.created');
    const [updated = ''] = await happen([ada]);
    const resend = (id: string) => write((tx) => resendEvent(tx, vendorId, id, endpoint));
    await resend(updated);
    behave = (id) => (id === created ? 500 : 200);
    await start();
    expect(idsSent().sort()).toEqual([created, updated].sort());
    sent = [];
    await resend(updated);
    await start();
    expect(idsSent()).toEqual([updated]);
  });
});

describe('an endpoint whose secret was sealed with another secret of the installation', () => {
  it('is paused and says so; with a new secret of its own and opened, it gets what has waited', async () => {
    const secret = 'the-secret-that-came-after-the-former';
    const [one] = await happen([newObject()]);
    expect(await run({ secret })).toMatchObject({ status: 'paused' });
    expect(sent).toEqual([]);
    const [paused] = await db.query<{ reason: string }>('select paused_reason as reason from webhook_endpoint where id = $1', [endpoint]);
    expect(paused?.reason).toContain('PERENNIAL_SECRET has changed');
    const events = await db.query('select type from event where object_id = $1', [endpoint]);
    expect(events).toEqual([{ type: 'v1.webhook_endpoint.paused' }]);
    await steer((tx, locked) => rotateSecret(tx, locked, { own: secret, now: Date.now() }));
    await steer((tx, locked) => openEndpoint(tx, locked));
    await run({ secret });
    expect(idsSent()).toContain(one);
  });
});

describe('doctor', () => {
  const findings = async (missing: (ids: readonly string[]) => Promise<string[]> = async () => []) => {
    const check = doctorChecks(db, missing).find(({ asks }) => asks.startsWith('each webhook endpoint'));
    return (await check?.findings())?.filter((text) => text.startsWith(endpoint));
  };
  const LATE = () => [`${endpoint} has waited for an event for 60 minutes`];

  it('names an endpoint without a workflow, and an active one that has not got an event for an hour', async () => {
    expect(await findings()).toEqual([]);
    const withoutWorkflow = () => findings(async (ids) => ids.filter((id) => id === endpoint));
    // the message that begins it waits
    expect(await withoutWorkflow()).toEqual([]);
    await db.query('update outbox set sent = wanted where workflow_id = $1', [endpoint]);
    expect(await withoutWorkflow()).toEqual([`${endpoint} has no running workflow`]);
    await happen([newObject()]);
    behave = () => 500;
    await start();
    expect(await findings()).toEqual([]);
    await db.query(`update webhook_backlog set failing_since = now() - interval '1 hour' where endpoint_id = $1`, [endpoint]);
    expect(await findings()).toEqual(LATE());
    await steer((tx, locked) => pauseOnRequest(tx, locked));
    expect(await findings()).toEqual([]);
  });

  it('names an endpoint whose events nobody has read for an hour', async () => {
    await happen([newObject()]);
    expect(await findings()).toEqual([]);
    const hex = (Date.now() - HOUR).toString(16).padStart(12, '0');
    const id = `Evt_${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
    await db.query('update event set id = $2 where vendor_id = $1', [vendorId, id]);
    expect(await findings()).toEqual(LATE());
  });
});

describe('a vendor', () => {
  it('may have 50 endpoints, however many calls make them at the same time; a deleted one leaves its place', async () => {
    const settings = { url: 'http://127.0.0.1:9/', types: [], description: null };
    const make = () => write((tx) => createEndpoint(tx, vendorId, settings, { own: SECRET, now: Date.now() }));
    for (let n = 1; n < 46; n += 1) await make();
    const made = await Promise.allSettled(Array.from({ length: 8 }, make));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    await expect(make()).rejects.toThrow('A vendor has at most 50 webhook endpoints.');
    await steer((tx, locked) => deleteEndpoint(tx, locked));
    await make();
    await expect(make()).rejects.toMatchObject({ code: 'webhook_endpoint_limit' });
  });
});

describe('a run', () => {
  it('begins nothing more after its time, however slow the answers of what it has taken are', async () => {
    behave = () => null;
    await happen(Array.from({ length: 60 }, newObject));
    const began = Date.now();
    const ended = start({ budgetMs: 300, longestMs: 300 });
    await delivered(() => expect(sent).toHaveLength(16));
    await delivered(() => expect(Date.now() - began).toBeGreaterThan(1_000));
    behave = () => 200;
    for (const { answer: give } of sent) give(200);
    expect(await ended).toMatchObject({ status: 'active', hasNews: false });
    expect(sent).toHaveLength(16);
  });

  it('holds the bodies of few long events, and sends all of them: 12 of 900,000 characters, those of each object in their order', async () => {
    behave = () => null;
    makeBodies = async (_db, events) =>
      events.map(({ seq, id, objectId }) => {
        const body = JSON.stringify({ id, words: 'x'.repeat(900_000) });
        return { seq, vendorId, customerId: null, objectId, body };
      });
    const objects = Array.from({ length: 6 }, newObject);
    const [first, second] = [await happen(objects), await happen(objects)];
    const ended = start({ budgetMs: 20_000, longestMs: 20_000 });
    await delivered(() => expect(sent).toHaveLength(2));
    behave = () => 200;
    for (const { answer: give } of sent.slice()) give(200);
    expect(await ended).toMatchObject({ status: 'active', failing: 0, nextTry: null });
    expect(new Set(idsSent())).toEqual(new Set([...first, ...second]));
    expect(sent).toHaveLength(12);
    for (const [at, id] of first.entries()) expect(idsSent().indexOf(id)).toBeLessThan(idsSent().indexOf(second[at] ?? ''));
  });

  it('sends nothing more once it has failed', async () => {
    behave = () => null;
    await happen(Array.from({ length: 40 }, newObject));
    const ended = start({ budgetMs: 20_000, longestMs: 20_000 });
    await delivered(() => expect(sent).toHaveLength(16));
    makeBodies = () => Promise.reject(new Error('no bodies today'));
    await happen([newObject()]);
    await settled();
    await expect(ended).rejects.toThrow('no bodies today');
    await expect(Promise.all(sent.map(({ given }) => given))).rejects.toMatchObject({ name: 'AbortError' });
    expect(sent).toHaveLength(16);
  });
});
