import { clockOf } from '../support/clock.ts';
import { fieldIn, type PortalCalls, portalCalls } from '../support/portal-calls.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { expectsAttempts, givesMethod, owingCustomer, sellsPlan } from './pay-support.ts';

describe('to pay an invoice in the portal', () => {
  let vendor: TestVendor;
  let plan: string;

  beforeAll(async () => {
    vendor = await newVendor('Paid in the portal');
    plan = await sellsPlan(vendor);
  });

  interface Payer {
    customer: string;
    invoice: string;
    portal: PortalCalls;
    page: string;
    /** Presses the button with the amount that the page shows. */
    pays(method: string, amount?: string): ReturnType<PortalCalls['post']>;
  }

  async function payer(...methods: string[]): Promise<Payer & { methods: string[] }> {
    const owing = await owingCustomer(vendor, plan);
    const made: string[] = [];
    for (const name of methods) made.push(await givesMethod(vendor, owing.customer, name));
    const portal = await portalCalls(vendor, owing.customer);
    const page = `/portal/invoice/${owing.invoice}/pay`;
    const pays = (method: string, amount = '30.00') => portal.post(page, { method, at_most: amount });
    return { ...owing, portal, page, pays, methods: made };
  }

  it('takes 30.00 by the default method and says so; the customer’s history has it', async () => {
    const { portal, page, pays, methods, customer, invoice } = await payer('sandbox_ok');
    const shown = await portal.get(page);
    expect(shown.text).toContain('Pay EUR 30.00');
    expect(fieldIn(shown, 'at_most')).toBe('30.00');
    expect(shown.source).toMatch(new RegExp(`value="${methods[0]}" checked`));
    const done = await pays(methods[0] ?? '');
    expect([done.status, done.location]).toEqual([303, page]);
    const after = await portal.follow(done);
    expect(after.text).toContain('Paid EUR 30.00. Thank you.');
    expect(after.source).not.toContain('name="at_most"');
    await expectsAttempts(vendor, invoice, 'succeeded 30.00');
    const { hits } = await vendor.api.read(`/v1/c/customer/${customer}/history`);
    expect(hits).toContainEqual(expect.objectContaining({ object: invoice, actor: { type: 'portal', id: customer } }));
  });

  it('says in plain words why a card was declined, and takes the money by another one', async () => {
    const { portal, page, pays, methods, invoice } = await payer('sandbox_insufficient_funds', 'sandbox_ok');
    const declined = await portal.follow(await pays(methods[0] ?? ''));
    expect(declined.text).toContain('There was not enough money in the account.');
    expect(declined.text).not.toContain('insufficient_funds.');
    const paid = await portal.follow(await pays(methods[1] ?? ''));
    expect(paid.text).toContain('This invoice is paid');
    expect((await portal.get(page)).text).not.toContain('not enough money');
    await expectsAttempts(vendor, invoice, 'failed insufficient_funds 30.00', 'succeeded 30.00');
  });

  it('pays once when the button is pressed twice and in two tabs', async () => {
    const { portal, page, pays, methods, invoice } = await payer('sandbox_ok');
    const answers = await Promise.all([1, 2, 3, 4].map(() => pays(methods[0] ?? '')));
    expect(answers.map(({ status, location }) => [status, location])).toEqual(answers.map(() => [303, page]));
    expect((await portal.get(page)).text).toContain('This invoice is paid');
    await expectsAttempts(vendor, invoice, 'succeeded 30.00');
  });

  it('goes on at the bank and comes back: approved there, it is paid; the address alone proves nothing', async () => {
    const { portal, page, pays, methods, invoice } = await payer('sandbox_needs_action');
    const toBank = await pays(methods[0] ?? '');
    expect(toBank.location).toMatch(/^\/portal\/sandbox\/charge\/Pay_/);
    const waiting = await portal.follow(await portal.get(`${page}/return?redirect_status=succeeded`));
    expect(waiting.text).toContain('Your bank asks you to confirm the payment of EUR 30.00');
    await expectsAttempts(vendor, invoice, 'processing needs_action 30.00');
    const overview = await portal.get('/portal');
    expect(overview.text).toMatch(/The payment of invoice \d+ waits for you\. Please confirm it at your bank\. Confirm/);
    expect(overview.text).toContain('Waits for your confirmation');
    expect((await portal.get(`${page}/step`)).location).toBe(toBank.location);
    expect((await portal.follow(toBank)).text).toContain('whether you want to pay EUR 30.00');
    const back = await portal.post(toBank.location, { decision: 'approve' });
    expect(back.location).toBe(`${page}/return`);
    const after = await portal.follow(await portal.follow(back));
    expect(after.text).toContain('Paid EUR 30.00. Thank you.');
    await expectsAttempts(vendor, invoice, 'succeeded 30.00');
    expect((await portal.get(toBank.location)).location).toBe(`${page}/return`);
  });

  it('refused at the bank it is open again; given up it can be paid in another way', async () => {
    const { portal, page, pays, methods, invoice } = await payer('sandbox_needs_action', 'sandbox_ok');
    const toBank = await pays(methods[0] ?? '');
    const refused = await portal.follow(await portal.follow(await portal.post(toBank.location, { decision: 'decline' })));
    expect(refused.text).toContain('Pay EUR 30.00');
    await pays(methods[0] ?? '');
    const free = await portal.follow(await portal.post(`${page}/other`));
    expect(free.text).toContain('nothing was taken');
    await pays(methods[1] ?? '');
    await expectsAttempts(vendor, invoice, ...['failed authentication_failed 30.00', 'failed abandoned 30.00', 'succeeded 30.00']);
  });

  it('confirmed by nobody it is given up after an hour, and nothing was taken', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const { customer, invoice } = await owingCustomer(vendor, plan, { test_clock: clock.id });
    const method = await givesMethod(vendor, customer, 'sandbox_needs_action');
    const portal = await portalCalls(vendor, customer);
    const page = `/portal/invoice/${invoice}/pay`;
    const toBank = await portal.post(page, { method, at_most: '30.00' });
    await clock.advanceTo('2025-01-01T00:59:00Z');
    expect((await portal.get(page)).text).toContain('Your bank asks you to confirm');
    await clock.advanceTo('2025-01-01T01:00:00Z');
    const after = await portal.get(page);
    expect(after.text).toContain('The payment was canceled before it was completed.');
    expect(after.text).toContain('Pay EUR 30.00');
    await portal.post(toBank.location, { decision: 'approve' });
    await portal.get(`${page}/return`);
    await expectsAttempts(vendor, invoice, 'failed abandoned 30.00');
  });

  it('the same card fails without the customer: a key that asks for the payment opens no page of a bank', async () => {
    const { methods, invoice } = await payer('sandbox_needs_action');
    await vendor.api.made(`/v1/c/invoice/${invoice}/pay`, { method: methods[0] });
    await expectsAttempts(vendor, invoice, 'failed needs_action 30.00');
  });

  it('says that a payment is under way elsewhere, and takes none beside it', async () => {
    const { portal, page, pays, methods, invoice } = await payer('sandbox_slow', 'sandbox_ok');
    await vendor.api.made(`/v1/c/invoice/${invoice}/pay`, { method: methods[0] });
    expect((await portal.get(page)).text).toContain('A payment of EUR 30.00 was started');
    const second = await portal.follow(await pays(methods[1] ?? ''));
    expect(second.text).toContain("please don't pay again");
    await expectsAttempts(vendor, invoice, 'processing 30.00');
  });

  it('lets the wallet pay first: of 30.00 it pays what it has, and the button says the rest', async () => {
    const { portal, page, pays, methods, invoice, customer } = await payer('sandbox_ok');
    const grant = { amount: '12.50', currency: 'eur', description: 'Welcome' };
    await vendor.api.made(`/v1/c/customer/${customer}/wallet/transaction`, grant);
    const shown = await portal.get(page);
    expect(fieldIn(shown, 'at_most')).toBe('17.50');
    expect(shown.text).toContain('Pay EUR 17.50');
    await pays(methods[0] ?? '', '17.50');
    await expectsAttempts(vendor, invoice, 'succeeded 12.50', 'succeeded 17.50');
  });

  it('names what credit notes have taken off as such, and not as paid; of an invoice they cover nothing is left', async () => {
    const { portal, page, invoice } = await payer('sandbox_ok');
    const { invoice_items: items } = await vendor.api.read(`/v1/c/invoice/${invoice}`);
    const givesBack = (amount: string) =>
      vendor.api.made(`/v1/c/invoice/${invoice}/credit_note`, { items: [{ invoice_item_id: items[0].id, amount }], to: 'wallet' });
    await givesBack('10.00');
    const shown = (await portal.get(page)).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(shown).toContain('Total EUR 30.00 Taken off by credit notes EUR 10.00 To pay EUR 20.00');
    expect(shown).not.toContain('Paid already');
    await givesBack('20.00');
    const covered = (await portal.get(page)).text;
    expect(covered).toContain('Nothing is left to pay');
    expect(covered).not.toContain('This invoice is paid');
    const list = (await portal.get('/portal/invoices?show=paid')).text;
    expect(list).toContain('EUR 30.00 Credited');
    expect(list).not.toContain('EUR 30.00 Paid');
  });

  it('charges no more than the customer has seen', async () => {
    const { pays, methods, invoice } = await payer('sandbox_ok');
    const refused = await pays(methods[0] ?? '', '29.99');
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('The amount has changed');
    expect((await pays(methods[0] ?? '', '1e9')).status).toBe(400);
    await expectsAttempts(vendor, invoice);
  });

  it('refuses a form without its csrf value, from another site, without a method, or with somebody else’s', async () => {
    const { portal, page, pays, methods, invoice } = await payer('sandbox_ok');
    const stranger = await payer('sandbox_ok');
    const fields = { method: methods[0] ?? '', at_most: '30.00' };
    expect((await portal.post(page, { ...fields, csrf: '' })).status).toBe(403);
    expect((await portal.post(page, fields, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await pays('')).status).toBe(422);
    expect((await pays(stranger.methods[0] ?? '')).status).toBe(422);
    expect((await portal.get(`/portal/invoice/${stranger.invoice}/pay`)).status).toBe(404);
    expect((await portal.post(`/portal/invoice/${stranger.invoice}/pay`, fields)).status).toBe(404);
    await expectsAttempts(vendor, invoice);
    await expectsAttempts(vendor, stranger.invoice);
  });

  it.each(['manual', 'none'])('takes no word instead of one of the customer’s methods: %s', async (method) => {
    const { portal, page, pays, invoice } = await payer('sandbox_ok');
    expect((await pays(method)).status).toBe(422);
    expect((await portal.get(page)).text).toContain('Pay EUR 30.00');
    await expectsAttempts(vendor, invoice);
  });

  it('shows a paused customer the amounts and no button, and refuses its form', async () => {
    const { portal, page, pays, methods, customer } = await payer('sandbox_ok');
    await vendor.api.made(`/v1/c/customer/${customer}/inactivate`, {});
    const shown = await portal.get(page);
    expect(shown.text).toContain('EUR 30.00');
    expect(shown.source).not.toContain('name="at_most"');
    const refused = await pays(methods[0] ?? '');
    expect([refused.status, refused.text.includes('Your account is paused')]).toEqual([409, true]);
  });

  it('asks for a method where there is none, and then pays with the new one', async () => {
    const { portal, page, pays, invoice } = await payer();
    expect((await portal.get(page)).text).toContain('Add a payment method');
    const atProvider = await portal.post('/portal/methods/add', { invoice });
    expect(atProvider.location).toMatch(/^\/portal\/sandbox\/PSess_/);
    const form = await portal.follow(atProvider);
    const confirmed = await portal.post(atProvider.location.split('?')[0] ?? '', {
      back: fieldIn(form, 'back').replace('&amp;', '&'),
      choice: 'sandbox_ok',
    });
    const back = await portal.follow(confirmed);
    expect(back.location).toMatch(new RegExp(`^${page}\\?method=CPMet_`));
    const method = back.location.split('=')[1] ?? '';
    expect((await portal.follow(back)).source).toContain(`value="${method}" checked`);
    await pays(method);
    await expectsAttempts(vendor, invoice, 'succeeded 30.00');
  });
});
