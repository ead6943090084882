import { signedContract } from '../api/support.ts';
import type { AnyJson, TestResponse } from '../support/api.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { withTestDatabase } from '../support/database.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import { planToSave, plan as storyPlan } from '../support/story-catalogue.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('a freeze whose end has come and that nobody has ended yet', () => {
  let vendor: TestVendor;
  let customerId: string;
  let contractId: string;
  beforeEach(async () => {
    vendor = await newVendor();
    ({ customerId, contractId } = await signedContract(vendor));
  });

  const freezesUntilPast = async () => {
    await vendor.api.post(`/v1/c/customer/${customerId}/inactivate`, { resume_at: '2999-01-01T00:00:00Z' });
    await withTestDatabase((db) =>
      db.query(
        `with frozen as (update customer_pause set began = began - interval '1 hour' where customer_id = $1 returning began + interval '1 minute' as over),
           due as (update agenda set due_at = over from frozen where agenda.kind = 'freeze_end' and agenda.subject = $1)
         update customer set resume_at = over from frozen where customer.id = $1`,
        [customerId],
      ),
    );
  };

  const read = () => vendor.api.read(`/v1/c/customer/${customerId}`);
  const freezes = () =>
    withTestDatabase((db) =>
      db.query<{ ended: boolean; minutes: number | null }>(
        `select ended is not null as ended, round(extract(epoch from ended - began) / 60)::int as minutes
         from customer_pause where customer_id = $1 order by began`,
        [customerId],
      ),
    );

  it('ends then, and a second freeze comes after it: the customer stays frozen', async () => {
    await freezesUntilPast();
    expect((await vendor.api.post(`/v1/c/customer/${customerId}/inactivate`, {})).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'inactive', resume_at: null });
    expect(await freezes()).toEqual([
      { ended: true, minutes: 1 },
      { ended: false, minutes: null },
    ]);
  });

  it('ends then, and usage that comes after it is taken', async () => {
    await freezesUntilPast();
    const reported = await vendor.api.post('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '5' });
    expect(reported.status).toBe(200);
    expect(await read()).toMatchObject({ status: 'active', resume_at: null });
    expect(await freezes()).toEqual([{ ended: true, minutes: 1 }]);
  });

  it('ends then, and what somebody does in the console comes after it', async () => {
    const visitor = await VendorInConsole.signIn(vendor.apiKey);
    const until = /name="until" value="(\d*)"/.exec((await visitor.page(`/console/contract/${contractId}/cancel`)).html)?.[1] ?? '';
    await freezesUntilPast();
    const page = await visitor.page(`/console/contract/${contractId}/cancel?when=now`);
    expect([until, page.text]).toEqual([expect.stringMatching(/^\d+$/), expect.stringContaining('Cancel now')]);
    const fields = { when: 'now', until: '', given_back: '0.00', csrf: await visitor.csrf() };
    expect((await visitor.post(`/console/contract/${contractId}/cancel`, fields)).status).toBe(303);
    expect(await read()).toMatchObject({ status: 'active', resume_at: null });
  });

  const WRITES: Record<string, () => Promise<TestResponse>> = {
    'new data of the customer': () => vendor.api.post('/v1/c/customer', { id: customerId, name: 'Renamed' }),
    'money for the wallet': () =>
      vendor.api.post(`/v1/c/customer/${customerId}/wallet/transaction`, { currency: 'usd', amount: '5', description: 'gift' }),
    'a payment session': () => vendor.api.post(`/v1/c/customer/${customerId}/payment/session`, { provider: 'sandbox' }),
    'a cancellation': () => vendor.api.post(`/v1/c/contract/${contractId}/cancel`, { when: { type: 'end_of_cycle' } }),
    'another contract': async () => {
      const plan = await vendor.api.made('/v1/c/plan', planToSave(storyPlan('other', '10')));
      return vendor.api.post('/v1/c/contract', { customer: customerId, plan, currency: 'usd', cycle: 'month' });
    },
  };

  it.each(Object.keys(WRITES))('ends then, and %s that comes after it is written as if it had ended on time', async (name) => {
    await freezesUntilPast();
    const answer = await WRITES[name]?.();
    expect([200, 201]).toContain(answer?.status);
    expect(await read()).toMatchObject({ status: 'active', resume_at: null });
    expect(await freezes()).toEqual([{ ended: true, minutes: 1 }]);
  });

  const estimate = (path: string, body: object) => vendor.api.post(`/v1/c/${path}`, body);

  it('ends then, and the estimate of a change comes to the invoice of the change, by its token', async () => {
    await freezesUntilPast();
    const change = { upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '9' } } };
    const { status, body } = await estimate(`contract/${contractId}/upgrade_estimate`, change);
    expect(status).toBe(200);
    expect(await freezes()).toEqual([{ ended: true, minutes: 1 }]);
    const changed = await vendor.api.made(`/v1/c/contract/${contractId}/upgrade`, { ...change, estimate_token: body.estimate_token });
    const [made] = (await vendor.api.read(`/v1/c/invoice?contract=${changed}`)).hits;
    const lines = (items: AnyJson[]) => items.map(({ name, total_including_tax, period }) => [name, total_including_tax, period]);
    expect(lines(made.invoice_items)).toEqual(lines(body.price_on_new_contract[0].invoice_items));
    expect(Number(made.invoice.total)).toBeGreaterThan(0);
  });

  it('ends then, and the estimates of a signing and of a cancellation come to what both do', async () => {
    await freezesUntilPast();
    const when = { type: 'now' };
    const ending = await estimate(`contract/${contractId}/cancel_estimate`, { when, credit: true });
    expect(ending.status).toBe(200);
    await vendor.api.made(`/v1/c/contract/${contractId}/cancel`, { when, credit: true });
    const plan = await vendor.api.made('/v1/c/plan', planToSave(storyPlan('other', '10')));
    const signing = { customer: customerId, plan, currency: 'usd', cycle: 'month' };
    const { body } = await estimate('contract_estimate', signing);
    const signed = await vendor.api.made('/v1/c/contract', { ...signing, estimate_token: body.estimate_token });
    expect((await vendor.api.read(`/v1/c/invoice?contract=${signed}`)).hits).toMatchObject([{ invoice: { total: body.total } }]);
  });

  it('goes on before its end for estimates too: a 409', async () => {
    await vendor.api.made(`/v1/c/customer/${customerId}/inactivate`, { resume_at: '2999-01-01T00:00:00Z' });
    const answer = await estimate(`contract/${contractId}/cancel_estimate`, { when: { type: 'now' } });
    expect([answer.status, answer.body.code]).toEqual([409, 'customer_frozen']);
    expect(await freezes()).toMatchObject([{ ended: false }]);
  });

  it('ends then, and what the customer does in the portal after it is written', async () => {
    const visitor = await CustomerInPortal.enter(vendor, customerId);
    const account = await visitor.page('/portal/account');
    await freezesUntilPast();
    const saved = await visitor.send(account, '/portal/account', { name: 'Renamed by herself' });
    expect(saved.status).toBe(303);
    expect(await read()).toMatchObject({ name: 'Renamed by herself', status: 'active', resume_at: null });
    expect(await freezes()).toEqual([{ ended: true, minutes: 1 }]);
  });
});
