import { workflowIdOf } from '../../temporal/message-kinds.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';
import { newVendor } from '../support/vendor.ts';

const YEAR_MS = 365 * 86_400_000;

let temporal: Temporal;
beforeAll(async () => {
  temporal = temporalAt((await servers()).temporalAddress);
});
afterAll(() => temporal.close());

describe('the workflow of a customer with prepaid credits', () => {
  it('runs while they have an end ahead: not in a freeze, and not once they are voided', async () => {
    const { api } = await newVendor();
    const customer: string = await api.made('/v1/c/customer', { name: 'Ada' });
    const expires = new Date(Date.now() + YEAR_MS).toISOString();
    const grant: string = await api.made('/v1/c/credit_grant', {
      customer,
      currency: 'usd',
      amount: '5',
      kind: 'promotional',
      expires_at: expires,
    });
    const status = async () => (await temporal.client.workflow.getHandle(workflowIdOf('customer', customer)).describe()).status.name;
    await eventually(async () => expect(await status()).toBe('RUNNING'));
    await api.made(`/v1/c/customer/${customer}/inactivate`);
    await eventually(async () => expect(await status()).toBe('COMPLETED'));
    await api.made(`/v1/c/customer/${customer}/activate`);
    await eventually(async () => expect(await status()).toBe('RUNNING'));
    await api.made(`/v1/c/credit_grant/${grant}/void`);
    await eventually(async () => expect(await status()).toBe('COMPLETED'));
  });
});
