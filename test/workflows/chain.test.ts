import { WorkflowNotFoundError } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

/** What the Temporal UI shows under User Metadata. */
const detailsOf = async (id: string): Promise<string> => {
  const told = kit.client.workflow.getHandle(id).query<temporal.api.sdk.v1.IWorkflowMetadata>('__temporal_workflow_metadata');
  return (await told).currentDetails ?? '';
};

describe('a contract that is changed', () => {
  it('goes on in the workflow of the first, which lists all of the chain, and ends when all has ended', async () => {
    const first = await kit.sign(await kit.customer(), await kit.plan('10.00'));
    const second = await kit.change(first, await kit.plan('20.00'));
    const third = await kit.change(second, await kit.plan('15.00'));
    const handle = kit.client.workflow.getHandle(first);
    await eventually(async () => {
      const { status, searchAttributes } = await handle.describe();
      expect([status.name, searchAttributes?.PerennialContracts]).toEqual(['RUNNING', [second, third, first]]);
    });
    const details = await detailsOf(first);
    expect(details).toMatch(new RegExp(`\`${second}\`.* \\*\\*active\\*\\*, period 1`));
    expect(details).toMatch(new RegExp(`\`${third}\`.* \\*\\*scheduled\\*\\*`));
    expect(details).toMatch(new RegExp(`\`${first}\`.* \\*\\*moved\\*\\*, period 1`));
    expect(details).toContain(`the change to ${third} takes effect`);
    for (const id of [second, third])
      await expect(kit.client.workflow.getHandle(id).describe()).rejects.toBeInstanceOf(WorkflowNotFoundError);

    await kit.cancel(second);
    await handle.result();
    const { status, searchAttributes } = await handle.describe();
    expect([status.name, searchAttributes?.PerennialStatus]).toEqual(['COMPLETED', ['canceled']]);
    expect(await kit.state(third)).toMatchObject({ status: 'canceled' });
  });

  it('25 times lists the live one first and at most 20, is found by it, and still has one workflow', async () => {
    const first = await kit.sign(await kit.customer(), await kit.plan('1.00'));
    let live = first;
    for (let i = 2; i <= 26; i += 1) live = await kit.change(live, await kit.plan(`${i}.00`));
    const handle = kit.client.workflow.getHandle(first);
    await eventually(async () => {
      const listed = (await handle.describe()).searchAttributes?.PerennialContracts as string[];
      expect([listed[0], listed.length]).toEqual([live, 20]);
    });
    await eventually(async () => {
      const found: string[] = [];
      for await (const { workflowId } of kit.client.workflow.list({ query: `PerennialContracts = "${live}"` })) found.push(workflowId);
      expect(found).toEqual([first]);
    });
  });
});
