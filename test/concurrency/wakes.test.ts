import { WorkflowNotFoundError } from '@temporalio/client';
import { CHANGED_SIGNAL } from '../../workflows/messages.ts';
import { signedContract } from '../api/support.ts';
import { clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';
import { newVendor } from '../support/vendor.ts';

let temporal: Temporal;
beforeAll(async () => {
  temporal = temporalAt((await servers()).temporalAddress);
});
afterAll(() => temporal.close());

/** A workflow that has ended no longer takes signals. */
function expectEnded(error: unknown): void {
  expect(error).toBeInstanceOf(WorkflowNotFoundError);
}

/** 20 workflows end at once, on a machine that runs other tests too. */
const ENDING = { every: 200 };

it('20 contracts on a clock that stands still, each signalled 10 times to read its rows while it is canceled: 20 workflows end', async () => {
  const vendor = await newVendor();
  const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
  const signed = await Promise.all(Array.from({ length: 20 }, () => signedContract(vendor, { test_clock: clock.id })));
  const ids = signed.map(({ contractId }) => contractId);
  await Promise.all(
    ids.map(async (id) => {
      const wakes = Array.from({ length: 10 }, () => temporal.client.workflow.getHandle(id).signal(CHANGED_SIGNAL).catch(expectEnded));
      await vendor.api.made(`/v1/c/contract/${id}/cancel`, { when: { type: 'now' } });
      await Promise.all(wakes);
    }),
  );
  await eventually(async () => {
    const found = await Promise.all(
      ids.map(async (id) => `${id} ${(await temporal.client.workflow.getHandle(id).describe()).status.name}`),
    );
    expect(found).toEqual(ids.map((id) => `${id} COMPLETED`));
  }, ENDING);
});
