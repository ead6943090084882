import { carryOut } from '../../activities/contract/carry-out.ts';
import type { Dependencies } from '../../activities/dependencies.ts';
import { newId } from '../../db/id.ts';
import type { Command } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const lines = (contractId: string) => kit.db.query('select id from invoice_item where contract_id = $1', [contractId]);

it('a cancellation whose deadline passes while it waits for its contract is refused and changes nothing: its caller has been told so', async () => {
  const contractId = await kit.sign(await kit.customer(), await kit.plan('10.00'));
  await kit.ready(contractId);
  const before = await lines(contractId);
  const { vendorId, db } = kit;
  const command: Command = {
    vendorId,
    request: { when: { type: 'now' }, credit: true, notes: null },
    deadline: Date.now() + 1_500,
    answer: { vendorId, operation: 'cancel', key: newId('Key'), bodyHash: '' },
    claimed: false,
    status: 200,
    keyId: null,
  };
  const dependencies = { db, deliver: async () => {} } as Partial<Dependencies> as Dependencies;
  let answer: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query('select id from contract where id = $1 for update', [contractId]);
    answer = carryOut(dependencies)({ contractId, operation: 'cancel', command }).catch((error: unknown) => error);
    await eventually(async () => {
      const waiting = await db.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from contract where id%'`,
      );
      expect(waiting.length).toBeGreaterThan(0);
    });
    await eventually(() => expect(Date.now()).toBeGreaterThan(command.deadline));
  });
  expect(await answer).toMatchObject({ type: 'unavailable', nonRetryable: true });
  expect(await kit.state(contractId)).toMatchObject({ status: 'active' });
  expect(await lines(contractId)).toEqual(before);
  expect(await db.query('select key from idempotency where key = $1 and answer_status is not null', [command.answer.key])).toEqual([]);
});
