import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
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
  await page.locator('nav').waitFor();
  return page;
}

const FOLDER = join(import.meta.dirname, '../../docs/console');

/** Those that the docs show. */
const KEPT: ReadonlySet<string> = new Set([
  'overview-desk',
  'customer-desk',
  'contract-desk',
  'invoice-desk',
  'customer-dark-phone',
  'refund-desk',
  'change-desk',
]);

/** A picture of a longer page shows its beginning, so that it stays small. */
const HIGHEST = 1_100;

/** Writes `docs/console/NAME.png` when `PERENNIAL_SCREENSHOTS` is set: the page as it is shown. */
export async function consoleScreenshot(page: Page, name: string): Promise<void> {
  if (!process.env.PERENNIAL_SCREENSHOTS || !KEPT.has(name)) return;
  mkdirSync(FOLDER, { recursive: true });
  const { width, height } = await page.evaluate<{ width: number; height: number }>(
    '({ width: innerWidth, height: document.documentElement.scrollHeight })',
  );
  const clip = { x: 0, y: 0, width, height: Math.min(height, HIGHEST) };
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true, scale: 'css', clip });
}
