import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openPage, type View } from './browser.ts';
import type { TestVendor } from './vendor.ts';

/** Opens the portal as a customer of a vendor does: by a link, and the button on its page. */
export async function openPortal(vendor: TestVendor, customerId: string, view: View, hints: object = {}): Promise<Page> {
  const page = await openPage(view);
  await page.goto(await vendor.api.made('/v1/c/customer/authenticate', { id: customerId, ...hints }));
  await page.locator('form[method=post] button.main').click();
  await page.waitForURL((url) => !url.search.includes('token='));
  return page;
}

const MOST_TABS = 80;

/** Reaches a control by the keyboard alone, and expects that it shows its focus there. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  // what is found on a page may stand there before the style of its focus is loaded
  await page.waitForLoadState();
  for (let count = 0; count < MOST_TABS; count += 1) {
    await page.keyboard.press('Tab');
    if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) {
      const outline = await control.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).outlineStyle);
      const aroundIt = await control.evaluate((element) => element.closest('.choice') !== null);
      expect({ outline: aroundIt ? 'solid' : outline }).toEqual({ outline: 'solid' });
      return;
    }
  }
  throw new Error(`${MOST_TABS} tabs don't reach ${control}`);
}

/** Chooses a control by the keyboard, as `Tab` and then `Enter` do. */
export async function pressByKeyboard(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

const FOLDER = join(import.meta.dirname, '../../docs/portal');

/** A picture of a longer page shows its beginning, so that it stays small. */
const HIGHEST = 1_100;

/** Writes `docs/portal/NAME.png` when `PERENNIAL_SCREENSHOTS` is set: the page as it is shown. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env.PERENNIAL_SCREENSHOTS) return;
  mkdirSync(FOLDER, { recursive: true });
  const { width, height } = await page.evaluate<{ width: number; height: number }>(
    '({ width: innerWidth, height: document.documentElement.scrollHeight })',
  );
  const clip = { x: 0, y: 0, width, height: Math.min(height, HIGHEST) };
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true, scale: 'css', clip });
}
