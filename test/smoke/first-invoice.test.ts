import { api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';

describe('the way from nothing to the first invoice', () => {
  it('is alive and ready without a key', async () => {
    const stranger = api(null, (await servers()).baseUrl);
    expect((await stranger.get('/healthz')).status).toBe(200);
    const ok = { ok: true };
    expect(await stranger.get('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', postgres: ok, migrations: ok, temporal: ok, worker: ok },
    });
  });

  it('makes a 29.00 plan, a customer and a contract, and the invoice says 29.00', async () => {
    const acme = await newVendor();
    const plan = await acme.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro 2026',
      external_name: 'Pro',
      strategy: 'plan',
      features: [],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          price: { amount: '29.00', strategy_details: { pricing_strategy: 'flat' } },
          features: {},
          groups: {},
        },
      ],
    });
    const customer = await acme.api.made('/v1/c/customer', { name: 'Ada', emails: { main: 'ada@example.com' } });
    const contract = await acme.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    expect(contract).toMatch(/^Cont_/);
    const invoice = await eventually(async () => {
      const { hits } = await acme.api.read(`/v1/c/invoice?contract=${contract}`);
      expect(hits).toHaveLength(1);
      return hits[0].invoice;
    });
    expect(invoice).toMatchObject({ total: '29.00', currency: 'usd', customer_id: customer, status: 'ready_for_payment' });
  });
});
