import type { Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { stamp } from '../../db/rows.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { settleLog } from '../../db/sql/event/settle.ts';
import { insertRows } from '../../db/sql/rows.ts';
import { eventInLog, placeBehind, requireNothingMissing } from '../../services/event/in-log.ts';
import { cleanUp, type Kept } from '../../services/retention/clean.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { createEndpoint, deleteEndpoint, lockEndpoint } from '../../services/webhook/endpoint.ts';
import { replayAfter } from '../../services/webhook/steer.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';

let own: OwnDatabase;
let db: Database;
let vendorId: string;
beforeAll(async () => {
  own = await ownDatabase();
  db = own.db;
});
beforeEach(async () => {
  ({ vendorId } = await createVendor(db, 'retention'));
});
afterAll(() => own.drop());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.now();
const KEPT: Kept = { answers: 30 * DAY, messages: DAY, tries: 30 * DAY, events: null, prints: null, imports: 30 * DAY };

/** Cleans in steps until there is no more; gives what each step deleted of one kind. */
async function cleanAll(of: string, kept: Kept, { now = NOW, most = 2 } = {}): Promise<number[]> {
  const steps: number[] = [];
  const deleted = (what: string, rows: number) => void (what === of && steps.push(rows));
  while (await cleanUp(db, kept, { now, most, deleted }));
  return steps;
}

it('a kind that can’t be deleted is reported, and holds up no other kind', async () => {
  await db.query('create function keep() returns trigger language plpgsql as $$ begin raise exception $text$kept$text$; end $$');
  await db.query('create trigger keep before delete on outbox for each row execute function keep()');
  const sent = { kind: 'contract', workflow_id: `${vendorId} kept`, wanted: 1, sent: 1, sent_at: stamp(NOW - 25 * HOUR) };
  await insertRows(db, 'outbox', [{ ...sent, created: stamp(NOW - 60 * DAY), next_try: stamp(NOW + DAY), begins_at: null }]);
  const { id } = await db.transaction((tx) =>
    createEndpoint(tx, vendorId, { url: 'https://example.com', types: [], description: null }, { own: 'secret'.repeat(8), now: NOW }),
  );
  await db.transaction(async (tx) => deleteEndpoint(tx, await lockEndpoint(tx, vendorId, id)));
  await expect(cleanAll('endpoints', KEPT, { most: 1_000 })).rejects.toThrow('kept');
  const left = await db.query('select id from webhook_endpoint where id = $1', [id]);
  await db.query('drop function keep() cascade');
  expect(left).toEqual([]);
  await cleanAll('messages', KEPT);
});

describe('messages to workflows', () => {
  const message = (name: string, sentAt: number | null, { wanted = 1, sent = 1, beginsAt = null as number | null } = {}) => ({
    kind: 'contract',
    workflow_id: `${vendorId} ${name}`,
    wanted,
    sent,
    created: stamp(NOW - 60 * DAY),
    next_try: stamp(NOW + DAY),
    sent_at: sentAt === null ? null : stamp(sentAt),
    begins_at: beginsAt === null ? null : stamp(beginsAt),
  });

  it('go a day after they were sent, two in a step; younger ones, open ones and those whose run has not begun a day before stay', async () => {
    await insertRows(db, 'outbox', [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => message(`old ${name}`, NOW - 25 * HOUR)),
      message('sent late', NOW - 23 * HOUR),
      message('never sent', null, { sent: 0 }),
      message('wanted again', NOW - 25 * HOUR, { wanted: 2 }),
      message('begins later', NOW - 25 * HOUR, { beginsAt: NOW + 30 * DAY }),
      message('began today', NOW - 25 * HOUR, { beginsAt: NOW - HOUR }),
      message('old, began then', NOW - 25 * HOUR, { beginsAt: NOW - 24.5 * HOUR }),
    ]);
    expect(await cleanAll('messages', KEPT)).toEqual([2, 2, 2]);
    const left = await db.query<{ id: string }>('select workflow_id as id from outbox where workflow_id like $1 order by 1', [
      `${vendorId} %`,
    ]);
    expect(left.map(({ id }) => id.slice(vendorId.length + 1))).toEqual([
      'began today',
      'begins later',
      'never sent',
      'sent late',
      'wanted again',
    ]);
  });

  it('10,000 of them go in steps of 1,000, and a writer of others never waits for a step', async () => {
    await db.query(
      `insert into outbox (kind, workflow_id, sent, created, sent_at) select 'contract', $1 || ' many ' || n, 1, $2, $2 from generate_series(1, 10000) n`,
      [vendorId, stamp(NOW - 2 * DAY)],
    );
    const writing = db.transaction(async (tx) => {
      await tx.query(`insert into outbox (kind, workflow_id) values ('contract', $1)`, [`${vendorId} open`]);
      // a row that the cleaner has found is locked by somebody else: it is left for later
      await tx.query('update outbox set tries = tries where workflow_id = $1', [`${vendorId} many 5`]);
      const steps = await cleanAll('messages', KEPT, { most: 1_000 });
      expect(Math.max(...steps)).toBe(1_000);
      expect(steps.reduce((all, rows) => all + rows, 0)).toBe(9_999);
    });
    await writing;
    expect(await cleanAll('messages', KEPT, { most: 1_000 })).toEqual([1]);
  });

  it('are left alone while another process cleans', async () => {
    await insertRows(db, 'outbox', [message('old', NOW - 25 * HOUR)]);
    await db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(7305112003)');
      expect(await cleanAll('messages', KEPT)).toEqual([]);
    });
    expect(await cleanAll('messages', KEPT)).toEqual([1]);
  });
});

it('answers older than 30 days go, younger ones stay', async () => {
  const answer = (key: string, created: number) => ({
    vendor_id: vendorId,
    operation: 'forget',
    key,
    body_hash: 'x',
    leased_until: stamp(created),
    response_status: 200,
    created: stamp(created),
  });
  await insertRows(db, 'idempotency', [...['a', 'b', 'c'].map((key) => answer(key, NOW - 31 * DAY)), answer('young', NOW - 29 * DAY)]);
  expect(await cleanAll('answers', KEPT)).toEqual([2, 1]);
  expect(await db.query('select key from idempotency where vendor_id = $1', [vendorId])).toEqual([{ key: 'young' }]);
});

it('links and sessions of the portal go when they have expired', async () => {
  const customerId = newId('Cust');
  await db.query(
    `insert into customer (id, vendor_id, created, name, emails, email_keys, addresses, metadata, status, configuration)
       values ($2, $1, now(), 'Ada', '{}', '{}', '{}', '{}', 'active', '{}')`,
    [vendorId, customerId],
  );
  const row = (n: number) => ({
    hash: `${customerId} ${n}`,
    vendor_id: vendorId,
    customer_id: customerId,
    expires: stamp(n < 3 ? NOW - 1 : NOW + HOUR),
  });
  const rows = [0, 1, 2, 3].map(row);
  await insertRows(
    db,
    'portal_token',
    rows.map((one) => ({ ...one, created: stamp(NOW - HOUR) })),
  );
  await insertRows(
    db,
    'portal_session',
    rows.map((one) => ({ ...one, last_seen: stamp(NOW - HOUR) })),
  );
  expect(await cleanAll('links', KEPT)).toEqual([2, 1]);
  for (const table of ['portal_token', 'portal_session'])
    expect(await db.query(`select hash from ${table} where vendor_id = $1`, [vendorId])).toEqual([{ hash: `${customerId} 3` }]);
});

it('imports that nobody has started for 30 days are ended and their lines go; what is started keeps its own', async () => {
  const made = async (status: string, days: number): Promise<string> => {
    const id = newId('Imp');
    await insertRows(db, 'import', [{ id, vendor_id: vendorId, status, created: stamp(NOW - days * DAY) }]);
    const line = (number: number) => ({ import_id: id, number, type: 'customer', position: number, fingerprint: 'x', input: '{}' });
    await insertRows(db, 'import_line', [1, 2, 3, 4, 5].map(line));
    return id;
  };
  const ids = [await made('open', 31), await made('open', 29), await made('running', 31), await made('stopped', 31)];
  expect(await cleanAll('imports', KEPT)).toEqual([2, 2, 1]);
  const states = await db.query<{ id: string; status: string; lines: number }>(
    'select id, status, (select count(*)::int from import_line where import_id = import.id) as lines from import where vendor_id = $1',
    [vendorId],
  );
  expect(new Map(states.map(({ id, status, lines }) => [id, [status, lines]]))).toEqual(
    new Map([
      [ids[0], ['done', 0]],
      [ids[1], ['open', 5]],
      [ids[2], ['running', 5]],
      [ids[3], ['stopped', 5]],
    ]),
  );
});

it('sessions of the console go when they have expired', async () => {
  const keyId = newId('Key');
  await insertRows(db, 'api_key', [{ id: keyId, vendor_id: vendorId, name: 'x', hash: keyId, scope: 'read', created: stamp(NOW) }]);
  const row = (n: number) => ({
    hash: `${keyId} ${n}`,
    vendor_id: vendorId,
    key_id: keyId,
    created: stamp(NOW - HOUR),
    last_seen: stamp(NOW - HOUR),
    expires: stamp(n < 3 ? NOW - 1 : NOW + HOUR),
  });
  await insertRows(db, 'console_session', [0, 1, 2, 3].map(row));
  expect(await cleanAll('console sessions', KEPT)).toEqual([2, 1]);
  expect(await db.query('select hash from console_session where vendor_id = $1', [vendorId])).toEqual([{ hash: `${keyId} 3` }]);
});

describe('events', () => {
  const LATER = NOW + 40 * DAY;
  afterEach(() => db.query('delete from event where vendor_id = $1', [vendorId]));
  const KEEPING = { ...KEPT, events: 30 * DAY };

  /** Publishes an event of each object; those of a timer are entries of the audit log too. */
  async function happen(objects: readonly string[]): Promise<string[]> {
    await db.transaction((tx) =>
      publish(
        tx,
        objects.map((objectId) => ({ vendorId, type: 'v1.customer.updated' as const, objectId, at: NOW, data: { n: 1 } })),
      ),
    );
    await eventually(async () => {
      const { settled, last } = await settleLog(db);
      expect(settled).toBe(last);
    });
    return (await eventsLeft()).slice(-objects.length).map(({ id }) => id);
  }
  const eventsLeft = () =>
    db.query<{ id: string; seq: string; object: string; sequence: number }>(
      'select id, seq::text as seq, object_id as object, object_sequence as sequence from event where vendor_id = $1 order by event.seq',
      [vendorId],
    );
  const entries = () =>
    db.query(
      `select id, action, object_id, after from (
         select seq, id, action, object_id, after from audit where vendor_id = $1
         union all select seq, 'Audit_' || substr(id, 5), substr(type, 4), object_id, data from event where vendor_id = $1
       ) entry order by seq`,
      [vendorId],
    );

  it('stay for ever unless a time is set, and until it has passed', async () => {
    const ids = await happen(['Cust_1', 'Cust_1', 'Cust_2']);
    expect(await cleanAll('events', KEPT, { now: LATER })).toEqual([]);
    expect(await cleanAll('events', KEEPING, { now: NOW + 29 * DAY })).toEqual([]);
    expect((await eventsLeft()).map(({ id }) => id)).toEqual(ids);
  });

  it('go in order; the audit log says the same as before, and numbers of objects go on', async () => {
    const [customer, other] = [newId('Cust'), newId('Cust')];
    await happen([customer, customer, other]);
    const before = await entries();
    expect(await cleanAll('events', KEEPING, { now: LATER })).toEqual([2, 1]);
    expect(await eventsLeft()).toEqual([]);
    expect(await entries()).toEqual(before);
    await happen([customer, other]);
    expect((await eventsLeft()).map(({ sequence }) => sequence)).toEqual([3, 2]);
  });

  it('that an endpoint has not got stay, also while it is paused; once it is deleted they go', async () => {
    const [first = ''] = await happen(['Cust_a']);
    const { id } = await db.transaction((tx) =>
      createEndpoint(tx, vendorId, { url: 'https://example.com', types: [], description: null }, { own: 'x'.repeat(32), now: NOW }),
    );
    const [kept] = await happen(['Cust_b', 'Cust_c']);
    // the one before its creation is not for it
    expect(await cleanAll('events', KEEPING, { now: LATER, most: 100 })).toEqual([1]);
    await db.query(`update webhook_endpoint set status = 'paused' where id = $1`, [id]);
    expect(await cleanAll('events', KEEPING, { now: LATER, most: 100 })).toEqual([]);
    // while somebody steers it, its vendor's log is left alone
    await db.query(`update webhook_endpoint set read_seq = 9223372036854775806 where id = $1`, [id]);
    await db.transaction(async (tx) => {
      await lockEndpoint(tx, vendorId, id);
      expect(await cleanAll('events', KEEPING, { now: LATER, most: 100 })).toEqual([]);
    });
    const replay = (after: string) => db.transaction(async (tx) => replayAfter(tx, await lockEndpoint(tx, vendorId, id), after));
    await expect(replay('Evt_00000000-0000-7000-8000-000000000000')).rejects.toMatchObject({
      code: 'invalid_request',
      field: 'after',
      message: expect.stringMatching(new RegExp(`begins with ${kept}: .* the last of them ${first};`)),
    });
    // nothing behind the last deleted one is missing
    await replay(first);
    const places =
      'select 1 from webhook_endpoint e join event_log_start s on s.vendor_id = e.vendor_id and s.seq = e.read_seq where e.id = $1';
    expect(await db.query(places, [id])).toHaveLength(1);
    await db.transaction(async (tx) => deleteEndpoint(tx, await lockEndpoint(tx, vendorId, id)));
    expect(await cleanAll('events', KEEPING, { now: LATER, most: 100 })).toEqual([2]);
  });

  it('that are gone are refused as a place to go on from; younger unknown ones are unknown', async () => {
    const [first = '', second = ''] = await happen(['Cust_x', 'Cust_y']);
    const seqs = (await eventsLeft()).map(({ seq }) => BigInt(seq));
    expect(await eventInLog(db.em(), vendorId, first, 'after')).toMatchObject({ id: first });
    await cleanAll('events', KEEPING, { now: LATER });
    for (const id of [first, second])
      await expect(eventInLog(db.em(), vendorId, id, 'after')).rejects.toMatchObject({ code: 'invalid_request', field: 'after' });
    await expect(eventInLog(db.em(), vendorId, newId('Evt'), 'after')).rejects.toMatchObject({ code: 'event_not_found' });
    await expect(requireNothingMissing(db.em(), vendorId, seqs[0] ?? 0n, 'offset')).rejects.toMatchObject({ field: 'offset' });
    await requireNothingMissing(db.em(), vendorId, seqs[1] ?? 0n, 'offset');
    // behind the last one that is gone nothing is missing
    await expect(placeBehind(db.em(), vendorId, first, 'after')).rejects.toMatchObject({ code: 'invalid_request', field: 'after' });
    expect(BigInt(await placeBehind(db.em(), vendorId, second, 'after'))).toBe(seqs[1]);
  });

  it('3,000 of them with their bodies go in steps of 500 while others are published', async () => {
    await happen(Array.from({ length: 3_000 }, (_, n) => `Cust_${n % 40}`));
    await db.query(
      `insert into event_body (event_seq, vendor_id, object_id, made, body) select seq, vendor_id, object_id, timestamp, 'x' from event where vendor_id = $1`,
      [vendorId],
    );
    const publishing = db.transaction(async (tx) => {
      await publish(tx, [{ vendorId, type: 'v1.customer.updated', objectId: 'Cust_1', at: NOW, data: {} }]);
      const steps = await cleanAll('events', KEEPING, { now: LATER, most: 500 });
      expect(Math.max(...steps)).toBe(500);
      expect(steps.reduce((all, rows) => all + rows, 0)).toBe(3_000);
    });
    await publishing;
    expect(await eventsLeft()).toMatchObject([{ object: 'Cust_1', sequence: 76 }]);
    expect(await db.query('select 1 from event_body where vendor_id = $1', [vendorId])).toEqual([]);
  });
});
