import { carryOut } from '../../activities/contract/carry-out.ts';
import { signedContract } from '../api/support.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const statusOf = async (id: string): Promise<string> => (await kit.client.workflow.getHandle(id).describe()).status.name;

/** The step of an Update is committed, and then worker and server die before either has noted it: no history knows of the Update. */
async function cancelUnheard(contractId: string): Promise<void> {
  const deadline = Date.now() + 1_000;
  const answer = { vendorId: kit.vendorId, operation: 'update cancel', key: `unheard ${contractId}`, bodyHash: '' };
  const request = { when: { type: 'now' }, credit: false, notes: null };
  const command = { vendorId: kit.vendorId, request, deadline, answer, claimed: false, status: 200, keyId: null };
  const { schedule } = await carryOut({ db: kit.db, deliver: async () => {} })({ contractId, operation: 'cancel', command });
  expect(schedule).toMatchObject({ status: 'canceled', over: true });
}

describe('a workflow that never heard what its own Update did', () => {
  it.each([
    ['on the wall clock', null],
    ['on a test clock', '2025-01-01T00:00:00.000Z'],
  ])(
    '%s: looks at its rows a few seconds after the deadline, and ends with its contract',
    async (_where, now) => {
      const clockId = now === null ? null : await kit.clock(now);
      const contractId = await kit.sign(await kit.customer(clockId), await kit.plan('10.00'));
      await eventually(async () =>
        expect(await kit.client.workflow.getHandle(contractId).query('state')).toMatchObject({ status: 'active' }),
      );
      await cancelUnheard(contractId);
      await eventually(async () => expect(await statusOf(contractId)).toBe('COMPLETED'), { timeout: 30_000, every: 200 });
    },
    60_000,
  );
});

it('an operation that was answered leaves nothing behind to wake its workflow', async () => {
  const vendor = await newVendor();
  const { contractId } = await signedContract(vendor);
  await vendor.api.made(`/v1/c/contract/${contractId}/cancel`, { when: { type: 'end_of_cycle' } }, { 'idempotency-key': 'once' });
  await vendor.api.made(`/v1/c/contract/${contractId}/cancel_undo`);
  const waiting = () => kit.db.query(`select kind from wish where workflow_id = $1 and delivered_at is null`, [contractId]);
  await eventually(async () => expect(await waiting()).toEqual([]), { timeout: 2_000 });
  const { events } = await kit.client.workflow.getHandle(contractId).fetchHistory();
  expect((events ?? []).filter(({ workflowExecutionSignaledEventAttributes }) => workflowExecutionSignaledEventAttributes != null)).toEqual(
    [],
  );
});
