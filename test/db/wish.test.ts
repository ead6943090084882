import { signContract } from '../../db/contract/sign.ts';
import { undeliveredWishes } from '../../db/health/contracts.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { recordWishes } from '../../db/wish/record.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(async () => {
  await kit.db.query(`delete from wish where workflow_id like 'too long %'`);
  await kit.close();
});

/** Wishes that no server takes: ids of workflows have at most 1000 characters. */
async function hopelessWishes(count: number): Promise<void> {
  const created = stamp(Date.now() - 60_000);
  const rows = Array.from({ length: count }, (_, i) => ({
    kind: 'start_contract',
    workflow_id: `too long ${i} ${'x'.repeat(1_100)}`,
    payload: {},
    created,
    next_try: created,
    tries: 0,
  }));
  await insertRows(kit.db, 'wish', rows);
}

const triesOf = async (): Promise<number[]> =>
  (await kit.db.query<{ tries: number }>(`select tries from wish where workflow_id like 'too long %' order by id`)).map(
    ({ tries }) => tries,
  );

it('a wish that is made to wait is told of once it has stayed undelivered for so long after that', async () => {
  const workflowId = 'Cont_that_nobody_heard_of';
  const told = async () => (await undeliveredWishes(kit.db, 10_000)).filter((wish) => wish.workflowId === workflowId).length;
  const created = stamp(Date.now() - 60_000);
  await insertRows(kit.db, 'wish', [
    { kind: 'confirm_contract', workflow_id: workflowId, payload: {}, created, next_try: stamp(Date.now() + 300_000), tries: 0 },
  ]);
  expect(await told()).toBe(0);
  await kit.db.query('update wish set tries = 1 where workflow_id = $1', [workflowId]);
  expect(await told()).toBe(1);
  await kit.db.query('delete from wish where workflow_id = $1', [workflowId]);
});

it('120 wishes that no server takes do not keep a younger one waiting; they are tried after growing pauses and told of with their reason', async () => {
  await hopelessWishes(120);
  const { contract } = await kit.db.transaction(async (tx) =>
    signContract(tx, await kit.wishOf(await kit.customer(), await kit.plan('10.00'))),
  );
  await eventually(async () => {
    const described = await kit.client.workflow.getHandle(contract.id).describe();
    expect(described.status.name).toBe('RUNNING');
  });
  await eventually(async () => expect((await triesOf()).filter((tries) => tries >= 3)).toHaveLength(120), { timeout: 40_000 });
  // 1 s after the first try, 2 s after the second, 4 s after the third …
  const early = await kit.db.query(
    `select tries, next_try from wish where workflow_id like 'too long %'
       and next_try < created + interval '1 minute' + interval '1 second' * (power(2, tries) - 1)`,
  );
  expect(early).toEqual([]);
  const [told] = await undeliveredWishes(kit.db, 10_000);
  expect(told).toMatchObject({
    workflowId: expect.stringContaining('too long'),
    tries: expect.any(Number),
    failure: expect.stringMatching(/length|long/i),
  });
});

it('a fresh wish that joins one put off for 5 minutes is tried at once, though nobody delivers it', async () => {
  const workflowId = await kit.sign(await kit.customer(), await kit.plan('10.00'));
  const wake = { kind: 'wake_contract' as const, workflowId, payload: {} };
  const put = { next_try: stamp(Date.now() + 300_000), tries: 9, failure: 'refused' };
  const [old] = await insertRows<{ id: string }>(
    kit.db,
    'wish',
    [{ kind: wake.kind, workflow_id: workflowId, payload: {}, created: stamp(Date.now()), ...put }],
    'returning id',
  );
  expect(await kit.db.transaction((tx) => recordWishes(tx, [wake]))).toEqual([old?.id]);
  await eventually(async () =>
    expect(await kit.db.query('select tries, delivered_at is not null as delivered from wish where id = $1', [old?.id])).toEqual([
      { tries: 10, delivered: true },
    ]),
  );
});
