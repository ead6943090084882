import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from './accessible.ts';
import { openPage, type View } from './browser.ts';
import { pressByKeyboard, tabTo } from './portal.ts';
import { servers } from './servers.ts';

/** Opens the console and signs in by the keyboard alone. */
export async function openConsole(key: string, view: View, path = '/console'): Promise<Page> {
  const page = await openPage(view);
  await page.goto(`${(await servers()).baseUrl}${path}`);
  await tabTo(page, page.locator('#field-api_key'));
  await page.keyboard.type(key);
  await pressByKeyboard(page, page.locator('form[action="/console/sign_in"] button.main'));
  await page.locator('nav').first().waitFor();
  return page;
}

/** Goes to an act from a page's list of what can be done. */
export async function beginAct(page: Page, act: string): Promise<void> {
  await pressByKeyboard(page, page.getByRole('link', { name: act, exact: true }));
  await page.getByRole('heading', { name: act, level: 1 }).waitFor();
  await expectAccessible(page);
}

/** Presses a button; the next page has some words. */
export async function pressAndRead(page: Page, button: string, words: string): Promise<void> {
  await pressByKeyboard(page, page.getByRole('button', { name: button, exact: true }));
  await page.getByText(words).first().waitFor();
  await expectAccessible(page);
}

/** Follows a link by the keyboard to a page with a heading. */
export async function follow(page: Page, link: Locator, heading: string | RegExp): Promise<void> {
  await pressByKeyboard(page, link);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  await expectAccessible(page);
}

/** Types into a field in the place of what it has. */
export async function retype(page: Page, field: string, text: string): Promise<void> {
  await tabTo(page, page.locator(field));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

const MOST_OPTIONS = 30;

/** Chooses an option by the keyboard: with the arrows, as its text is read out. */
export async function choose(page: Page, field: string, option: string): Promise<void> {
  await tabTo(page, page.locator(field));
  for (let count = 0; count < MOST_OPTIONS; count += 1) {
    if ((await page.locator(`${field} option:checked`).textContent()) === option) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`${field} has no option ${option}`);
}

const FOLDER = join(import.meta.dirname, '../../docs/console');

/** Those that the docs show. */
const KEPT: ReadonlySet<string> = new Set([
  'overview-desk',
  'customer-desk',
  'contract-desk',
  'invoice-desk',
  'customer-dark-phone',
  'customer-phone',
  'overview-dark-phone',
  'imports-desk',
  'import-desk',
  'audit-desk',
  'refund-desk',
  'change-desk',
  'plan-desk',
  'plan-editor-desk',
  'plan-move-desk',
  'webhook-desk',
  'webhook-event-desk',
  'clock-desk',
  'due-desk',
  'preferences-review-desk',
]);

/** A picture of a longer page shows its beginning, so that it stays small. */
const HIGHEST = 1_100;

/** Writes `docs/console/NAME.png` when `PERENNIAL_SCREENSHOTS` is set: the page as it is shown, or from a part on. */
export async function consoleScreenshot(page: Page, name: string, from?: Locator): Promise<void> {
  if (!process.env.PERENNIAL_SCREENSHOTS || !KEPT.has(name)) return;
  mkdirSync(FOLDER, { recursive: true });
  const { width, height } = await page.evaluate<{ width: number; height: number }>(
    '({ width: innerWidth, height: document.documentElement.scrollHeight })',
  );
  const y =
    from === undefined ? 0 : await from.evaluate((one) => one.getBoundingClientRect().top + (one.ownerDocument.defaultView?.scrollY ?? 0));
  const clip = { x: 0, y, width, height: Math.min(height - y, HIGHEST) };
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true, scale: 'css', clip });
}
