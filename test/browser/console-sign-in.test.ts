import type { Page } from 'playwright-core';
import { anyFreePort } from '../../local-stack/ports.ts';
import { expectAccessible } from '../support/accessible.ts';
import { inBrowser, openPage, WIDTHS } from '../support/browser.ts';
import { pressByKeyboard } from '../support/portal.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { CLIENT, startProvider } from '../support/sign-in-provider.ts';
import { newVendor } from '../support/vendor.ts';

const people = { ada: { name: 'Ada Lovelace', email: 'ada@example.com', groups: ['billing'] } };

inBrowser('signing in to the console with a provider', () => {
  let api: SecondApi;
  let provider: Awaited<ReturnType<typeof startProvider>>;

  beforeAll(async () => {
    const { vendorId } = await newVendor('Bricks & Co');
    const port = await anyFreePort();
    provider = await startProvider(people, `http://127.0.0.1:${port}/console/sign_in/done`);
    api = await secondApi(
      {},
      {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.id,
        OIDC_CLIENT_SECRET: CLIENT.secret,
        OIDC_ACCESS: JSON.stringify({ [vendorId]: { read: ['billing'] } }),
        PORT: String(port),
      },
    );
  });
  afterAll(async () => {
    await api?.stop();
    await provider?.stop();
  });

  it.each([
    ['phone', WIDTHS.phone, true],
    ['desk without scripts', WIDTHS.desk, false],
  ] as const)('leads by the keyboard to the page that was asked for and out again, on a %s', async (_, width, scripts) => {
    const page: Page = await openPage({ width, scripts });
    // the provider's page to log in on would load a font from elsewhere
    await page.route('https://fonts.googleapis.com/**', (request) => request.abort());
    await page.goto(`${api.baseUrl}/console/customers`);
    if (scripts) await expectAccessible(page);
    await pressByKeyboard(page, page.getByRole('link', { name: 'Sign in with your organization' }));
    await page.locator('input[name="login"]').fill('ada');
    await page.locator('input[name="password"]').fill('any');
    await page.locator('button[type="submit"]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Customers' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/customers');
    await page.getByText('Signed in as Ada Lovelace (ada@example.com)').waitFor();
    if (scripts) {
      // a page of its own: what the provider's pages ask for is not ours
      const own = await page.context().newPage();
      await own.goto(page.url());
      await expectAccessible(own);
    }
    await pressByKeyboard(page, page.getByRole('button', { name: 'Sign out', exact: true }));
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  });
});
