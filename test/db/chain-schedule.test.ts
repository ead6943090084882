import { readChainSchedule } from '../../db/sql/contract/chain-schedule.ts';
import { cancelContract } from '../../services/contract/cancel.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const read = async (chainId: string, since: string | null) => {
  const schedule = await readChainSchedule(kit.db, chainId, since);
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
