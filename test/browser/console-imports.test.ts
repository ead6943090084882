import { expectAccessible } from '../support/accessible.ts';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { consoleScreenshot, openConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

inBrowser('imports and what watches a customer, in the console', () => {
  let vendor: TestVendor;
  let [open, done, customer] = ['', '', ''];

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    const plan: string = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro',
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '29.00', strategy_details: { pricing_strategy: 'flat' } } }],
    });
    const made = async (refs: readonly string[]): Promise<string> => {
      const id: string = await vendor.api.made('/v1/c/import', {});
      const contract = { type: 'contract', plan, currency: 'usd', cycle: 'month', trial_end: '2125-01-01T00:00:00Z' };
      const lines = refs.flatMap((ref) => [
        { type: 'customer', ref, name: `Ada ${ref}` },
        { ...contract, ref, customer: ref },
      ]);
      const wrong = { type: 'customer', ref: `${refs[0]}-wrong`, name: 'Eve', nonsense: 'yes' };
      await vendor.api.made(`/v1/c/import/${id}/lines`, { lines: [...lines, wrong].map((line, at) => ({ number: at + 1, line })) });
      return id;
    };
    done = await made(['a', 'b', 'c']);
    await vendor.api.made(`/v1/c/import/${done}/start`, {});
    await eventually(async () => expect((await vendor.api.read(`/v1/c/import/${done}`)).status).toBe('done'));
    open = await made(['d', 'e']);
    [{ id: customer }] = (await vendor.api.read('/v1/c/customer?limit=1')).hits.map(
      (hit: { customer?: { id: string }; id: string }) => hit.customer ?? hit,
    );
    const of = `/v1/c/customer/${customer}`;
    await vendor.api.made(`${of}/limit`, { feature_slug: 'calls', action: 'refuse', units: '1000', window: 'period' });
    await vendor.api.made(`${of}/alert`, { on: 'balance', at: ['5', '10'] });
    await vendor.api.made(`${of}/top_up`, { currency: 'usd', below: '10', amount: '50', price: '45', at_most_per_month: '90' });
    await vendor.api.made('/v1/c/credit_grant', { customer, currency: 'usd', amount: '30', kind: 'promotional' });
  });

  it.each([
    [WIDTHS.desk, 'en-GB'],
    [WIDTHS.phone, 'de-DE'],
  ] as const)('are usable by all at %d px, in %s', async (width, locale) => {
    const isPhone = width === WIDTHS.phone;
    const page = await openConsole(vendor.apiKey, { width, locale, dark: isPhone });
    for (const [path, picture] of [
      ['', 'overview-beside-imports'],
      ['/imports', 'imports'],
      [`/import/${done}`, 'import'],
      [`/import/${open}/start`, 'import-start'],
      [`/customer/${customer}`, 'customer-watched'],
    ] as const) {
      await page.goto(new URL(`/console${path}`, page.url()).href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectAccessible(page);
      await consoleScreenshot(page, `${picture}-${isPhone ? 'dark-phone' : 'desk'}`);
    }
    await page.context().close();
  });
});
