import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessible.ts';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { clockOf } from '../support/clock.ts';
import { consoleScreenshot, openConsole } from '../support/console.ts';
import { pressByKeyboard, tabTo } from '../support/portal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

inBrowser('the console', () => {
  let vendor: TestVendor;
  let customer: string;
  let clockId: string;
  let contract: string;
  let invoice: string;

  const addMethod = async (of: string, name: string): Promise<void> => {
    const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${of}/payment/session`, { provider: 'sandbox' });
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: name });
  };
  const useMethod = async (name: string): Promise<void> => {
    await addMethod(customer, name);
    const methods = await vendor.api.read(`/v1/c/customer/${customer}/payment/method`);
    await vendor.api.made(`/v1/c/customer/${customer}/payment/method_selection`, { payment_method: methods.at(-1).id });
  };

  /** Others sign as the months pass, with more seats each time. */
  const signs = async (name: string, plan: string, seats: string, free_trial_days = 0): Promise<void> => {
    const other: string = await vendor.api.made('/v1/c/customer', { name, test_clock: clockId });
    await vendor.api.made(`/v1/c/customer/${other}/activate`, {});
    await addMethod(other, 'sandbox_ok');
    const terms = { plan, currency: 'usd', cycle: 'month', free_trial_days, unit_count_configuration: { seats } };
    await vendor.api.made('/v1/c/contract', { customer: other, ...terms });
  };

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    const rates = [{ tax_code: null, country: 'DE', state: null, rate: '0.19' }];
    await vendor.api.made('/v1/c/preferences/tax', { rates, policy: 'tax_excluded' });
    const seats = { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3', minimum_units: '1' };
    const plan = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro 2025',
      external_name: 'Pro',
      strategy: 'plan',
      features: [
        { slug: 'seats', name: 'Seats' },
        { slug: 'sso', name: 'Single sign-on' },
      ],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          price: { amount: '29.00', strategy_details: { pricing_strategy: 'flat' } },
          features: { seats: { amount: '5.00', strategy_details: seats } },
        },
      ],
    });
    const clock = await clockOf(vendor, '2024-10-31T00:00:00Z');
    clockId = clock.id;
    await signs('Blue Harbor', plan, '8');
    await clock.advanceTo('2024-12-15T12:00:00Z');
    await signs('Cirrus', plan, '12');
    await clock.advanceTo('2025-01-31T00:00:00Z');
    await signs('Delta Dance', plan, '5');
    const addresses = { main: { line_1: '1 Main St', city: 'Berlin', zip: '10115', country: 'DE' } };
    const emails = { main: 'ada@example.com' };
    customer = await vendor.api.made('/v1/c/customer', {
      name: 'Ada Lovelace',
      emails,
      addresses,
      test_clock: clock.id,
      customer_reference: 'crm-4711',
    });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    await useMethod('sandbox_ok');
    contract = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    await clock.advanceTo('2025-03-01T12:00:00Z');
    await signs('Echo Labs', plan, '20');
    await useMethod('sandbox_insufficient_funds');
    await clock.advanceTo('2025-04-02T12:00:00Z');
    await signs('Fern & Sons', plan, '4', 14);
    await vendor.api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'eur', amount: '12.50', description: 'a credit' });
    const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}`);
    invoice = hits.at(-1).invoice.id;
  });

  describe.each(Object.entries(WIDTHS))('on a %s', (name, width) => {
    it('is entered, searched and left by the keyboard alone: customer, contract, invoice and its explanation', async () => {
      const page: Page = await openConsole(vendor.apiKey, { width });
      await expectAccessible(page);
      await page.goto(`${new URL(page.url()).origin}/console?test_clock=${clockId}`);
      await page.getByText('Show as a table').first().click();
      await page.getByRole('columnheader', { name: 'Churn' }).first().waitFor({ state: 'attached' });
      await expectAccessible(page);
      await page.getByText('Show as a table').first().click();
      await consoleScreenshot(page, `overview-${name}`);
      await tabTo(page, page.locator('#find'));
      await page.keyboard.type('lovel');
      await page.keyboard.press('Enter');
      await pressByKeyboard(page, page.getByRole('link', { name: 'Ada Lovelace' }).first());
      await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
      await expectAccessible(page);
      await consoleScreenshot(page, `customer-${name}`);
      await pressByKeyboard(page, page.getByRole('link', { name: 'Pro', exact: true }));
      await page.getByRole('heading', { name: 'What happens next' }).waitFor();
      await expectAccessible(page);
      await consoleScreenshot(page, `contract-${name}`);
      await page.goto(`${new URL(page.url()).origin}/console/audit`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectAccessible(page);
      await consoleScreenshot(page, `audit-${name}`);
      await page.goto(`${new URL(page.url()).origin}/console/invoice/${invoice}`);
      await pressByKeyboard(page, page.getByText('How it came about').first());
      await expectAccessible(page);
      await consoleScreenshot(page, `invoice-${name}`);
      await pressByKeyboard(page, page.getByRole('button', { name: 'Sign out', exact: true }));
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await expectAccessible(page);
      await consoleScreenshot(page, `sign-in-${name}`);
    });

    it('can be used in the dark and without scripts, in German', async () => {
      const page: Page = await openConsole(
        vendor.apiKey,
        { width, dark: true, scripts: true, locale: 'de-DE' },
        `/console/customer/${customer}`,
      );
      await page.getByRole('heading', { name: 'Zahlungsmittel' }).waitFor();
      await expectAccessible(page);
      await consoleScreenshot(page, `customer-dark-${name}`);
      await page.goto(`${new URL(page.url()).origin}/console?test_clock=${clockId}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectAccessible(page);
      await consoleScreenshot(page, `overview-dark-${name}`);
      for (const path of [
        'customers',
        'contracts',
        'invoices',
        'events',
        'audit',
        `contract/${contract}`,
        'search?q=nobody',
        'nothing',
        `contract/${contract}/cancel?when=now&credit=yes`,
        `customer/${customer}/freeze`,
        `invoice/${invoice}/pay`,
      ]) {
        await page.goto(`${new URL(page.url()).origin}/console/${path}`);
        await expectAccessible(page);
      }
      const plain: Page = await openConsole(vendor.apiKey, { width, scripts: false, locale: 'de-DE' }, `/console/invoice/${invoice}`);
      await plain.getByText('Wie es zustande kam').first().click();
      const download = plain.waitForEvent('download');
      await plain.getByRole('link', { name: 'PDF herunterladen' }).click();
      expect((await download).suggestedFilename()).toMatch(/^invoice-\d+\.pdf$/);
      await plain.getByRole('button', { name: 'English' }).click();
      await plain.getByRole('heading', { name: 'Lines' }).waitFor();
    });
  });
});
