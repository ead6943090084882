import { type ClockHandle, clockOf } from '../support/clock.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('what happens next, on the page of a contract in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let clock: ClockHandle;
  let plan: string;

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    plan = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro',
      strategy: 'plan',
      features: [{ slug: 'calls', name: 'API calls' }],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          price: { amount: '29.00', strategy_details: { pricing_strategy: 'flat' } },
          features: { calls: { amount: '0.50', strategy_details: { pricing_strategy: 'usage', unit_name: 'call' } } },
        },
      ],
    });
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  beforeEach(async () => {
    clock = await clockOf(vendor, '2025-01-10T00:00:00Z');
  });

  const customerWith = async (method: string | null): Promise<string> => {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    if (method === null) return customer;
    const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, {});
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: method });
    return customer;
  };
  const signs = (customer: string, more: object = {}): Promise<string> =>
    vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month', ...more });
  /** The section of the page. */
  const next = async (contract: string): Promise<string> => {
    const text = await visitor.text(`/console/contract/${contract}`);
    return text.slice(text.indexOf('What happens next'), text.indexOf('What was sold'));
  };

  it('names the retries of its payment and the day on which it is canceled, as the Temporal UI does', async () => {
    const contract = await signs(await customerWith('sandbox_declined'), { on_dunning_end: 'cancel' });
    await clock.advanceTo('2025-01-10T00:01:00Z');
    expect(await next(contract)).toMatch(
      /A payment is tried again 11 January 2025.* An invoice has to be paid by then, else the contract’s rule applies 17 January 2025.* The usage of a period is closed 10 February 2025/,
    );
  });

  it('names the day on which a freeze ends by itself, and that nothing happens until the customer is activated', async () => {
    const customer = await customerWith('sandbox_ok');
    const contract = await signs(customer);
    await vendor.api.made(`/v1/c/customer/${customer}/inactivate`, { resume_at: '2025-01-20T00:00:00Z' });
    expect(await next(contract)).toContain('The freeze ends 20 January 2025');
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    await vendor.api.made(`/v1/c/customer/${customer}/inactivate`, {});
    expect(await next(contract)).toContain('The customer is frozen: nothing happens until it is activated.');
  });

  it('says what waits for somebody: a pending contract, and usage that only a call closes', async () => {
    const pending = await signs(await customerWith(null), { is_pending: true });
    expect(await next(pending)).toContain('It begins once it is activated.');
    const customer = await customerWith('sandbox_ok');
    const contract = await signs(customer, { usage_period_closing_policy: 'manual' });
    expect(await next(contract)).not.toContain('closed by hand');
    await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' } });
    expect(await next(contract)).toContain('Usage of period 1 waits to be closed by hand.');
    await vendor.api.made(`/v1/c/contract/${contract}/usage_period/1/close`, {});
    expect(await next(contract)).toContain('Nothing is due.');
  });

  it('says which charges and invoices wait for somebody', async () => {
    const contract = await signs(await customerWith('sandbox_ok'), { invoice_trigger: 'manual' });
    expect(await next(contract)).toContain('Charges wait for an invoice that is made by hand.');
    const [draft = ''] = await vendor.api.made<string[]>('/v1/c/invoice', { contract_id: contract });
    const { invoice } = await vendor.api.read(`/v1/c/invoice/${draft}`);
    const text = await next(contract);
    expect(text).toContain(`Invoice ${invoice.invoice_number.number} waits to be reviewed.`);
    expect(text).not.toContain('Charges wait');
    await vendor.api.made(`/v1/c/invoice/${draft}/validate`, {});
    expect(await next(contract)).not.toContain('waits to be reviewed');
    const automatic = await signs(await customerWith('sandbox_ok'));
    expect(await next(automatic)).not.toMatch(/Charges wait|to be reviewed/);
  });

  it('says that a trial cancels the contract only without a payment method, and what a gate drops', async () => {
    const trial = await signs(await customerWith(null), { free_trial_days: 14, on_trial_end: 'cancel_without_method' });
    expect(await next(trial)).toContain('The contract ends with its trial unless there is a payment method 24 January 2025');
    const gated = await signs(await customerWith('sandbox_slow'), { payment_gate: { expires_in_hours: 24 } });
    expect(await next(gated)).toContain('What waits for its payment is dropped unless it is paid 11 January 2025');
  });
});
