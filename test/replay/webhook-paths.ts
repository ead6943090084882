import { eventually } from '../support/eventually.ts';
import type { TestVendor } from '../support/vendor.ts';
import { Receiver } from '../webhooks/receiver.ts';
import type { Path } from './path.ts';

/** An endpoint that has got the event of a customer, refused at first. */
async function delivered({ api }: TestVendor): Promise<string> {
  const receiver = await new Receiver().start();
  receiver.behave = () => (receiver.received.length === 1 ? 503 : 200);
  const { id } = await api.made<{ id: string }>('/v1/c/webhook_endpoint', { url: receiver.url });
  await api.made('/v1/c/customer', { name: 'Ada' });
  await eventually(async () => {
    const { total } = await api.read(`/v1/c/webhook_endpoint/${id}/delivery?status=delivered`);
    if (total === 0) throw new Error('the event is still to be delivered');
  });
  await receiver.kill();
  return id;
}

export const webhookPaths: Path[] = [
  async ({ newVendor }) => ({
    'endpoint-with-a-failed-try': await delivered(await newVendor()),
  }),
  async ({ newVendor }) => {
    const vendor = await newVendor();
    const id = await delivered(vendor);
    await vendor.api.made(`/v1/c/webhook_endpoint/${id}/delete`);
    return { 'endpoint-deleted': { workflowId: id, hasEnded: true } };
  },
];
