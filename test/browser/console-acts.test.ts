import type { Page } from 'playwright-core';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { clockOf } from '../support/clock.ts';
import { beginAct, consoleScreenshot, openConsole, pressAndRead, retype } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { pressByKeyboard } from '../support/portal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

inBrowser('acts in the console', () => {
  let vendor: TestVendor;
  let clockId: string;
  const flat = (amount: string) => ({ amount, strategy_details: { pricing_strategy: 'flat' } });

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    const seats = { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3', minimum_units: '1' };
    await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro',
      strategy: 'plan',
      features: [{ slug: 'seats', name: 'Seats' }],
      pricings: [
        { currency: 'usd', cycle: 'month', price: flat('100.00'), features: { seats: { amount: '5.00', strategy_details: seats } } },
        { currency: 'usd', cycle: 'year', price: flat('1000.00'), features: { seats: { amount: '50.00', strategy_details: seats } } },
      ],
    });
    clockId = (await clockOf(vendor, '2025-01-31T00:00:00Z')).id;
  });

  const customerCalled = async (name: string): Promise<string> => {
    const customer: string = await vendor.api.made('/v1/c/customer', { name, customer_reference: name.toLowerCase(), test_clock: clockId });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
    return customer;
  };

  describe.each(Object.entries(WIDTHS))('on a %s', (name, width) => {
    it('sign, pay, give half back, change to the yearly plan, grant and void: by the keyboard alone', async () => {
      const customer = await customerCalled(`Ada-${name}`);
      const page: Page = await openConsole(vendor.apiKey, { width }, `/console/customer/${customer}`);
      await beginAct(page, 'Sign a contract');
      await pressAndRead(page, 'Next', 'First day');
      await pressAndRead(page, 'Show what it does', 'Charged on 31 January 2025');
      await page.getByText('USD 115.00').first().waitFor();
      await pressAndRead(page, 'Sign a contract', 'The contract was signed.');
      const contract = page.url();
      const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract.split('/').at(-1)}`)).hits;
      await eventually(async () => expect((await vendor.api.read(`/v1/c/invoice/${invoice.id}`)).invoice.status).toBe('paid'));

      await page.goto(`${new URL(contract).origin}/console/invoice/${invoice.id}`);
      await beginAct(page, 'Refund');
      await retype(page, '#field-amount', '999');
      await pressAndRead(page, 'Show what it does', 'give at most USD 115.00');
      await retype(page, '#field-amount', '57.50');
      await pressAndRead(page, 'Show what it does', 'Back to: Test card ending in 4242');
      await consoleScreenshot(page, `refund-${name}`);
      await pressAndRead(page, 'Give back USD 57.50', 'The refund was written');

      await page.goto(contract);
      await beginAct(page, 'Change the contract');
      await page.locator('#field-to').selectOption({ label: 'Pro: USD 1,150.00 a year' });
      await pressAndRead(page, 'Next', 'The rules of the contract');
      await page.locator('#field-when').selectOption({ label: 'Now' });
      await pressAndRead(page, 'Show what it does', 'Price from then on');
      await consoleScreenshot(page, `change-${name}`);
      await pressAndRead(page, 'Change the contract', 'The contract was changed.');

      await page.goto(`${new URL(contract).origin}/console/customer/${customer}`);
      await beginAct(page, 'Grant credits');
      await retype(page, '#field-amount', '25.00');
      await pressAndRead(page, 'Show what it does', 'Left for later');
      await pressAndRead(page, 'Give USD 25.00', 'The credits were granted.');
      await beginAct(page, 'Void the credits');
      await pressAndRead(page, 'Void the credits', 'The credits were voided.');
    });

    it('credit note, cancel later and take that back, freeze and activate, cancel now: by the keyboard alone', async () => {
      const customer = await customerCalled(`Bob-${name}`);
      const plan = (await vendor.api.read('/v1/c/plan?slug=pro')).hits[0].id;
      const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
      const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
      await eventually(async () => expect((await vendor.api.read(`/v1/c/invoice/${invoice.id}`)).invoice.status).toBe('paid'));
      const page: Page = await openConsole(vendor.apiKey, { width }, `/console/invoice/${invoice.id}`);
      await beginAct(page, 'Credit note');
      await retype(page, '#field-amount', '15.00');
      await pressAndRead(page, 'Show what it does', 'To the wallet');
      await pressAndRead(page, 'Write the credit note of USD 15.00', 'The credit note was written');

      const visit = (path: string) => page.goto(`${new URL(page.url()).origin}/console/${path}`);
      await visit(`contract/${contract}`);
      await beginAct(page, 'Cancel the contract');
      await pressAndRead(page, 'Cancel at the end of the cycle', 'The contract was canceled.');
      await beginAct(page, 'Take the cancellation back');
      await pressAndRead(page, 'Take the cancellation back', 'The cancellation was taken back.');

      await visit(`customer/${customer}`);
      await beginAct(page, 'Freeze the customer');
      await retype(page, '#field-notes', 'asked by phone');
      await pressAndRead(page, 'Freeze the customer', 'The customer is frozen.');
      await beginAct(page, 'Activate the customer');
      await pressAndRead(page, 'Activate the customer', 'The customer is active.');

      await visit(`contract/${contract}`);
      await beginAct(page, 'Cancel the contract');
      await pressByKeyboard(page, page.getByRole('link', { name: 'Now, with unused time given back', exact: true }));
      await pressAndRead(page, 'Cancel now', 'The contract was canceled.');
      expect((await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary.status).toBe('canceled');
    });

    it('can be asked for without scripts, in the dark and in German', async () => {
      const customer = await customerCalled(`Grace-${name}`);
      const plain: Page = await openConsole(
        vendor.apiKey,
        { width, scripts: false, dark: true, locale: 'de-DE' },
        `/console/customer/${customer}`,
      );
      await plain.getByRole('link', { name: 'Vertrag schließen' }).click();
      await plain.getByRole('button', { name: 'Weiter' }).click();
      await plain.goto(`${plain.url()}&next=yes&units.seats=0`);
      await plain.getByRole('alert').getByText('geben Sie mindestens 1 an').waitFor();
      for (const path of ['grant', 'wallet', 'erase']) {
        await plain.goto(`${new URL(plain.url()).origin}/console/customer/${customer}/${path}`);
        await plain.getByRole('heading', { level: 1 }).waitFor();
      }
      await plain.locator('#field-confirm').fill(`grace-${name}`);
      await plain.getByRole('button', { name: 'Personendaten löschen' }).click();
      await plain.getByText('Die eigenen Daten des Kunden sind gelöscht').waitFor();
    });
  });
});
