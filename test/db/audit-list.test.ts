import { auditList } from '../../db/sql/audit/list.ts';
import { readNewest } from '../../db/sql/list/newest.ts';
import { readPage } from '../../db/sql/list/page.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

const TABLES = ['audit', 'event'];
const [VENDOR, OTHER] = ['Wbc_large', 'Wbc_other'];
/** Of each vendor. */
const CUSTOMERS = 10_000;
const TO_THE_END = '9223372036854775807';
/** Rows of a page; each of the two logs is read for one more, to see whether it goes on. */
const SHOWN = 20;
const MOST_READ = 2 * (SHOWN + 1);

/**
 * For each customer a call of a key in the audit log and an event of that call, and an event that time brought; for one
 * in a thousand a call from the console. The numbers go up by the customer, and those of two vendors in turn.
 */
const EVENTS = `
  insert into event (seq, id, vendor_id, type, object_id, object_sequence, timestamp, data, actor, caller_type, caller_id)
  select n * 10 + k + $3::int, 'Evt_' || uuidv7(), $1, 'v1.customer.' || k, 'Cust_' || $1 || n, k, now(), '{}', 'timer',
    case k when 1 then 'key' else 'system' end, case k when 1 then 'Key_1' end
  from generate_series(1, $2::int) n, generate_series(1, 2) k`;
const CALLS = `
  insert into audit (seq, id, vendor_id, caller_type, caller_id, action, object_id)
  select n * 10 + 3 + $3::int, 'Audit_' || uuidv7(), $1, 'key', 'Key_1', 'save_customer', 'Cust_' || $1 || n from generate_series(1, $2::int) n
  union all
  select n * 10 + 4 + $3::int, 'Audit_' || uuidv7(), $1, 'console', 'Key_2', 'console.customer', 'Cust_' || $1 || n from generate_series(1000, $2::int, 1000) n`;
/** As the log of events leaves them behind where it is cut. */
const FORGOTTEN = `
  insert into audit (seq, id, vendor_id, caller_type, action, object_id) values (1, 'Audit_' || uuidv7(), $1, 'system', 'customer.old', 'Cust_old')`;

interface Entry {
  seq: string;
  caller_type: string;
  action: string;
}

describe(`the audit log of one of two vendors with ${CUSTOMERS} customers`, () => {
  let own: OwnDatabase;
  /** all numbers, in order */
  let all: Entry[];

  beforeAll(async () => {
    own = await ownDatabase();
    for (const vendor of [VENDOR, OTHER]) {
      await own.db.query(EVENTS, [vendor, CUSTOMERS, vendor === VENDOR ? 0 : 5]);
      await own.db.query(CALLS, [vendor, CUSTOMERS, vendor === VENDOR ? 0 : 5]);
    }
    await own.db.query(FORGOTTEN, [VENDOR]);
    await own.db.query('vacuum analyze audit, event');
    const key = { caller_type: 'key', action: 'save_customer' };
    const system = { caller_type: 'system', action: 'customer.2' };
    all = [{ seq: '1', caller_type: 'system', action: 'customer.old' }];
    for (let n = 1; n <= CUSTOMERS; n += 1) {
      all.push({ seq: String(n * 10 + 2), ...system }, { seq: String(n * 10 + 3), ...key });
      if (n % 1000 === 0) all.push({ seq: String(n * 10 + 4), caller_type: 'console', action: 'console.customer' });
    }
  }, 120_000);
  afterAll(() => own?.drop());

  const filters: [string, Parameters<typeof auditList>[2], (entry: Entry) => boolean, number][] = [
    ['nothing', {}, () => true, MOST_READ],
    ['a key', { actor: 'Key_1' }, ({ caller_type }) => caller_type === 'key', MOST_READ],
    ['a rare key', { actor: 'Key_2' }, ({ caller_type }) => caller_type === 'console', MOST_READ],
    ['a rare kind', { actor: 'console' }, ({ caller_type }) => caller_type === 'console', MOST_READ],
    ['keys', { actor: 'key' }, ({ caller_type }) => caller_type === 'key', MOST_READ],
    ['a kind without entries', { actor: 'portal' }, () => false, MOST_READ],
    ['nobody', { actor: 'Key_3' }, () => false, MOST_READ],
    ['the system', { actor: 'system' }, ({ caller_type }) => caller_type === 'system', MOST_READ],
    ['an object', { object: `Cust_${VENDOR}7000` }, ({ seq }) => /^7000\d$/.test(seq), MOST_READ],
    [
      'an object and an actor',
      { object: `Cust_${VENDOR}7000`, actor: 'system' },
      ({ seq, caller_type }) => /^7000\d$/.test(seq) && caller_type === 'system',
      MOST_READ,
    ],
  ];
  const shown = ({ seq, caller_type, action }: Entry): Entry => ({ seq, caller_type, action });

  it.each(filters)('is read by %s from both ends and from the middle, a page at a time', async (_, filter, belongs, most) => {
    const list = auditList(VENDOR, TO_THE_END, filter);
    const expected = all.filter(belongs);
    const middle = Math.floor(expected.length / 2);
    const position = { at: expected[middle]?.seq ?? '100005', id: '' };
    const counted = { total: expected.length, upTo: middle };
    const counting = countingReads(own.db, TABLES);
    const reads: [() => Promise<{ rows: Entry[] }>, Entry[]][] = [
      [() => readPage<Entry>(counting, list, { from: 'head' }, SHOWN, counted), expected.slice(0, SHOWN)],
      [() => readPage<Entry>(counting, list, { from: 'end' }, SHOWN, counted), expected.slice(-SHOWN)],
      [() => readPage<Entry>(counting, list, { from: 'after', position }, SHOWN, counted), expected.slice(middle + 1, middle + 1 + SHOWN)],
      [
        () => readPage<Entry>(counting, list, { from: 'before', position }, SHOWN, counted),
        expected.slice(Math.max(0, middle - SHOWN), middle),
      ],
      [() => readNewest<Entry>(counting, list, null, SHOWN), expected.slice(-SHOWN).reverse()],
      [() => readNewest<Entry>(counting, list, position, SHOWN), expected.slice(Math.max(0, middle - SHOWN), middle).reverse()],
    ];
    for (const [at, [read, rows]] of reads.entries()) {
      counting.read = 0;
      expect((await read()).rows.map(shown)).toEqual(rows);
      expect({ at, read: counting.read, within: counting.read <= most }).toEqual({ at, read: counting.read, within: true });
    }
    expect((await readPage(own.db, list, { from: 'head' }, 0)).total).toBe(expected.length);
  });

  it('goes on after an entry of either log, up to where it is settled', async () => {
    const ids = new Map(
      (
        await own.db.query<{ id: string; seq: string }>(
          `select id, seq from audit where seq = 70003 union all select 'Audit_' || substr(id, 5), seq from event where seq = 70002`,
        )
      ).map(({ id, seq }) => [seq, id]),
    );
    const counting = countingReads(own.db, TABLES);
    const counted = { total: 100, upTo: 0 };
    for (const [seq, next] of [
      ['70002', ['70003', '70004', '70012', '70013']],
      ['70003', ['70004', '70012', '70013']],
    ] as const) {
      counting.read = 0;
      const list = auditList(VENDOR, '70015', { after: ids.get(seq) ?? 'none' });
      const { rows } = await readPage<Entry>(counting, list, { from: 'head' }, SHOWN, counted);
      expect(rows.map((row) => row.seq)).toEqual(next);
      expect(counting.read).toBeLessThanOrEqual(MOST_READ);
    }
  });

  it('belongs to its vendor', async () => {
    const { rows } = await readNewest<Entry & { vendor_id: string }>(own.db, auditList(OTHER, TO_THE_END, {}), null, 2_000);
    expect([rows.length, new Set(rows.map(({ vendor_id }) => vendor_id))]).toEqual([2_000, new Set([OTHER])]);
  });
});
