import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { plan, story } from '../support/story.ts';
import { temporalAt } from '../support/temporal.ts';
import { addsMethod } from './support.ts';

const small = plan('small', '30');

describe('a payment that takes time, on a test clock', () => {
  story('ends the workflow of a chain that has waited for nothing else', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      await acme.signs(small);
    });
    const { client, close } = temporalAt((await servers()).temporalAddress);
    const workflow = client.workflow.getHandle(acme.contract.id);
    const status = async () => (await workflow.describe()).status.name;
    try {
      // one that is begun and signalled in one call waits for its start delay
      await eventually(async () => expect(await status()).toBe('RUNNING'));
      await on('2025-06-01 06:00', async () => {
        await acme.cancels('now');
        await eventually(async () => expect(await workflow.query('state')).toMatchObject({ due: [{ kind: 'payment_answer' }] }));
      });
      await vendor.clock.advanceTo('2025-06-03T00:00:00Z');
      await acme.expectsInvoices('2025-06-01 30.00');
      await eventually(async () => expect(await status()).toBe('COMPLETED'), { timeout: 60_000 });
    } finally {
      await close();
    }
  });
});
