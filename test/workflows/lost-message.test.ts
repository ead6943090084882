import { cancelContract } from '../../services/contract/cancel.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const statusOf = async (id: string): Promise<string> => (await kit.client.workflow.getHandle(id).describe()).status.name;

/** What a process does that dies between its commit and its message. */
const cancelWithoutMessage = (contractId: string): Promise<void> =>
  withTestDatabase((db) =>
    db.transaction((tx) => cancelContract(tx, kit.call(contractId), { when: { type: 'now' }, credit: false, notes: null })),
  );

describe('a workflow that gets no signal of a cancellation from the process that committed it', () => {
  it.each([
    ['on the wall clock', null],
    ['on a test clock', '2025-01-01T00:00:00.000Z'],
  ])('%s: is signalled by the relay a few seconds later, and ends with its contract', async (_where, now) => {
    const clockId = now === null ? null : await kit.clock(now);
    const contractId = await kit.sign(await kit.customer(clockId), await kit.plan('10.00'));
    expect(await kit.look(contractId)).toMatchObject({ contracts: [{ contractId, status: 'active' }] });
    await cancelWithoutMessage(contractId);
    await eventually(async () => expect(await statusOf(contractId)).toBe('COMPLETED'), { every: 200 });
  });
});

it('a contract whose first message is lost has its workflow a few seconds later, and what came meanwhile leaves no message open', async () => {
  const customer = await kit.customer();
  const plan = await kit.plan('10.00');
  const dispatcher = kit.db.dispatcher;
  kit.db.dispatcher = null;
  const contractId = await kit.sign(customer, plan);
  kit.db.dispatcher = dispatcher;
  await kit.cancel(contractId, { type: 'end_of_cycle' });
  await kit.undoCancellation(contractId);
  await eventually(async () => expect(await statusOf(contractId)).toBe('RUNNING'));
  expect(await kit.look(contractId)).toMatchObject({ due: [{ kind: 'boundary' }] });
  const open = () => kit.db.query('select kind from outbox where workflow_id = $1 and sent < wanted', [contractId]);
  await eventually(async () => expect(await open()).toEqual([]));
});
