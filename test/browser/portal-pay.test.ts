import type { Page } from 'playwright-core';
import { expectsAttempts, givesMethod, owingCustomer, sellsPlan } from '../portal/pay-support.ts';
import { expectAccessible } from '../support/accessible.ts';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { openPortal, pressByKeyboard, screenshot, tabTo } from '../support/portal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

inBrowser('paying in the portal', () => {
  let vendor: TestVendor;
  let plan: string;

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    plan = await sellsPlan(vendor);
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

  it('a second click on Pay, while the first is being sent, sends nothing', async () => {
    const { customer, invoice } = await owingCustomer(vendor, plan);
    await givesMethod(vendor, customer, 'sandbox_ok');
    const page = await openPortal(vendor, customer, { width: WIDTHS.desk }, { flow: 'pay', invoice });
    // the page stays where it is, as one does whose server is slow
    const stopped = await page.evaluate<boolean[]>(`(() => {
      const stopped = [];
      document.addEventListener('submit', (event) => { stopped.push(event.defaultPrevented); event.preventDefault(); });
      const pay = [...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Pay EUR 30.00'));
      pay.click();
      pay.click();
      return stopped;
    })()`);
    expect(stopped).toEqual([false, true]);
    await expectsAttempts(vendor, invoice);
  });

  describe.each(Object.entries(WIDTHS))('on a %s', (size, width) => {
    it('a declined card, then a new one that the bank asks about: by the keyboard alone, without scripts', async () => {
      const { customer, invoice } = await owingCustomer(vendor, plan);
      await givesMethod(vendor, customer, 'sandbox_declined');
      const page = await openPortal(vendor, customer, { width, scripts: false }, { flow: 'pay', invoice });
      await heading(page, 'How do you want to pay?');
      await pressByKeyboard(page, button(page, 'Pay EUR 30.00'));
      await page.getByRole('alert').getByText('Your bank declined the payment').waitFor();
      await pressByKeyboard(page, button(page, 'Use a new payment method'));
      await heading(page, 'Test payment provider');
      await tabTo(page, page.getByRole('radio').first());
      const asks = page.getByRole('radio', { name: 'sandbox_needs_action' });
      while (!(await asks.isChecked())) await page.keyboard.press('ArrowDown');
      await pressByKeyboard(page, button(page, 'Confirm the method'));
      await pressByKeyboard(page, button(page, 'Approve'));
      expect(await page.getByRole('radio', { name: 'Test card (asks to confirm)' }).isChecked()).toBe(true);
      await pressByKeyboard(page, button(page, 'Pay EUR 30.00'));
      await heading(page, 'Test bank');
      await pressByKeyboard(page, button(page, 'Approve'));
      await page.getByText('Paid EUR 30.00. Thank you.').waitFor();
      await expectsAttempts(vendor, invoice, 'failed declined 30.00', 'succeeded 30.00');
    });

    it('each page on the way can be used by everybody', async () => {
      const { customer, invoice } = await owingCustomer(vendor, plan);
      await givesMethod(vendor, customer, 'sandbox_insufficient_funds');
      const asks = await givesMethod(vendor, customer, 'sandbox_needs_action');
      const page = await openPortal(vendor, customer, { width, dark: width === WIDTHS.phone }, { flow: 'pay', invoice });
      await button(page, 'Pay EUR 30.00').click();
      await page.getByRole('alert').waitFor();
      await expectAccessible(page);
      await screenshot(page, `pay-${size}`);
      await page.locator(`input[value="${asks}"]`).check();
      await button(page, 'Pay EUR 30.00').click();
      await heading(page, 'Test bank');
      await expectAccessible(page);
      await page.goBack();
      await page.reload();
      await heading(page, 'Confirm with your bank');
      await expectAccessible(page);
      await screenshot(page, `confirm-${size}`);
      await button(page, 'Pay in another way').click();
      await heading(page, 'How do you want to pay?');
    });

    it('methods are listed, added, chosen and removed', async () => {
      const { customer } = await owingCustomer(vendor, plan);
      await givesMethod(vendor, customer, 'sandbox_ok');
      const page = await openPortal(vendor, customer, { width }, { flow: 'method' });
      await expectAccessible(page);
      await button(page, 'Add a payment method').click();
      await heading(page, 'Test payment provider');
      await expectAccessible(page);
      await button(page, 'Confirm the method').click();
      await page.getByText('The payment method was added.').waitFor();
      await expectAccessible(page);
      await screenshot(page, `methods-${size}`);
      await page.getByRole('button', { name: /^Make default: / }).click();
      await page.getByText('is now your default method').waitFor();
      await page
        .getByRole('link', { name: /^Remove / })
        .first()
        .click();
      await expectAccessible(page);
      await button(page, 'Confirm the removal').click();
      await page.getByText('was removed').waitFor();
      expect(await page.getByRole('link', { name: /^Remove / }).count()).toBe(0);
    });
  });
});
