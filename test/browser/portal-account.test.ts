import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessible.ts';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { openPortal, pressByKeyboard, screenshot, tabTo } from '../support/portal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

inBrowser('the customer’s own data in the portal', () => {
  let vendor: TestVendor;

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    const links = [{ label: { en: 'Terms', de: 'AGB' }, url: 'https://example.com/terms' }];
    const texts = { footer: { en: 'Bricks & Co Ltd, London', de: 'Bricks & Co Ltd, London' } };
    await vendor.api.made('/v1/c/preferences/portal', { links, texts, color: '#7a1fa2', return_urls: ['https://app.example.com'] });
  });

  const signsUp = (): Promise<string> =>
    vendor.api.made('/v1/c/customer', {
      name: 'Ada Lovelace',
      emails: { main: 'ada@example.com' },
      addresses: { main: { line_1: '1 Main St', city: 'Berlin', zip: '10115', country: 'DE' } },
    });

  const opens = async (customer: string, view: Parameters<typeof openPortal>[2]): Promise<Page> => {
    const page = await openPortal(vendor, customer, view, { return_url: 'https://app.example.com/settings' });
    await page.getByRole('link', { name: 'Billing details' }).click();
    await page.getByRole('heading', { name: 'Billing details' }).waitFor();
    return page;
  };

  /** Types into a field that is reached by the keyboard, in place of what stands there. */
  const types = async (page: Page, label: string, text: string): Promise<void> => {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.type(text);
  };

  describe.each(Object.entries(WIDTHS))('on a %s', (name, width) => {
    it.each([false, true])('can be used by everybody, with errors too, dark: %s', async (dark) => {
      const page = await opens(await signsUp(), { width, dark });
      await expectAccessible(page);
      if (name === 'desk' && !dark) await screenshot(page, 'account-desk');
      await page.getByLabel('City').fill('');
      await page.getByLabel('VAT id (optional)').fill('DE1');
      await page.getByRole('button', { name: 'Confirm changes' }).click();
      await page.getByRole('heading', { name: 'There are 2 problems' }).waitFor();
      await expectAccessible(page);
      if (name === 'phone' && dark) await screenshot(page, 'account-errors-phone-dark');
    });

    it.each([true, false])('are changed by the keyboard alone, after a mistake that is named and found, scripts: %s', async (scripts) => {
      const customer = await signsUp();
      const page = await opens(customer, { width, scripts });
      await types(page, 'Name', 'Ada King');
      await types(page, 'City', '');
      await tabTo(page, page.getByLabel('Country'));
      await page.keyboard.type('Austria');
      await pressByKeyboard(page, page.getByRole('button', { name: 'Confirm changes' }));
      await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
      await pressByKeyboard(page, page.getByRole('link', { name: 'Enter the city.' }));
      await page.keyboard.type('Wien');
      expect(await page.getByLabel('City').inputValue()).toBe('Wien');
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada King');
      await pressByKeyboard(page, page.getByRole('button', { name: 'Confirm changes' }));
      await page.getByText('Future invoices are taxed for Austria').waitFor();
      expect(await vendor.api.read(`/v1/c/customer/${customer}`)).toMatchObject({
        name: 'Ada King',
        address: { city: 'Wien', country: 'AT', line_1: '1 Main St' },
      });
      expect(await page.getByRole('link', { name: 'Back to Bricks & Co' }).getAttribute('href')).toBe('https://app.example.com/settings');
    });
  });
});
