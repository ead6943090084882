import type { Page } from 'playwright-core';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { clockOf } from '../support/clock.ts';
import { choose, consoleScreenshot, follow, openConsole, pressAndRead, retype } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

inBrowser('plans in the console, by the keyboard alone', () => {
  let vendor: TestVendor;
  const planCalled = (slug: string, amount: string, id: string | null = null): Promise<string> =>
    vendor.api.made('/v1/c/plan', {
      id,
      slug,
      internal_name: `Plan ${slug}`,
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount, strategy_details: { pricing_strategy: 'flat' } } }],
    });

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    const clock = await clockOf(vendor, '2025-01-31T00:00:00Z');
    for (const name of Object.keys(WIDTHS)) {
      const plan = await planCalled(name, '10.00');
      for (const frozen of [false, false, true]) {
        const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
        await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
        await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
        if (frozen) await vendor.api.made(`/v1/c/customer/${customer}/inactivate`, {});
      }
      await planCalled(name, '20.00', plan);
    }
  });

  const priceField = (rest: string): string => `[id="field-pricings.0.${rest}"]`;
  const featureField = (rest: string): string => `[id="field-features.0.${rest}"]`;

  describe.each(Object.entries(WIDTHS))('on a %s', (name, width) => {
    it('makes a plan with a preview of what it comes to, before it is saved', async () => {
      const page: Page = await openConsole(vendor.apiKey, { width }, '/console/plans');
      await consoleScreenshot(page, `plans-${name}`);
      await follow(page, page.getByRole('link', { name: 'Make a plan' }), 'Make a plan');
      await retype(page, '#field-internal_name', `Team ${name}`);
      await retype(page, '#field-slug', `team-${name}`);
      await retype(page, priceField('price.amount'), 'many');
      await pressAndRead(page, 'Review the changes', 'Give a number such as 10.50.');
      await retype(page, priceField('price.amount'), '29.00');
      await pressAndRead(page, 'Add a feature', 'Feature 1');
      await retype(page, featureField('name'), 'Seats');
      await retype(page, featureField('slug'), 'seats');
      await choose(page, priceField('features.0.type'), 'for each bought unit');
      await pressAndRead(page, 'Update the form and the preview', 'Units unless agreed otherwise');
      await retype(page, priceField('features.0.amount'), '5.00');
      await retype(page, priceField('features.0.unit_count'), '3');
      await pressAndRead(page, 'Update the form and the preview', 'as soon as every field is right');
      await retype(page, priceField('features.0.unit_name'), 'seat');
      await pressAndRead(page, 'Update the form and the preview', 'USD 44.00');
      await consoleScreenshot(page, `plan-editor-${name}`, page.locator('section[aria-labelledby="preview"]'));
      await pressAndRead(page, 'Review the changes', 'The plan goes on sale at once');
      await pressAndRead(page, 'Save the plan', 'The plan was saved.');
      await page.context().close();
    });

    it('moves a plan’s contracts after showing what that costs, follows the move, and archives the plan', async () => {
      const page: Page = await openConsole(vendor.apiKey, { width }, '/console/plans');
      await follow(page, page.getByRole('link', { name: `Plan ${name}` }), `Plan ${name}`);
      await consoleScreenshot(page, `plan-${name}`);
      const address = page.url();
      await follow(page, page.getByRole('link', { name: 'Move the contracts' }), `Move the contracts of Plan ${name}`);
      await choose(page, '#field-when', 'when the next cycle of each contract begins');
      await pressAndRead(page, 'Show what it means', 'Contracts that would stay');
      await consoleScreenshot(page, `plan-move-ask-${name}`);
      await pressAndRead(page, 'Move the contracts', 'The move was started.');
      await eventually(async () => {
        await page.reload();
        expect(await page.getByText('2 of 3 moved, 1 refused').count()).toBeGreaterThan(0);
        expect(await page.getByText('Refresh').count()).toBe(0);
      });
      await consoleScreenshot(page, `plan-move-${name}`);
      await page.goto(address);
      await follow(page, page.getByRole('link', { name: 'Archive the plan' }), 'Archive the plan');
      await pressAndRead(page, 'Archive the plan', 'The plan was archived.');
      await page.context().close();
    });
  });
});
