import type { Queryable } from '../../db/connect.ts';
import { stamp } from '../../db/rows.ts';
import { insertRows } from '../../db/sql/rows.ts';
import { forgetOld } from '../../services/outbox/forget.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.now();

/** Forgets two rows at a time until there is no more; tells how many times it took. */
async function forgetAll(tx: Queryable): Promise<number> {
  let times = 1;
  while (await forgetOld(tx, NOW, 2, 30 * DAY)) times += 1;
  return times;
}

const message = (name: string, sentAt: number | null, { wanted = 1, sent = 1 } = {}) => ({
  kind: 'contract',
  workflow_id: `forget ${name}`,
  wanted,
  sent,
  created: stamp(NOW - 60 * DAY),
  // no process sends the waiting messages while the test checks them
  next_try: stamp(NOW + DAY),
  sent_at: sentAt === null ? null : stamp(sentAt),
});

// in a transaction of its own, so that the running worker has nothing to delete
it('messages sent more than a day ago go, however many times it takes; younger ones and those that are open stay', async () => {
  const left = await kit.db.transaction(async (tx) => {
    await insertRows(tx, 'outbox', [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => message(`old ${name}`, NOW - 25 * HOUR)),
      message('sent late', NOW - 23 * HOUR),
      message('never sent', null, { sent: 0 }),
      message('wanted again', NOW - 25 * HOUR, { wanted: 2 }),
    ]);
    expect(await forgetAll(tx)).toBeGreaterThanOrEqual(3);
    return tx.query<{ id: string }>('delete from outbox where workflow_id like $1 returning workflow_id as id', ['forget %']);
  });
  expect(left.map(({ id }) => id).sort()).toEqual(['forget never sent', 'forget sent late', 'forget wanted again']);
});

it('answers older than 30 days go, younger ones stay', async () => {
  const answer = (key: string, created: number) => ({
    vendor_id: kit.vendorId,
    operation: 'forget',
    key,
    body_hash: 'x',
    leased_until: stamp(created),
    response_status: 200,
    created: stamp(created),
  });
  const left = await kit.db.transaction(async (tx) => {
    const old = ['a', 'b', 'c'].map((key) => answer(key, NOW - 31 * DAY));
    await insertRows(tx, 'idempotency', [...old, answer('young', NOW - 29 * DAY)]);
    expect(await forgetAll(tx)).toBeGreaterThanOrEqual(2);
    return tx.query<{ key: string }>(`delete from idempotency where vendor_id = $1 and operation = 'forget' returning key`, [kit.vendorId]);
  });
  expect(left).toEqual([{ key: 'young' }]);
});
