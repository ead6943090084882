import type { Queryable } from '../../db/connect.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { forgetOld } from '../../worker/forget.ts';
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

/** Forgets in turns of two rows until there is no more; tells how many turns it took. */
async function forgetAll(tx: Queryable): Promise<number> {
  let turns = 1;
  while (await forgetOld(tx, NOW, 2)) turns += 1;
  return turns;
}

const wish = (name: string, created: number, delivered: number | null) => ({
  kind: 'wake_contract',
  workflow_id: `forget ${name}`,
  payload: {},
  created: stamp(created),
  // nobody delivers what waits while the test looks
  next_try: stamp(NOW + DAY),
  tries: 1,
  delivered_at: delivered === null ? null : stamp(delivered),
});

// in a transaction of its own, so that the worker beside it has nothing to forget
it('wishes delivered more than a day ago go, however many turns it takes; younger ones and those that wait stay', async () => {
  const left = await kit.db.transaction(async (tx) => {
    await insertRows(tx, 'wish', [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => wish(`old ${name}`, NOW - 60 * DAY, NOW - 25 * HOUR)),
      wish('delivered late', NOW - 60 * DAY, NOW - 23 * HOUR),
      wish('waits', NOW - 60 * DAY, null),
    ]);
    expect(await forgetAll(tx)).toBeGreaterThanOrEqual(3);
    return tx.query<{ id: string }>(`delete from wish where workflow_id like 'forget %' returning workflow_id as id`);
  });
  expect(left.map(({ id }) => id).sort()).toEqual(['forget delivered late', 'forget waits']);
});

it('answers older than 30 days go, younger ones stay', async () => {
  const answer = (key: string, created: number) => ({
    vendor_id: kit.vendorId,
    operation: 'forget',
    key,
    body_hash: 'x',
    claimed_until: stamp(created),
    answer_status: 200,
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
