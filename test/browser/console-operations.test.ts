import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/accessible.ts';
import { inBrowser, WIDTHS } from '../support/browser.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import { beginAct, choose, consoleScreenshot, follow, openConsole, pressAndRead, retype } from '../support/console.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { pressByKeyboard } from '../support/portal.ts';
import { servers } from '../support/servers.ts';
import { temporalAt } from '../support/temporal.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { delivered, Receiver } from '../webhooks/receiver.ts';

/** The run that moves a clock may still look at it when it has arrived. */
async function hasNoRun(clockId: string): Promise<void> {
  const temporal = temporalAt((await servers()).temporalAddress);
  const status = async () => (await temporal.client.workflow.getHandle(clockId).describe()).status.name;
  await eventually(async () => expect(await status()).toBe('COMPLETED')).finally(() => temporal.close());
}

inBrowser('operations in the console, by the keyboard alone', () => {
  let vendor: TestVendor;
  let receiver: Receiver;
  let clock: ClockHandle;

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    receiver = await new Receiver().start();
    clock = await clockOf(vendor, '2025-01-31T00:00:00Z');
    const plan: string = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro',
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } } }],
    });
    const contractOf = async (name: string): Promise<string> => {
      const customer: string = await vendor.api.made('/v1/c/customer', { name, test_clock: clock.id });
      await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
      return vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    };
    const [parked, late] = [await contractOf('Ada Lovelace'), await contractOf('Ben Late')];
    await withTestDatabase(async (db) => {
      await db.query(`update contract set parked_reason = 'the price of seats is missing' where id = $1`, [parked]);
      await db.query(`update agenda set due_at = '2025-01-30' where contract_id = $1 and kind = 'boundary'`, [late]);
    });
  });
  afterAll(() => receiver?.kill());

  describe.each(Object.entries(WIDTHS))('on a %s', (name, width) => {
    it('adds a webhook endpoint, sees its secret once, and sends an event again that was refused', async () => {
      receiver.behave = (_, response) => {
        response.writeHead(500).end('the disk is full');
        return null;
      };
      const page: Page = await openConsole(vendor.apiKey, { width }, '/console/webhooks');
      await follow(page, page.getByRole('link', { name: 'Add an endpoint' }), 'Add an endpoint');
      await retype(page, '#field-url', `${receiver.url}/${name}`);
      await retype(page, '#field-description', 'Bookkeeping');
      await pressAndRead(page, 'Add an endpoint', 'It is shown only now');
      await page.reload();
      await page.getByText('can’t be shown again').waitFor();
      await follow(page, page.getByRole('link', { name: 'To the endpoint' }), `${receiver.url}/${name}`);
      const address = page.url();
      await vendor.api.made('/v1/c/customer', { name: `Grace ${name}` });
      await delivered(async () => {
        await page.reload();
        await page.getByRole('heading', { name: 'Waiting after a failure' }).waitFor({ timeout: 1_000 });
      });
      await expectAccessible(page);
      await consoleScreenshot(page, `webhook-${name}`);
      await follow(page, page.getByRole('link', { name: 'v1.customer.created' }), 'v1.customer.created');
      await pressByKeyboard(page, page.locator('summary').filter({ hasText: 'Answer' }).first());
      await page.getByText('the disk is full').first().waitFor();
      await consoleScreenshot(page, `webhook-event-${name}`);
      receiver.behave = () => 200;
      // on a busy machine it has failed so long by now that it was paused
      await vendor.api.made(`/v1/c/webhook_endpoint/${address.split('/').at(-1)}/open`);
      await beginAct(page, 'Send again');
      await pressAndRead(page, 'Send again', 'The event is being sent.');
      await delivered(async () => {
        await page.reload();
        await page.getByText('The event has arrived.').waitFor({ timeout: 1_000 });
      });
      await page.goto(`${new URL(address).origin}/console/webhooks`);
      await expectAccessible(page);
      await consoleScreenshot(page, `webhooks-${name}`);
      await page.context().close();
    });

    it('adds a test clock, moves it, and watches it on its way until it is stopped', async () => {
      const page: Page = await openConsole(vendor.apiKey, { width }, '/console/test_clocks');
      await follow(page, page.getByRole('link', { name: 'Add a test clock' }), 'Add a test clock');
      await retype(page, '#field-name', `Spring ${name}`);
      await retype(page, '#field-now', '2025-03-01');
      await pressAndRead(page, 'Add a test clock', 'The test clock was added.');
      await beginAct(page, 'Move the clock forward');
      await choose(page, '#field-step', 'a quarter');
      await pressAndRead(page, 'Move the clock forward', 'The clock is on its way.');
      await delivered(async () => {
        await page.reload();
        await page.getByText('1 June 2025').first().waitFor({ timeout: 1_000 });
      });
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await hasNoRun(id);
      // no workflow moves it: it stands half-way for as long as the test looks at it
      await withTestDatabase((db) =>
        db.query(`update test_clock set status = 'advancing', now = '2025-06-06', target = '2025-06-11' where id = $1`, [id]),
      );
      await page.goto(`${page.url().split('?')[0]}?from=${Date.UTC(2025, 5, 1)}`);
      await page.getByText('50%: it is 6 June 2025').waitFor();
      await consoleScreenshot(page, `clock-${name}`);
      await pressByKeyboard(page, page.getByRole('link', { name: 'Stop showing this page again every three seconds' }));
      await page.getByRole('link', { name: 'Show this page again every three seconds' }).waitFor();
      await expectAccessible(page);
      await beginAct(page, 'Stop the clock');
      await pressAndRead(page, 'Stop the clock', 'The clock stops where it is.');
      await delivered(async () => expect((await vendor.api.read(`/v1/c/test_clock/${id}`)).status).toBe('ready'));
      await page.context().close();
    });

    it('sees what is parked and what is late, and what stands in the way', async () => {
      const page: Page = await openConsole(vendor.apiKey, { width }, '/console');
      await pressByKeyboard(page, page.getByRole('link', { name: 'Operations' }));
      await page.getByRole('heading', { level: 1, name: 'Due and not done' }).waitFor();
      await choose(page, '#field-test_clock', clock.id);
      await pressAndRead(page, 'Show', 'the price of seats is missing');
      await page.getByText('The next billing period begins').first().waitFor();
      await consoleScreenshot(page, `due-${name}`);
      await follow(page, page.getByRole('link', { name: 'Pro', exact: true }).first(), 'Pro');
      await page.getByText('the price of seats is missing').first().waitFor();
      await page.context().close();
    });

    it('changes a preference after seeing what changes and for whom', async () => {
      const days = String(width % 100);
      const page: Page = await openConsole(vendor.apiKey, { width }, '/console/preferences');
      await expectAccessible(page);
      await consoleScreenshot(page, `preferences-${name}`);
      await follow(page, page.getByRole('link', { name: /^Change – Invoicing$/ }), 'Invoicing');
      await retype(page, '#field-net_days', 'soon');
      await pressAndRead(page, 'Show what changes', 'Nothing was changed');
      await retype(page, '#field-net_days', days);
      await pressAndRead(page, 'Show what changes', 'Afterwards');
      await consoleScreenshot(page, `preferences-review-${name}`);
      await pressAndRead(page, 'Save', 'The preferences were saved.');
      expect((await vendor.api.read('/v1/c/preferences/invoicing')).net_days).toBe(Number(days));
      await page.context().close();
    });
  });
});
