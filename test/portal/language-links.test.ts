import { routeShape } from '../../portal/http/route.ts';
import { PORTAL_PAGES } from '../../portal/portal.ts';
import { CustomerInPortal, hiddenFields } from '../support/portal-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const ACTS = PORTAL_PAGES.flat().filter(({ method }) => method === 'post');
const PAGES = new Set(['', ...PORTAL_PAGES.flat().flatMap(({ method, path }) => (method === 'get' ? routeShape(path) : []))]);

const PLAN = {
  ...{ slug: 'pro', internal_name: 'pro', strategy: 'plan' },
  pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '10', strategy_details: { pricing_strategy: 'flat' } } }],
};

describe('a refused act of the portal', () => {
  let vendor: TestVendor;
  let visitor: CustomerInPortal;
  /** What stands for the named parts of a path. */
  const values: Record<string, string> = { method_id: 'CPMet_00000000-0000-7000-8000-000000000000', key: 'none', token: 'none' };
  beforeAll(async () => {
    vendor = await newVendor();
    const plan = await vendor.api.made('/v1/c/plan', PLAN);
    const customer = await vendor.api.made<string>('/v1/c/customer', { name: 'Ada' });
    values.id = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${values.id}`);
    values.invoice_id = hits[0].invoice.id;
    visitor = await CustomerInPortal.enter(vendor, customer);
  });

  it.each(ACTS.map(({ path }) => path))('of %s leads to a page there is when its language is changed', async (path) => {
    const address = path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '');
    const refused = await visitor.post(`/portal${address}`, { csrf: 'wrong' });
    expect(refused.status).toBe(403);
    const { to = '' } = hiddenFields(refused, '/portal/language');
    const moved = await visitor.send(refused, '/portal/language', { language: 'de' });
    expect(moved).toMatchObject({ status: 303, location: to });
    const page = routeShape(path)
      .split('/')
      .slice(0, to.split('/').length - 2 + 1)
      .join('/');
    expect([to, PAGES.has(page)]).toEqual([`/portal${address}`.slice(0, to.length), true]);
    // an invented method or payment has no page; the address of every other act shows one
    if (!/:(method_id|key|token)/.test(path)) expect((await visitor.follow(moved)).status).toBe(200);
  });
});
