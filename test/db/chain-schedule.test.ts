import type { Queryable } from '../../db/connect.ts';
import { readChainSchedule } from '../../db/sql/contract/chain-schedule.ts';
import { cancelContract } from '../../services/contract/cancel.ts';
import { countingReads } from '../support/rows-read.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const ROLLED_BACK = new Error('nobody else shall see these events');

const read = async (chainId: string, since: string | null, db: Queryable = kit.db) => {
  const schedule = await readChainSchedule(db, chainId, since);
  if (schedule === null) throw new Error(`there is no chain ${chainId}`);
  return { seen: schedule.seen, done: schedule.done.map(({ type }) => type) };
};

it('what a chain has not seen is listed once, though others’ later events were committed before it', async () => {
  const plan = await kit.plan('10.00');
  const id = await kit.sign(await kit.customer(), plan);
  const first = await read(id, null);
  const whileOpen = await kit.db.transaction(async (tx) => {
    const request = { when: { type: 'now' as const }, credit: false, notes: null };
    await cancelContract(tx, kit.call(id), request);
    await kit.sign(await kit.customer(), plan);
    return read(id, first.seen);
  });
  expect(whileOpen.done).toEqual([]);
  const afterwards = await read(id, whileOpen.seen);
  expect(afterwards.done).toEqual(['v1.contract.cancellation.completed']);
  expect((await read(id, afterwards.seen)).done).toEqual([]);
});

it('of all events since its last look a chain reads its own alone, however many others have', async () => {
  const customer = await kit.customer();
  const id = await kit.sign(customer, await kit.plan('10.00'));
  const { seen } = await read(id, null);
  const request = { when: { type: 'now' as const }, credit: false, notes: null };
  await kit.db.transaction((tx) => cancelContract(tx, kit.call(id), request));
  const look = async (db: Queryable) => {
    const counting = countingReads(db, ['event']);
    return { ...(await read(id, seen, counting)), read: counting.read };
  };
  const alone = await look(kit.db);
  expect(alone.done).toEqual(['v1.contract.cancellation.completed']);
  const beside = kit.db.transaction(async (tx) => {
    await tx.query(
      `insert into event (id, vendor_id, type, object_id, object_sequence, timestamp, data, actor)
       select 'Evt_' || $1 || n, $1, 'v1.customer.updated', 'Cust_' || $1 || n % 30, n, now(), '{}', 'caller' from generate_series(1, 3000) n`,
      [kit.vendorId],
    );
    await tx.query('analyze event');
    expect(await look(tx)).toEqual(alone);
    throw ROLLED_BACK;
  });
  await expect(beside).rejects.toBe(ROLLED_BACK);
});
