import { auditList } from '../../db/sql/audit/list.ts';
import { lastEventSeq } from '../../db/sql/event/last.ts';
import { eventList } from '../../db/sql/event/list.ts';
import type { List } from '../../db/sql/list/list.ts';
import { readPage } from '../../db/sql/list/page.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

// Where most rows of the logs are one vendor's, Postgres takes it for cheap to read the logs of all in the order of
// their numbers until it meets that vendor's rows.

const [SMALL, LARGE] = ['Wbc_small', 'Wbc_large'];
const TO_THE_END = '9223372036854775807';
const SHOWN = 20;
/** Each page reads one row more, to see whether the list goes on. */
const MOST_READ = SHOWN + 1;

const EVENTS = `
  insert into event (seq, id, vendor_id, type, object_id, object_sequence, timestamp, data, actor, caller_type, caller_id)
  select n, 'Evt_' || uuidv7(), $1, 'v1.customer.created', 'Cust_' || n, 1, now(), '{}', 'caller', 'key', 'Key_' || $1
  from generate_series($2::int, $3::int, 2) n`;
const CALLS = `
  insert into audit (seq, id, vendor_id, caller_type, caller_id, action, object_id)
  select n + 1, 'Audit_' || uuidv7(), $1, 'key', 'Key_' || $1, 'save_customer', 'Cust_' || n from generate_series($2::int, $3::int, 2) n`;

describe('the logs of a vendor that has nearly all of their rows, in the middle', () => {
  let own: OwnDatabase;
  const [first, last] = [10_001, 100_000];

  beforeAll(async () => {
    own = await ownDatabase();
    for (const [vendor, from, to] of [
      [SMALL, 1, first - 1],
      [LARGE, first, last],
      [SMALL, last + 1, last + 10_000],
    ] as const)
      for (const sql of [EVENTS, CALLS]) await own.db.query(sql, [vendor, from, to]);
    await own.db.query('vacuum analyze audit, event');
  }, 120_000);
  afterAll(() => own?.drop());

  const lists: [string, List, number, number][] = [
    ['events', eventList(LARGE, TO_THE_END, {}), first, last - 1],
    ['events of a type', eventList(LARGE, TO_THE_END, { type: 'v1.customer.created' }), first, last - 1],
    ['calls', auditList(LARGE, TO_THE_END, {}), first + 1, last],
    ['calls of a key', auditList(LARGE, TO_THE_END, { actor: `Key_${LARGE}` }), first + 1, last],
  ];
  it.each(lists)('%s are read from both ends without the rows of others', async (name, list, head, end) => {
    const counting = countingReads(own.db, ['audit', 'event']);
    const counted = { total: 45_000, upTo: 0 };
    for (const [from, at] of [
      ['head', head],
      ['end', end],
    ] as const) {
      counting.read = 0;
      const { rows } = await readPage<{ seq: string }>(counting, { ...list, total: undefined }, { from }, SHOWN, counted);
      expect({ name, from, seq: Number(rows.at(from === 'head' ? 0 : -1)?.seq), rows: rows.length }).toEqual({
        name,
        from,
        seq: at,
        rows: SHOWN,
      });
      expect(counting.read).toBeGreaterThanOrEqual(SHOWN);
      expect({ name, from, read: counting.read }).toEqual({ name, from, read: Math.min(counting.read, 2 * MOST_READ) });
    }
  });

  it.each([
    [
      'event',
      `insert into event (seq, id, vendor_id, type, object_id, object_sequence, timestamp, data, actor)
       select seq, 'Evt_' || uuidv7(), vendor_id, type, 'Cust_again', 1, timestamp, data, actor from event limit 1`,
    ],
    [
      'audit',
      `insert into audit (seq, id, vendor_id, caller_type, action, object_id)
       select seq, 'Audit_' || uuidv7(), vendor_id, caller_type, action, object_id from audit limit 1`,
    ],
  ])('refuse a number of %s a second time', async (table, again) => {
    await expect(own.db.query(again)).rejects.toMatchObject({ code: '23505', constraint: `${table}_seq_unique` });
  });

  it('its last event is found without those behind it', async () => {
    const counting = countingReads(own.db, ['event']);
    expect(await lastEventSeq(counting, LARGE)).toBe(String(last - 1));
    expect(counting.read).toBe(1);
  });
});
