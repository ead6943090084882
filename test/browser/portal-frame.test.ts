import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessible.ts';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { openPortal, pressByKeyboard } from '../support/portal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

inBrowser('the frame of the portal', () => {
  let vendor: TestVendor;
  let customer: string;

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    customer = await vendor.api.made('/v1/c/customer', { name: 'Ada Lovelace', emails: { main: 'ada@example.com' } });
  });

  describe.each(Object.entries(WIDTHS))('on a %s', (_, width) => {
    it.each([false, true])('can be used by everybody, dark: %s', async (dark) => {
      const page = await openPortal(vendor, customer, { width, dark });
      await expectAccessible(page);
      await page.goto(`${new URL(page.url()).origin}/portal/nothing`);
      await expectAccessible(page);
    });

    it('is entered, read in German and left by the keyboard, without scripts', async () => {
      const page: Page = await openPortal(vendor, customer, { width, scripts: false });
      await pressByKeyboard(page, page.getByRole('button', { name: 'Deutsch' }));
      await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await pressByKeyboard(page, page.getByRole('button', { name: 'Abmelden' }));
      await page.getByRole('heading', { name: 'Sie sind nicht angemeldet' }).waitFor();
    });
  });
});
