import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessible.ts';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { beginAct, choose, consoleScreenshot, follow, openConsole, pressAndRead, retype } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { pressByKeyboard, tabTo } from '../support/portal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { Receiver } from '../webhooks/receiver.ts';

for (const width of Object.values(WIDTHS))
  inBrowser(`from the first page of the console, by the keyboard alone, at ${width} px`, () => {
    let vendor: TestVendor;
    let receiver: Receiver;
    let page: Page;
    const flat = (amount: string) => ({ amount, strategy_details: { pricing_strategy: 'flat' } });
    const statuses = async (): Promise<string[]> =>
      (await vendor.api.read('/v1/c/invoice')).hits.map(
        ({ invoice }: { invoice: { deposit_transaction_status: string } }) => invoice.deposit_transaction_status,
      );

    const signs = async (name: string, plan: string, method: string): Promise<void> => {
      const customer: string = await vendor.api.made('/v1/c/customer', { name });
      await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
      const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
      await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: method });
      await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    };

    beforeAll(async () => {
      vendor = await newVendor('Bricks & Co');
      const seats = { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3', minimum_units: '1' };
      const plan: string = await vendor.api.made('/v1/c/plan', {
        slug: 'pro',
        internal_name: 'Pro',
        strategy: 'plan',
        features: [{ slug: 'seats', name: 'Seats' }],
        pricings: [
          { currency: 'usd', cycle: 'month', price: flat('100.00'), features: { seats: { amount: '5.00', strategy_details: seats } } },
          { currency: 'usd', cycle: 'year', price: flat('1000.00'), features: { seats: { amount: '50.00', strategy_details: seats } } },
        ],
      });
      receiver = await new Receiver().start();
      receiver.behave = (_, response) => {
        response.writeHead(500).end('the disk is full');
        return null;
      };
      await vendor.api.made('/v1/c/webhook_endpoint', { url: receiver.url, types: ['v1.invoice.paid'] });
      await signs('Ada Lovelace', plan, 'sandbox_ok');
      await signs('Ben Declined', plan, 'sandbox_insufficient_funds');
      await eventually(async () => expect((await statuses()).sort()).toEqual(['failed', 'succeeded']));
    });
    afterAll(() => receiver?.kill());
    beforeEach(async () => {
      page = await openConsole(vendor.apiKey, { width });
    });
    afterEach(() => page.context().close());

    const goToAda = async (): Promise<void> => {
      await tabTo(page, page.locator('#find'));
      await page.keyboard.type('Ada');
      await page.keyboard.press('Enter');
      await follow(page, page.getByRole('link', { name: 'Ada Lovelace' }).first(), 'Ada Lovelace');
    };
    const goToHerInvoice = async (): Promise<void> => {
      await goToAda();
      const charged = page.locator('section[aria-labelledby="invoices"]').getByRole('row').filter({ hasText: 'USD 115.00' });
      await follow(page, charged.getByRole('link').first(), /^Invoice /);
    };

    it('one finds out why a customer was charged 115.00', async () => {
      await goToHerInvoice();
      for (const how of await page.getByText('How it came about').all()) await pressByKeyboard(page, how);
      await page
        .getByText(/^3 (seats|units) at 5/)
        .first()
        .waitFor();
      await page.getByText('Test card ending in 4242').first().waitFor();
      await expectAccessible(page);
      if (width === WIDTHS.desk) await consoleScreenshot(page, 'why-charged-desk');
    });

    it('one gives back half of it', async () => {
      await goToHerInvoice();
      await beginAct(page, 'Refund');
      await retype(page, '#field-amount', '57.50');
      await pressAndRead(page, 'Show what it does', 'Back to: Test card ending in 4242');
      await pressAndRead(page, 'Give back USD 57.50', 'The refund was written');
      await page.getByText('USD 57.50').first().waitFor();
    });

    it('one moves the customer to the yearly plan', async () => {
      await goToAda();
      await follow(page, page.getByRole('link', { name: 'Pro', exact: true }), 'Pro');
      await beginAct(page, 'Change the contract');
      await choose(page, '#field-to', 'Pro: USD 1,150.00 a year');
      await pressAndRead(page, 'Next', 'The rules of the contract');
      await choose(page, '#field-when', 'Now');
      await pressAndRead(page, 'Show what it does', 'Price from then on');
      await pressAndRead(page, 'Change the contract', 'The contract was changed.');
      await page.getByText('USD 1,150.00 a year').first().waitFor();
    });

    it('one finds out why a webhook did not arrive', async () => {
      await eventually(async () => {
        await page.reload();
        await page.getByRole('heading', { name: 'Webhooks that don’t arrive' }).waitFor({ timeout: 1_000 });
      });
      await follow(page, page.getByRole('link', { name: receiver.url }), receiver.url);
      await follow(page, page.getByRole('link', { name: 'v1.invoice.paid' }).first(), 'v1.invoice.paid');
      await page.getByText('The event has not arrived').waitFor();
      await pressByKeyboard(page, page.locator('summary').filter({ hasText: 'Answer' }).first());
      await page.getByText('the disk is full').first().waitFor();
      await expectAccessible(page);
    });

    it('one sees what failed payments cost this month, whose they are and why', async () => {
      await page.getByText('USD 115.00 of one invoice is unpaid because a payment failed; of it USD 115.00 failed this month.').waitFor();
      const row = page.getByRole('row').filter({ hasText: 'Ben Declined' });
      expect(await row.textContent()).toContain('USD 115.00');
      expect(await row.textContent()).toContain('There was not enough money in the account.');
      await follow(page, row.getByRole('link', { name: 'Ben Declined' }), 'Ben Declined');
    });
  });
