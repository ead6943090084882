import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessible.ts';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import { openPortal, pressByKeyboard, screenshot, tabTo } from '../support/portal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const plan = (slug: string, name: string, price: string, description: string) => ({
  slug,
  internal_name: name,
  external_name: name,
  description,
  strategy: 'plan',
  features: [
    { slug: 'seats', name: 'Team seats', charge_trigger: 'every_cycle' },
    { slug: 'calls', name: 'API calls', charge_trigger: 'every_cycle' },
    { slug: 'sso', name: 'Single sign-on', charge_trigger: 'every_cycle' },
  ],
  pricings: [
    {
      currency: 'eur',
      cycle: 'month',
      price: { amount: price, strategy_details: { pricing_strategy: 'flat' } },
      features: {
        seats: {
          amount: '5.00',
          strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3', minimum_units: '1', maximum_units: '50' },
        },
        calls: {
          amount: '0.0006',
          strategy_details: { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' },
        },
      },
    },
  ],
});

inBrowser('a change and a cancellation in the portal', () => {
  let vendor: TestVendor;
  let clock: ClockHandle;
  let customer: string;
  let contract: string;

  /** Basic with three seats for 25.00 a month, signed on 1 July; today is 11 July. */
  beforeEach(async () => {
    vendor = await newVendor('Bricks & Co');
    const basic: string = await vendor.api.made('/v1/c/plan', plan('basic', 'Basic', '10.00', 'For people who work alone.'));
    await vendor.api.made('/v1/c/plan', plan('pro', 'Pro', '31.00', 'For teams that grow.'));
    clock = await clockOf(vendor, '2025-07-01T00:00:00Z');
    customer = await vendor.api.made('/v1/c/customer', { name: 'Ada Lovelace', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, {});
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
    contract = await vendor.api.made('/v1/c/contract', { customer, plan: basic, currency: 'eur', cycle: 'month' });
    await clock.advanceTo('2025-07-11T00:00:00Z');
  });

  const go = (page: Page, below: string): Promise<unknown> =>
    page.goto(`${new URL(page.url()).origin}/portal/contract/${contract}${below}`);
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const livePlan = async (): Promise<string> =>
    (await vendor.api.read(`/v1/c/contract?customer=${customer}&status=active`)).hits.map(
      ({ plan_external_name, amount }: { plan_external_name: string; amount: string }) => `${plan_external_name} ${amount}`,
    )[0];

  it('offers a plan for a month and for a year by names of their own, to readers who hear the page', async () => {
    const team = plan('team', 'Team', '40.00', 'For two teams.');
    const yearly = team.pricings.map((pricing) => ({ ...pricing, cycle: 'year' }));
    await vendor.api.made('/v1/c/plan', { ...team, pricings: [...team.pricings, ...yearly] });
    const page = await openPortal(vendor, customer, { width: WIDTHS.desk });
    await go(page, '/change');
    await expectAccessible(page);
    for (const cycle of ['month', 'year']) {
      await page.getByRole('region', { name: `Team EUR 55.00 a ${cycle}`, exact: true }).waitFor();
    }
  });

  describe.each(Object.entries(WIDTHS))('on a %s', (name, width) => {
    it('is made by the keyboard: four seats by the stepper, then 3.39 are confirmed and paid', async () => {
      const page = await openPortal(vendor, customer, { width });
      await go(page, '/change');
      await expectAccessible(page);
      await screenshot(page, `change-${name}`);
      await go(page, '/change/review?to=own&units.seats=99');
      await expectAccessible(page);
      await page.goBack();
      await pressByKeyboard(page, page.getByRole('region', { name: 'Basic' }).getByRole('button', { name: 'One step more: Team seats' }));
      expect(await page.getByRole('region', { name: 'Basic' }).getByLabel('Team seats', { exact: true }).inputValue()).toBe('4');
      await pressByKeyboard(page, button(page, 'Change Team seats'));
      await page.getByRole('heading', { name: 'Check your change' }).waitFor();
      await expectAccessible(page);
      await screenshot(page, `change-review-${name}`);
      await pressByKeyboard(page, button(page, 'Confirm and pay EUR 3.39'));
      await page.waitForURL((url) => !url.pathname.includes('/change'));
      expect(await livePlan()).toBe('Basic 30.00');
    });

    it('to another plan works without scripts, and says what is wrong with a number', async () => {
      const page = await openPortal(vendor, customer, { width, scripts: false });
      await go(page, '/change');
      expect(await button(page, /One step/).count()).toBe(0);
      const pro = page.getByRole('region', { name: 'Pro' });
      await go(page, `/change/review?to=${await pro.locator('input[name=to]').getAttribute('value')}&units.seats=99`);
      await page.getByRole('link', { name: 'Team seats: choose at most 50.' }).waitFor();
      await tabTo(page, pro.getByLabel('Team seats', { exact: true }));
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('5');
      await page.keyboard.press('Enter');
      await pressByKeyboard(page, button(page, /^Confirm and pay EUR/));
      await page.waitForURL((url) => !url.pathname.includes('/change'));
      expect(await livePlan()).toBe('Pro 56.00');
    });

    it.each([false, true])('that waits is shown and taken back, as a cancellation is, dark: %s', async (dark) => {
      const page = await openPortal(vendor, customer, { width, dark });
      await go(page, '/change/review?to=own&units.seats=2');
      await expectAccessible(page);
      await pressByKeyboard(page, button(page, 'Confirm change on 1 August 2025'));
      await page.waitForURL((url) => !url.pathname.includes('/change'));
      await go(page, '/cancel');
      await page.getByText('On 1 August 2025 your plan changes').waitFor();
      await expectAccessible(page);
      await screenshot(page, `cancel-${name}${dark ? '-dark' : ''}`);
      await page.getByLabel(/^Why are you canceling/).selectOption({ label: "I don't need it any more" });
      await pressByKeyboard(page, button(page, 'Confirm cancellation on 1 August 2025'));
      await page.waitForURL((url) => !url.pathname.includes('/cancel'));
      await go(page, '/change');
      await expectAccessible(page);
      await pressByKeyboard(page, button(page, 'Keep the subscription'));
      await page.waitForURL((url) => !url.pathname.includes('/change'));
      await go(page, '/change');
      await pressByKeyboard(page, button(page, 'Keep Basic as it is'));
      await page.waitForURL((url) => !url.pathname.includes('/change'));
      expect((await vendor.api.read(`/v1/c/contract/${contract}/timeline`)).next).not.toContainEqual(
        expect.objectContaining({ what: expect.stringMatching(/cancellation|change/) }),
      );
    });

    it('shows names of 90 letters without a space within the screen', async () => {
      const long = (word: string): string => word.repeat(90).slice(0, 90);
      const named: string = await vendor.api.made('/v1/c/plan', plan('long', long('Professional'), '40.00', long('Beschreibung')));
      await vendor.api.made('/v1/c/customer', { id: customer, name: long('Gesellschaft') });
      contract = await vendor.api.made(`/v1/c/contract/${contract}/upgrade`, {
        upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: named },
      });
      const page = await openPortal(vendor, customer, { width });
      await expectAccessible(page);
      for (const below of ['', '/change', '/cancel']) {
        await go(page, below);
        await expectAccessible(page);
      }
      const cheaper = page.getByRole('region', { name: 'Basic' }).getByRole('button');
      await go(page, '/change');
      await pressByKeyboard(page, cheaper.last());
      await page.getByRole('heading', { name: 'Check your change' }).waitFor();
      await expectAccessible(page);
      await pressByKeyboard(page, page.locator('form[method=post] button.main'));
      await page.waitForURL((url) => !url.pathname.includes('/change'));
      await expectAccessible(page);
    });
  });
});
