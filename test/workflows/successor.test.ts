import { WorkflowNotFoundError } from '@temporalio/client';
import { signedContract } from '../api/support.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it('a call to the scheduled successor of a change is a 409 that names its predecessor, and starts no workflow', async () => {
  const vendor = await newVendor();
  const { contractId } = await signedContract(vendor);
  const fewer = { upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '2' } } };
  const later: string = await vendor.api.made(`/v1/c/contract/${contractId}/upgrade`, fewer);
  const calls = { charge: { feature_slug: 'report' }, cancel: { when: { type: 'now' } }, change_undo: {}, upgrade: fewer };
  for (const [call, body] of Object.entries(calls)) {
    const answer = await vendor.api.post(`/v1/c/contract/${later}/${call}`, body);
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([409, 'contract_state', expect.stringContaining(contractId)]);
  }
  await expect(kit.client.workflow.getHandle(later).describe()).rejects.toBeInstanceOf(WorkflowNotFoundError);
});
