import type { AnyJson } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { checkedVendor, withScope } from './support.ts';

const UNKNOWN = 'Cont_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
const BEGIN = '2026-06-01T00:00:00.000Z';

const usagePrice = { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' };
const flatOf = (amount: string) => ({ amount, strategy_details: { pricing_strategy: 'flat' } });
const planOf = (slug: string, amount: string, more: AnyJson = {}): AnyJson => ({
  slug,
  internal_name: slug,
  strategy: 'plan',
  features: [{ slug: 'calls', name: 'Calls', charge_trigger: 'every_cycle' }],
  pricings: [
    { currency: 'usd', cycle: 'month', price: flatOf(amount), features: { calls: { amount: '0.01', strategy_details: usagePrice } } },
  ],
  ...more,
});

describe('estimates', () => {
  let vendor: TestVendor;
  let plan = '';
  beforeAll(async () => {
    vendor = await checkedVendor();
    plan = await vendor.api.made('/v1/c/plan', planOf('pro', '30'));
  });

  const onClock = async () => {
    const clock = await clockOf(vendor, BEGIN);
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
    return { clock, customer, body: { customer, plan, currency: 'usd', cycle: 'month' } };
  };
  const signed = async (more: AnyJson = {}) => {
    const { clock, customer, body } = await onClock();
    const contract: string = await vendor.api.made('/v1/c/contract', { ...body, ...more });
    const upcoming = () => vendor.api.read(`/v1/c/contract/${contract}/upcoming_invoice`);
    return { clock, customer, contract, upcoming };
  };

  describe('of the next invoice', () => {
    it('show 500 calls and the next month: 5.00 and 30.00 on 1 July, of which the wallet pays 12.00', async () => {
      const { customer, upcoming } = await signed();
      await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '500' });
      await vendor.api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount: '42.00', description: 'a gift' });
      const { at, invoice, invoice_items, amount_due, others, waiting_items } = await upcoming();
      expect([at, invoice.total, amount_due]).toEqual(['2026-07-01T00:00:00.000Z', '35.00', '23.00']);
      const id = expect.stringMatching(/^Inv_/);
      expect(invoice).toMatchObject({ id, invoice_number: { number: '' }, status: 'ready_for_payment', due_date: at });
      expect(invoice_items).toMatchObject([
        { name: 'Calls', subtotal: '5.00', id: expect.stringMatching(/^Item_/), invoice_id: invoice.id },
        { name: 'pro', subtotal: '30.00', id: expect.stringMatching(/^Item_/), invoice_id: invoice.id },
      ]);
      expect((await vendor.api.get(`/v1/c/invoice/${invoice.id}`)).status).toBe(404);
      expect([others, waiting_items]).toEqual([[], []]);
    });

    it('is paid where the wallet has all of it, as it will be when it is made', async () => {
      const { clock, customer, contract, upcoming } = await signed();
      await vendor.api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount: '100.00', description: 'a gift' });
      const foreseen = await upcoming();
      expect([foreseen.invoice.status, foreseen.invoice.deposit_transaction_status, foreseen.amount_due]).toEqual([
        'paid',
        'succeeded',
        '0.00',
      ]);
      await clock.advanceTo('2026-07-01T00:00:00Z');
      const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}&date_after=2026-07-01T00:00:00Z`);
      expect(hits[0]).toMatchObject({
        amount_due: '0.00',
        invoice: { status: 'paid', deposit_transaction_status: 'succeeded', total: '30.00' },
      });
    });

    it('are none where items wait for a call: they are shown as waiting', async () => {
      const { upcoming } = await signed({ invoice_trigger: 'manual' });
      const { waiting_items, ...rest } = await upcoming();
      expect(rest).toEqual({ at: null, invoice: null, invoice_items: [], amount_due: null, others: [] });
      expect(waiting_items).toMatchObject([{ name: 'pro', subtotal: '30.00', invoice_id: null, status: 'pending_validation' }]);
    });

    it.each([
      ['has ended', async (id: string) => vendor.api.made(`/v1/c/contract/${id}/cancel`, { when: { type: 'now' } }), {}],
      ['is pending', async () => undefined, { is_pending: true }],
    ])('are none for a contract that %s', async (_, act, terms) => {
      const { contract, upcoming } = await signed(terms);
      await act(contract);
      expect(await upcoming()).toMatchObject({ at: null, invoice: null, invoice_items: [] });
    });

    it('are none while the customer is frozen', async () => {
      const { customer, upcoming } = await signed();
      await vendor.api.post(`/v1/c/customer/${customer}/inactivate`, {});
      expect(await upcoming()).toMatchObject({ at: null, invoice: null, invoice_items: [] });
    });

    it('of a contract by the hour that nobody uses are none, and a year fee is found 8,760 hours ahead', async () => {
      const hourly = (slug: string, features: AnyJson[], prices: AnyJson) => ({
        slug,
        internal_name: slug,
        strategy: 'feature',
        features,
        pricings: [{ currency: 'usd', cycle: 'hour', features: prices }],
      });
      const data = { slug: 'data', name: 'Data', charge_trigger: 'every_cycle' };
      const prices = { data: { amount: '0.01', strategy_details: usagePrice } };
      const idle = await vendor.api.made('/v1/c/plan', hourly('idle', [data], prices));
      const base = { slug: 'base', name: 'Base', charge_trigger: 'year' };
      const yearly = await vendor.api.made('/v1/c/plan', hourly('yearly', [data, base], { ...prices, base: flatOf('10') }));
      for (const [id, at] of [
        [idle, null],
        [yearly, '2027-06-01T00:00:00.000Z'],
      ]) {
        const { body } = await onClock();
        const contract = await vendor.api.made('/v1/c/contract', { ...body, plan: id, cycle: 'hour' });
        expect((await vendor.api.read(`/v1/c/contract/${contract}/upcoming_invoice`)).at).toBe(at);
      }
    });

    it('are a 404 for an unknown contract and for one of another vendor', async () => {
      const { contract } = await signed();
      const other = await newVendor();
      expect(await vendor.api.get(`/v1/c/contract/${UNKNOWN}/upcoming_invoice`)).toMatchObject({ status: 404 });
      expect(await other.api.get(`/v1/c/contract/${contract}/upcoming_invoice`)).toMatchObject({
        status: 404,
        body: { code: 'contract_not_found' },
      });
    });
  });

  describe('of a cancellation', () => {
    const cancelling = (contract: string, body: AnyJson) => vendor.api.post(`/v1/c/contract/${contract}/cancel_estimate`, body);

    it('now, on 16 June: half of 30.00 back and 500 calls for 5.00, so that 10.00 go to the wallet', async () => {
      const { clock, customer, contract } = await signed();
      await clock.advanceTo('2026-06-16T00:00:00Z');
      await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '500' });
      const { body } = await cancelling(contract, { when: { type: 'now' }, credit: true });
      expect([body.at, body.credit, body.usage, body.total]).toEqual(['2026-06-16T00:00:00.000Z', '15.00', '5.00', '0.00']);
      expect(body.invoices).toHaveLength(1);
      expect((await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary.status).toBe('active');
      await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' }, credit: true });
      const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}&date_after=2026-06-16T00:00:00Z`);
      const linesOf = ({ invoice_items }: AnyJson) =>
        invoice_items.map(({ name, total_including_tax }: AnyJson) => [name, total_including_tax]);
      expect(hits.map(linesOf)).toEqual(body.invoices.map(linesOf));
    });

    it('takes a date of null for what has none', async () => {
      const { contract } = await signed();
      for (const type of ['now', 'end_of_cycle'])
        expect(await cancelling(contract, { when: { type, date: null } })).toMatchObject({ status: 200 });
      expect(await cancelling(contract, { when: { type: 'now', date: '2026-06-02T00:00:00Z' } })).toMatchObject({ status: 400 });
      expect(await cancelling(contract, { when: { type: 'date', date: null } })).toMatchObject({ status: 400 });
    });

    it('at the end of the cycle, usage closing a day later: 5.00 on 2 July', async () => {
      const { customer, contract } = await signed({ usage_period_closing_policy: '1 day' });
      await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '500' });
      const { body } = await cancelling(contract, { when: { type: 'end_of_cycle' } });
      expect([body.at, body.credit, body.usage, body.total]).toEqual(['2026-07-01T00:00:00.000Z', '0.00', '5.00', '5.00']);
      expect(body.invoices.map(({ invoice }: AnyJson) => invoice.date)).toEqual(['2026-07-02T00:00:00.000Z']);
    });

    it('counts the usage before a change, which closes a day later: 5.00 beside nothing of the new plan', async () => {
      const { clock, customer, contract } = await signed({ usage_period_closing_policy: '1 day' });
      await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '500' });
      await clock.advanceTo('2026-06-16T00:00:00Z');
      const pricings = [{ currency: 'usd', cycle: 'month', price: flatOf('60') }];
      const flat: string = await vendor.api.made('/v1/c/plan', planOf('flat', '60', { features: [], pricings }));
      const change = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: flat } };
      const next: string = await vendor.api.made(`/v1/c/contract/${contract}/upgrade`, change);
      const { body } = await cancelling(next, { when: { type: 'now' } });
      expect([body.usage, body.total]).toEqual(['5.00', '5.00']);
      await vendor.api.made(`/v1/c/contract/${next}/cancel`, { when: { type: 'now' } });
      await clock.advanceTo('2026-06-18T00:00:00Z');
      const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${customer}&date_after=2026-06-16T00:00:01Z`);
      expect(hits.map(({ invoice }: AnyJson) => [invoice.date, invoice.total])).toEqual(
        body.invoices.map(({ invoice }: AnyJson) => [invoice.date, invoice.total]),
      );
    });

    it('counts usage that a caller closes, which no invoice takes up by itself', async () => {
      const { customer, contract } = await signed({ usage_period_closing_policy: 'manual' });
      await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '500' });
      const { body } = await cancelling(contract, { when: { type: 'now' } });
      expect([body.usage, body.total, body.invoices]).toEqual(['5.00', '0.00', []]);
    });

    it('is refused as the cancellation would be', async () => {
      const { customer, contract } = await signed();
      expect(await cancelling(contract, { when: { type: 'date', date: '2026-05-01T00:00:00Z' } })).toMatchObject({ status: 400 });
      expect(await cancelling(contract, { when: { type: 'date', date: '2999-01-01T00:00:00Z' } })).toMatchObject({
        status: 400,
        body: { feedback: { 'when.date': { value: expect.stringContaining('10000') } } },
      });
      expect(await cancelling(UNKNOWN, { when: { type: 'now' } })).toMatchObject({ status: 404 });
      await vendor.api.post(`/v1/c/customer/${customer}/inactivate`, {});
      expect(await cancelling(contract, { when: { type: 'now' } })).toMatchObject({ status: 409, body: { code: 'customer_frozen' } });
      await vendor.api.post(`/v1/c/customer/${customer}/activate`, {});
      await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' } });
      expect(await cancelling(contract, { when: { type: 'now' } })).toMatchObject({ status: 409, body: { code: 'contract_not_live' } });
    });
  });

  describe('of a change', () => {
    it('show an invoice whose surplus goes to the wallet as paid; `activation` takes a date of null', async () => {
      const { clock, contract } = await signed();
      await clock.advanceTo('2026-06-16T00:00:00Z');
      const small = await vendor.api.made('/v1/c/plan', planOf('small', '10'));
      const change = (activation: AnyJson) => ({
        upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: small, activation },
        downgrade_allowed: true,
      });
      const estimate = (activation: AnyJson) => vendor.api.post(`/v1/c/contract/${contract}/upgrade_estimate`, change(activation));
      const { body } = await estimate({ type: 'immediate', date: null });
      const [{ invoice }] = body.price_on_new_contract;
      expect([invoice.total, invoice.status]).toEqual(['0.00', 'paid']);
      expect(await estimate({ type: 'next_cycle', date: null, value: null })).toMatchObject({ status: 200 });
      expect(await estimate({ type: 'date', date: null, value: '2026-06-20T00:00:00Z' })).toMatchObject({ status: 200 });
      expect(await estimate({ type: 'date', date: null })).toMatchObject({ status: 400 });
    });
  });

  describe('of a signing', () => {
    const estimated = (body: AnyJson) => vendor.api.made<AnyJson>('/v1/c/contract_estimate', body);

    it('show the first invoice; with the token the contract and its invoice get the ids that were shown', async () => {
      const { body } = await onClock();
      const estimate = await estimated(body);
      expect([estimate.at, estimate.total, estimate.recurring_price.cycle_start_charges]).toEqual([BEGIN, '30.00', '30.00']);
      expect(estimate.expires).toBe('2026-06-01T00:10:00.000Z');
      const [shown] = estimate.invoices;
      const contract = await vendor.api.made('/v1/c/contract', { ...body, estimate_token: estimate.estimate_token });
      expect(contract).toBe(shown.invoice.contract_id);
      const written = await vendor.api.read(`/v1/c/invoice/${shown.invoice.id}`);
      expect(written.invoice_items).toEqual(shown.invoice_items);
    });

    it('show an invoice of nothing as paid, as it is once it is made', async () => {
      const { body } = await onClock();
      const estimate = await estimated({ ...body, free_cycles: 1 });
      const [{ invoice, invoice_items }] = estimate.invoices;
      expect([invoice.total, invoice.status, invoice_items[0].status]).toEqual(['0.00', 'paid', 'paid']);
      await vendor.api.made('/v1/c/contract', { ...body, free_cycles: 1, estimate_token: estimate.estimate_token });
      const written = await vendor.api.read(`/v1/c/invoice/${invoice.id}`);
      expect([written.invoice.status, written.invoice_items]).toEqual(['paid', invoice_items]);
    });

    it('with the token nine minutes later sign as of the estimate’s instant, after ten minutes no more', async () => {
      const { clock, body } = await onClock();
      const estimate = await estimated(body);
      await clock.advanceTo('2026-06-01T00:09:00Z');
      const contract = await vendor.api.made('/v1/c/contract', { ...body, estimate_token: estimate.estimate_token });
      expect((await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary).toMatchObject({ activation: BEGIN, created: BEGIN });

      const late = await onClock();
      const { estimate_token } = await estimated(late.body);
      await late.clock.advanceTo('2026-06-01T00:10:00Z');
      expect(await vendor.api.post('/v1/c/contract', { ...late.body, estimate_token })).toMatchObject({
        status: 409,
        body: { code: 'estimate_outdated' },
      });
    });

    it('show no invoice in a trial, before a later activation and for a pending contract', async () => {
      const { body } = await onClock();
      const [trial, later, pending] = [
        await estimated({ ...body, free_trial_days: 14 }),
        await estimated({ ...body, activation: '2026-06-05T00:00:00Z' }),
        await estimated({ ...body, is_pending: true }),
      ];
      expect([trial, later, pending].map(({ at, invoices, total }) => [at, invoices, total])).toEqual([
        [BEGIN, [], '0.00'],
        ['2026-06-05T00:00:00.000Z', [], '0.00'],
        [null, [], '0.00'],
      ]);
    });

    it('is outdated when a price or a tax has changed, and for another signing', async () => {
      const own = await checkedVendor();
      const sold = await own.api.made('/v1/c/plan', planOf('pro', '30'));
      const customer = await own.api.made('/v1/c/customer', { name: 'Ada' });
      const body = { customer, plan: sold, currency: 'usd', cycle: 'month' };
      const token = async () => (await own.api.made<AnyJson>('/v1/c/contract_estimate', body)).estimate_token;
      const outdated = { status: 409, body: { code: 'estimate_outdated' } };

      const first = await token();
      expect(await own.api.post('/v1/c/contract', { ...body, free_cycles: 1, estimate_token: first })).toMatchObject(outdated);
      await own.api.post('/v1/c/plan', planOf('pro', '31', { id: sold }));
      expect(await own.api.post('/v1/c/contract', { ...body, estimate_token: first })).toMatchObject(outdated);
      const second = await token();
      await own.api.made('/v1/c/preferences/tax', { rates: [{ rate: '0.19' }] });
      expect(await own.api.post('/v1/c/contract', { ...body, estimate_token: second })).toMatchObject(outdated);
      expect(await own.api.post('/v1/c/contract', { ...body, estimate_token: await token() })).toMatchObject({ status: 201 });
      expect(await own.api.post('/v1/c/contract_estimate', body)).toMatchObject({ status: 409, body: { code: 'contract_exists' } });
    });

    it('has a token of its own kind: neither another vendor’s nor that of a change is taken', async () => {
      const { contract } = await signed();
      const { body } = await onClock();
      const change = {
        upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: await vendor.api.made('/v1/c/plan', planOf('max', '60')) },
      };
      const ofChange = (await vendor.api.made<AnyJson>(`/v1/c/contract/${contract}/upgrade_estimate`, change)).estimate_token;
      for (const estimate_token of [ofChange, 'a.b', '']) {
        expect(await vendor.api.post('/v1/c/contract', { ...body, estimate_token })).toMatchObject({
          status: 400,
          body: { feedback: { estimate_token: { type: 'error' } } },
        });
      }
    });

    it('are refused as the signing would be', async () => {
      const { customer, body } = await onClock();
      const refused = async (more: AnyJson) => (await vendor.api.post('/v1/c/contract_estimate', { ...body, ...more })).status;
      expect([await refused({ customer: 'Cust_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f' }), await refused({ cycle: 'week' })]).toEqual([
        404, 404,
      ]);
      expect(await refused({ expiration: '2026-05-01T00:00:00Z' })).toBe(400);
      await vendor.api.post(`/v1/c/customer/${customer}/inactivate`, {});
      expect(await refused({})).toBe(409);
      await vendor.api.made(`/v1/c/customer/${customer}/erase`, {});
      const erased = { status: 409, body: { code: 'customer_erased' } };
      for (const path of ['contract_estimate', 'contract']) expect(await vendor.api.post(`/v1/c/${path}`, body)).toMatchObject(erased);
    });
  });

  it('need a key that may read: one that only reports usage may not', async () => {
    const { contract } = await signed();
    const { body } = await onClock();
    const [reading, reporting] = [await withScope(vendor, 'read'), await withScope(vendor, 'usage')];
    const statuses = async (key: typeof reading) => [
      (await key.get(`/v1/c/contract/${contract}/upcoming_invoice`)).status,
      (await key.post(`/v1/c/contract/${contract}/cancel_estimate`, { when: { type: 'now' } })).status,
      (await key.post('/v1/c/contract_estimate', body)).status,
    ];
    expect(await statuses(reading)).toEqual([200, 200, 200]);
    expect(await statuses(reporting)).toEqual([403, 403, 403]);
  });
});
