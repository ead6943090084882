import { clockOf } from '../support/clock.ts';
import { fieldIn, type PortalCalls, portalCalls } from '../support/portal-calls.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { givesMethod, methodsAt, owingCustomer, sellsPlan } from './pay-support.ts';

describe('payment methods in the portal', () => {
  let vendor: TestVendor;
  let plan: string;

  beforeAll(async () => {
    vendor = await newVendor('Methods in the portal');
    plan = await sellsPlan(vendor);
  });

  async function visitor(...names: string[]): Promise<{ customer: string; portal: PortalCalls; methods: string[] }> {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
    const methods: string[] = [];
    for (const name of names) methods.push(await givesMethod(vendor, customer, name));
    return { customer, portal: await portalCalls(vendor, customer), methods };
  }

  const standing = async (customer: string) =>
    (await methodsAt(vendor, customer)).map(({ details, preference }) => [details.brand, preference]);
  /** Begins to add a method; gives the address of the page that stands for the provider's. */
  const begins = async (portal: PortalCalls): Promise<{ page: string; back: string }> => {
    const begun = await portal.post('/portal/methods/add');
    const back = fieldIn(await portal.follow(begun), 'back');
    return { page: begun.location.split('?')[0] ?? '', back };
  };

  it('are listed with their last digits, their end and the default', async () => {
    const { portal } = await visitor('sandbox_ok', 'sandbox_expired_card');
    const { text } = await portal.get('/portal/methods');
    expect(text).toContain('Test card ending in 4242 Default 12/2099');
    expect(text).toContain('Test card (expired) ending in 4242 12/2020 Expired');
  });

  it('one is added on the provider’s page: the address to come back to proves nothing, the provider is asked', async () => {
    const { portal, customer } = await visitor();
    const { page, back } = await begins(portal);
    expect((await portal.get(`${back}&setup=succeeded`)).text).toContain('Not ready yet');
    expect((await portal.get(`${back}&canceled=yes`)).text).toContain('Nothing was added');
    expect(await standing(customer)).toEqual([]);
    const after = await portal.follow(await portal.follow(await portal.post(page, { back, choice: 'sandbox_ok' })));
    expect(after.text).toContain('The payment method was added.');
    expect(await standing(customer)).toEqual([['sandbox_ok', 'default']]);
    expect((await portal.get(page)).status).toBe(404);
    expect((await portal.get('/portal/methods/return?session=%00')).status).toBe(404);
    const { hits } = await vendor.api.read(`/v1/c/customer/${customer}/history`);
    expect(hits).toContainEqual(expect.objectContaining({ actor: { type: 'portal', id: customer } }));
  });

  it('a second step of the bank is passed before the method is there', async () => {
    const { portal, customer } = await visitor();
    const { page, back } = await begins(portal);
    const bank = await portal.post(page, { back, choice: 'sandbox_needs_action' });
    expect(bank.text).toContain('whether you want to add this card');
    expect(await standing(customer)).toEqual([]);
    await portal.follow(await portal.post(page, { back, choice: 'sandbox_needs_action' }));
    expect(await standing(customer)).toEqual([['sandbox_needs_action', 'default']]);
  });

  it('the way back leads nowhere but to our own page of this session', async () => {
    const { portal } = await visitor();
    const { page, back } = await begins(portal);
    for (const other of [
      'https://evil.example',
      '//evil.example',
      '/portal/methods/return?session=PSess_1',
      `${back}.evil.example`,
      `${back}&invoice=\r\nx: y`,
    ]) {
      const shown = await portal.get(`${page}?back=${encodeURIComponent(other)}`);
      expect(fieldIn(shown, 'back')).toBe(back);
    }
    expect((await portal.post(page, { back: 'https://evil.example', choice: 'sandbox_ok' })).location).toBe(back);
  });

  it('a session that has expired adds nothing and says so', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Late', test_clock: clock.id });
    const portal = await portalCalls(vendor, customer);
    const { page, back } = await begins(portal);
    await clock.advanceTo('2025-01-02T00:00:00Z');
    expect((await portal.get(back)).text).toContain('This took too long');
    expect((await portal.post(page, { back, choice: 'sandbox_ok' })).status).toBe(404);
    expect(await standing(customer)).toEqual([]);
  });

  it('another one becomes the default', async () => {
    const { portal, customer, methods } = await visitor('sandbox_ok', 'sandbox_slow');
    const chosen = await portal.follow(await portal.post(`/portal/methods/${methods[1]}/default`));
    expect(chosen.text).toContain('Test card (slow) ending in 4242 is now your default method.');
    expect(await standing(customer)).toEqual([
      ['sandbox_ok', null],
      ['sandbox_slow', 'default'],
    ]);
  });

  it('one is removed after it was asked once more, the last one never while an invoice is open', async () => {
    const { customer } = await owingCustomer(vendor, plan);
    const methods = [await givesMethod(vendor, customer, 'sandbox_ok'), await givesMethod(vendor, customer, 'sandbox_declined')];
    const portal = await portalCalls(vendor, customer);
    const remove = (id: string | undefined) => portal.post(`/portal/methods/${id}/remove`);
    expect((await portal.get(`/portal/methods/${methods[0]}/remove`)).text).toContain('will not be charged any more');
    // two removals at once: one of them is the last
    const answers = await Promise.all(methods.map(remove));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain("can't be removed while an invoice is open");
    expect(await standing(customer)).toHaveLength(1);
    expect((await portal.get('/portal/methods')).source).not.toContain('/remove"');
  });

  it('without an open invoice the last one goes too', async () => {
    const { portal, customer, methods } = await visitor('sandbox_ok');
    await portal.post(`/portal/methods/${methods[0]}/remove`);
    expect(await standing(customer)).toEqual([]);
  });

  it('one that is being charged stays until the charge has ended', async () => {
    const { customer, invoice } = await owingCustomer(vendor, plan);
    const [slow] = [await givesMethod(vendor, customer, 'sandbox_slow'), await givesMethod(vendor, customer, 'sandbox_ok')];
    await vendor.api.made(`/v1/c/invoice/${invoice}/pay`, { method: slow });
    const portal = await portalCalls(vendor, customer);
    const refused = await portal.post(`/portal/methods/${slow}/remove`);
    expect([refused.status, refused.text.includes('is just being charged')]).toEqual([409, true]);
  });

  it('those and the sessions of others are a 404, and a form without csrf does nothing', async () => {
    const { portal, customer, methods } = await visitor('sandbox_ok');
    const stranger = await visitor('sandbox_ok');
    const [theirs] = stranger.methods;
    for (const act of ['default', 'remove']) expect((await portal.post(`/portal/methods/${theirs}/${act}`)).status).toBe(404);
    expect((await portal.get(`/portal/methods/${theirs}/remove`)).status).toBe(404);
    const { page, back } = await begins(stranger.portal);
    expect([(await portal.get(page)).status, (await portal.get(back)).status]).toEqual([404, 404]);
    expect((await portal.post(page, { choice: 'sandbox_ok' })).status).toBe(404);
    for (const path of [`/portal/methods/${methods[0]}/remove`, '/portal/methods/add', page]) {
      expect((await portal.post(path, { csrf: 'x' })).status).toBe(403);
      expect((await portal.post(path, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    }
    expect(await standing(customer)).toEqual([['sandbox_ok', 'default']]);
    expect(await standing(stranger.customer)).toEqual([['sandbox_ok', 'default']]);
  });

  it('a paused customer sees them and changes nothing', async () => {
    const { portal, customer, methods } = await visitor('sandbox_ok', 'sandbox_slow');
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    await vendor.api.made(`/v1/c/customer/${customer}/inactivate`, {});
    const { source } = await portal.get('/portal/methods');
    expect(source).toContain('Test card ending in 4242');
    expect(source).not.toMatch(/action="\/portal\/methods/);
    for (const path of [`${methods[1]}/default`, `${methods[1]}/remove`, 'add'])
      expect((await portal.post(`/portal/methods/${path}`)).status).toBe(409);
    expect(await standing(customer)).toHaveLength(2);
  });
});
