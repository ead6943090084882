import { newId } from '../../db/id.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it('messages that a process sends together later are left to it by the relay for 10 seconds, counted from the last of its transactions', async () => {
  const workflowId = newId('Cont');
  const tell = () => kit.db.transaction(async (tx) => void tx.outbox.push({ kind: 'contract', workflowId }), { dispatch: 'later' });
  const leftFor = async (): Promise<number> => {
    const [row] = await kit.db.query<{ ms: number }>(
      'select (extract(epoch from next_try - clock_timestamp()) * 1000)::float8 as ms from outbox where workflow_id = $1 and sent < wanted',
      [workflowId],
    );
    return row?.ms ?? 0;
  };
  await tell();
  const first = await leftFor();
  expect(first).toBeGreaterThan(5_000);
  expect(first).toBeLessThanOrEqual(10_000);
  await kit.db.query(`update outbox set next_try = clock_timestamp() + interval '1 second' where workflow_id = $1`, [workflowId]);
  await tell();
  expect(await leftFor()).toBeGreaterThan(5_000);
  await kit.db.query('delete from outbox where workflow_id = $1', [workflowId]);
});
