import { type BrowserPage, findChromium, openPage } from '../support/browser.ts';
import { servers } from '../support/servers.ts';

const chromium = findChromium();

/** Elements that reach beyond the right edge, except those in a box that scrolls sideways. */
const OVERFLOWING = `[...document.querySelectorAll('body *')].filter((one) => {
  if (one.getBoundingClientRect().right <= innerWidth + 1) return false;
  for (let box = one; box !== document.body; box = box.parentElement) if (getComputedStyle(box).overflowX === 'auto') return false;
  return true;
}).map((one) => one.outerHTML.slice(0, 80)).slice(0, 5)`;

function checksNarrowPage(program: string): void {
  let page: BrowserPage;
  beforeAll(async () => {
    page = await openPage(program, { width: 390, height: 844 });
    await page.open(`${(await servers()).baseUrl}/docs`);
  }, 120_000);
  afterAll(() => page.close());

  it('is exactly as wide as the screen', async () => {
    expect(await page.read('innerWidth')).toBe(390);
    expect(await page.read(OVERFLOWING)).toEqual([]);
    expect(await page.read('document.documentElement.scrollWidth')).toBe(390);
    // text must not stand beside the table of contents, which would leave it a narrow column
    expect(await page.read(`document.querySelector('main section p').getBoundingClientRect().width`)).toBeGreaterThanOrEqual(0.9 * 390);
  });

  it('has text of at least 13 pixels and links of at least 24 pixels in height', async () => {
    const small = `[...document.querySelectorAll('main p, main td, main pre, nav a')].map((one) => Number.parseInt(getComputedStyle(one).fontSize))`;
    expect(await page.read<number>(`Math.min(...${small})`)).toBeGreaterThanOrEqual(13);
    const low = `[...document.querySelectorAll('nav ul ul a')].map((one) => one.getBoundingClientRect().height)`;
    expect(await page.read<number>(`Math.min(...${low})`)).toBeGreaterThanOrEqual(24);
  });

  it('shows text on the first screen, and its contents link to an operation', async () => {
    expect(await page.read(`document.querySelector('main p').getBoundingClientRect().top`)).toBeLessThan(844);
    const shown = await page.read<{ top: number; width: number }>(`(() => {
      [...document.querySelectorAll('nav ul ul a')].at(20).click();
      const { top, width } = document.querySelector(location.hash).getBoundingClientRect();
      return { top, width };
    })()`);
    expect(shown.top).toBeGreaterThanOrEqual(-1);
    expect(shown.top).toBeLessThan(844);
    expect(shown.width).toBeGreaterThanOrEqual(0.9 * 390);
  });
}

if (chromium !== null) describe('/docs on a phone 390 pixels wide', () => checksNarrowPage(chromium));
else {
  it('/docs is not tested on a phone here: there is no Chromium on PATH', () => {
    expect(findChromium()).toBeNull();
  });
}
