import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessible.ts';
import type { AnyJson } from '../support/api.ts';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { clockOf } from '../support/clock.ts';
import { openPortal, pressByKeyboard, screenshot } from '../support/portal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const calls = {
  pricing_strategy: 'usage',
  unit_name: 'calls',
  maximum_units: '20000',
  over_usage_price: '0.001',
  over_usage_charge_strategy: 'extra_usage_overcharge',
};
const seats = { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3', minimum_units: '1' };
const CALLS = [1200, 3400, 8800, 12_000, 15_500, 9_000];

inBrowser('what a customer sees in the portal', () => {
  let vendor: TestVendor;
  let customer: string;
  let contract: string;

  const addMethod = async (name: string): Promise<void> => {
    const { token } = await vendor.api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: name });
    const methods = await vendor.api.read(`/v1/c/customer/${customer}/payment/method`);
    await vendor.api.made(`/v1/c/customer/${customer}/payment/method_selection`, { payment_method: methods.at(-1).id });
  };

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    const rates = [{ tax_code: null, country: 'DE', state: null, rate: '0.19' }];
    await vendor.api.made('/v1/c/preferences/tax', { rates, policy: 'tax_excluded' });
    const plan = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro 2025',
      external_name: 'Pro',
      strategy: 'plan',
      features: [
        { slug: 'seats', name: 'Seats' },
        { slug: 'calls', name: 'API calls' },
        { slug: 'sso', name: 'Single sign-on' },
      ],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          price: { amount: '29.00', strategy_details: { pricing_strategy: 'flat' } },
          features: {
            seats: { amount: '5.00', strategy_details: seats },
            calls: { amount: '0.0006', strategy_details: calls },
          },
        },
      ],
    });
    const clock = await clockOf(vendor, '2025-01-31T00:00:00Z');
    const addresses = { main: { line_1: '1 Main St', city: 'Berlin', zip: '10115', country: 'DE' } };
    const emails = { main: 'ada@example.com' };
    customer = await vendor.api.made('/v1/c/customer', { name: 'Ada Lovelace', emails, addresses, test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    await addMethod('sandbox_ok');
    contract = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    for (const [at, units] of CALLS.entries()) {
      await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: String(units) });
      if (at === CALLS.length - 2) await addMethod('sandbox_insufficient_funds');
      if (at < CALLS.length - 1) await clock.advanceTo(`2025-${String(at + 3).padStart(2, '0')}-01T12:00:00Z`);
    }
    await clock.advanceTo('2025-07-02T12:00:00Z');
    await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '12500' });
    await vendor.api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'eur', amount: '12.50', description: 'a credit' });
    const credits = { customer, currency: 'eur', amount: '10.00', kind: 'promotional', expires_at: '2025-09-01T00:00:00Z' };
    await vendor.api.made('/v1/c/credit_grant', credits);
  });

  describe.each(Object.entries(WIDTHS))('on a %s', (name, width) => {
    it('is found by the keyboard alone: what failed, the subscription with its next invoice and usage, documents, payments', async () => {
      const page = await openPortal(vendor, customer, { width });
      await page.getByText('There was not enough money in the account.').first().waitFor();
      await page.getByText('EUR 10.00 until 1 September 2025').waitFor();
      await expectAccessible(page);
      await screenshot(page, `overview-${name}`);
      await pressByKeyboard(page, page.getByRole('link', { name: 'Details of Pro' }));
      await page.getByRole('heading', { name: 'Next invoice' }).waitFor();
      expect(await page.getByRole('img', { name: 'API calls, by period' }).isVisible()).toBe(true);
      await expectAccessible(page);
      await screenshot(page, `contract-${name}`);
      await pressByKeyboard(page, page.getByText('Show as a table'));
      expect(await page.getByRole('row').filter({ hasText: '21,500 calls' }).isVisible()).toBe(true);
      await expectAccessible(page);
      await pressByKeyboard(page, page.getByRole('link', { name: 'Invoices', exact: true }));
      await page.getByRole('heading', { name: 'Invoices' }).waitFor();
      await pressByKeyboard(page, page.getByRole('link', { name: 'Open', exact: true }));
      await page.getByText('Overdue since').first().waitFor();
      await expectAccessible(page);
      await screenshot(page, `invoices-${name}`);
      await pressByKeyboard(page, page.getByRole('link', { name: 'Payments', exact: true }));
      await page.getByRole('heading', { name: 'Payments' }).waitFor();
      await expectAccessible(page);
    });

    it('can be read at twice the usual size of text, all of which grows alike', async () => {
      const page = await openPortal(vendor, customer, { width, fontSize: 32 });
      const origin = new URL(page.url()).origin;
      for (const path of ['', `/contract/${contract}`, `/contract/${contract}/change`, '/invoices?show=open', '/payments', '/methods']) {
        await page.goto(`${origin}/portal${path}`);
        const size = await page.evaluate<string>('getComputedStyle(document.body).fontSize');
        expect({ path, size }).toEqual({ path, size: '32px' });
        await expectAccessible(page);
      }
    });

    it('can be used in the dark and without scripts, in German', async () => {
      const page: Page = await openPortal(vendor, customer, { width, dark: true, locale: 'de-DE' });
      await page.getByRole('heading', { name: 'Offene Rechnungen' }).waitFor();
      await page.getByRole('heading', { name: 'Ihr vorausbezahltes Guthaben' }).waitFor();
      await expectAccessible(page);
      await page.goto(`${new URL(page.url()).origin}/portal/contract/${contract}`);
      await page.getByRole('heading', { name: 'Nächste Rechnung' }).waitFor();
      await expectAccessible(page);
      await screenshot(page, `contract-dark-${name}`);
      const plain: Page = await openPortal(vendor, customer, { width, scripts: false, locale: 'de-DE' });
      await plain.getByRole('link', { name: 'Details zu Pro' }).click();
      await plain.getByText('Als Tabelle zeigen').click();
      expect(await plain.getByRole('row').filter({ hasText: '21.500 calls' }).isVisible()).toBe(true);
      await plain.getByRole('link', { name: 'Rechnungen', exact: true }).click();
      const download = plain.waitForEvent('download');
      await plain.getByRole('link', { name: /^Rechnung 1\b/ }).click();
      expect((await download).suggestedFilename()).toBe('invoice-1.pdf');
    });
  });
});
