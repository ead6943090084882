import type { Page } from 'playwright-core';
import { overflowing } from '../support/accessible.ts';
import { inBrowser, openPage } from '../support/browser.ts';
import { servers } from '../support/servers.ts';

inBrowser('/docs on a phone 390 pixels wide', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPage({ width: 390, height: 844 });
    await page.goto(`${(await servers()).baseUrl}/docs`);
  });

  it('is exactly as wide as the screen', async () => {
    expect(await page.evaluate('innerWidth')).toBe(390);
    expect(await overflowing(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    // text must not stand beside the table of contents, which would leave it a narrow column
    const width = await page.evaluate(`document.querySelector('main section p').getBoundingClientRect().width`);
    expect(width).toBeGreaterThanOrEqual(0.9 * 390);
  });

  it('has text of at least 13 pixels and links of at least 24 pixels in height', async () => {
    const small = `[...document.querySelectorAll('main p, main td, main pre, nav a')].map((one) => Number.parseInt(getComputedStyle(one).fontSize))`;
    expect(await page.evaluate<number>(`Math.min(...${small})`)).toBeGreaterThanOrEqual(13);
    const low = `[...document.querySelectorAll('nav ul ul a')].map((one) => one.getBoundingClientRect().height)`;
    expect(await page.evaluate<number>(`Math.min(...${low})`)).toBeGreaterThanOrEqual(24);
  });

  it('shows text on the first screen, and its contents link to an operation', async () => {
    expect(await page.evaluate(`document.querySelector('main p').getBoundingClientRect().top`)).toBeLessThan(844);
    const shown = await page.evaluate<{ top: number; width: number }>(`(() => {
      [...document.querySelectorAll('nav ul ul a')].at(20).click();
      const { top, width } = document.querySelector(location.hash).getBoundingClientRect();
      return { top, width };
    })()`);
    expect(shown.top).toBeGreaterThanOrEqual(-1);
    expect(shown.top).toBeLessThan(844);
    expect(shown.width).toBeGreaterThanOrEqual(0.9 * 390);
  });
});
