import { userInfo } from 'node:os';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium, WITHOUT } from './chromium.ts';

/** Widths that every page of the portal is tested at. */
export const WIDTHS = { phone: 360, desk: 1280 } as const;

/** How a page is viewed. */
export interface View {
  /** in CSS pixels; a phone below 600 */
  readonly width: number;
  readonly height?: number;
  /** false = a browser that runs no scripts */
  readonly scripts?: boolean;
  readonly dark?: boolean;
  /** in CSS pixels, as readers set it in their browser; 16 unless given */
  readonly fontSize?: number;
  /** what the browser asks for, `en-GB` unless given */
  readonly locale?: string;
}

const PHONE_BELOW = 600;
/** Milliseconds for a step on a page, as long as `eventually` waits. */
const PATIENCE = 150_000;

let browser: Promise<Browser> | null = null;

/** Tests of pages in a browser; without a Chromium one test says that they did not run. One browser serves a file. */
export function inBrowser(title: string, tests: () => void): void {
  if (findChromium() === null) {
    it(`${title}: not tested here, there is no Chromium on PATH`, () => expect(findChromium()).toBeNull());
    return;
  }
  describe(title, () => {
    afterAll(async () => {
      const running = browser;
      browser = null;
      await (await running)?.close();
    });
    tests();
  });
}

/** A page with cookies of its own. What goes wrong while it is shown is kept for `expectSound`. */
export async function openPage({ width, height = 800, scripts = true, dark = false, fontSize, locale = 'en-GB' }: View): Promise<Page> {
  browser ??= start();
  const isPhone = width < PHONE_BELOW;
  const options: BrowserContextOptions = {
    viewport: { width, height },
    deviceScaleFactor: isPhone ? 2 : 1,
    isMobile: isPhone,
    hasTouch: isPhone,
    javaScriptEnabled: scripts,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale,
  };
  const page = await (await (await browser).newContext(options)).newPage();
  page.setDefaultTimeout(PATIENCE);
  if (fontSize !== undefined) {
    const settings = await page.context().newCDPSession(page);
    await settings.send('Page.setFontSizes', { fontSizes: { standard: fontSize } });
  }
  keepTroubles(page);
  return page;
}

function start(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('there is no Chromium on PATH: use inBrowser');
  const root = userInfo().uid === 0 ? ['--no-sandbox'] : [];
  const args = ['--disable-gpu', '--disable-dev-shm-usage', `--disable-features=${WITHOUT.join(',')}`, ...root];
  return chromium.launch({ executablePath, args, timeout: PATIENCE });
}

const troubles = new WeakMap<Page, string[]>();

/** Errors in the console, such as a refused style, failed scripts, and requests to other servers. */
function keepTroubles(page: Page): void {
  const found: string[] = [];
  troubles.set(page, found);
  page.on('pageerror', (error) => found.push(`a script failed: ${error.message}`));
  page.on('console', (message) => {
    // a page with status 4xx is one that a test asked for
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) found.push(message.text());
  });
  page.on('request', (request) => {
    const [own, asked] = [page.url(), request.url()];
    if (!request.isNavigationRequest() && new URL(asked).origin !== new URL(own).origin) found.push(`${own} asked for ${asked}`);
  });
}

export const troublesOf = (page: Page): readonly string[] => troubles.get(page) ?? [];
