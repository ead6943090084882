import { DAY, HOUR } from '../../billing/calendar/instant.ts';
import { flatPrice, planBody } from '../api/support.ts';
import type { AnyJson, Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import type { TestVendor } from '../support/vendor.ts';
import { stackOfFile } from './kit.ts';

/** Milliseconds to sign everything before the instant that passes while no worker runs. */
const AHEAD = 45_000;

let stack: OwnStack;
let vendor: TestVendor;
let api: Api;

/** A plan by the hour; `calls` cost by use. */
const hourly = (slug: string, features: readonly string[]): Promise<string> => {
  const body = planBody(slug, '29', { features: ['calls', ...features].map((name) => ({ slug: name, name })) });
  const [{ price, features: prices }] = body.pricings;
  const cycles = ['hour', 'month'].map((cycle) => ({ currency: 'usd', cycle, price, features: { calls: prices.calls } }));
  return api.made('/v1/c/plan', { ...body, pricings: cycles });
};

interface Subject {
  customer: string;
  contract: string;
}

async function signs(plan: string, terms: object, more: object = {}): Promise<Subject> {
  const customer = await api.made('/v1/c/customer', { name: 'Ada', ...more });
  return { customer, contract: await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'hour', ...terms }) };
}

/** What every read of one customer says of its contracts, in short. */
async function asRead(customer: string, contracts: readonly string[]): Promise<AnyJson> {
  const [read, found, access, billing] = [
    await api.read(`/v1/c/customer/${customer}`),
    (await api.read(`/v1/c/customer?id=${customer}`)).hits[0],
    await api.read(`/v1/c/entitlement/${customer}/access`),
    await api.read(`/v1/c/entitlement/${customer}/billing`),
  ];
  const details = await Promise.all(contracts.map((id) => api.read(`/v1/c/contract/${id}`)));
  const asked = await Promise.all(contracts.map((id) => api.read(`/v1/c/entitlement/${customer}/access?contract_id=${id}`)));
  return { read, found, access, billing, details, asked };
}

/** All of them say the same of each contract. */
function expectOneStory({ read, found, access, billing, details, asked }: AnyJson): void {
  expect(found).toEqual(read);
  const summaries = Object.fromEntries(read.contracts.map((one: AnyJson) => [one.id, one]));
  for (const [at, { contract_summary: summary }] of details.entries()) {
    expect(summaries[summary.id]).toEqual(summary);
    expect(asked[at].contract).toEqual({ contract_id: summary.id, status: summary.status });
    if (summary.status !== 'active') expect(asked[at].plan.features).toEqual([]);
  }
  const active = read.contracts.filter(({ status }: AnyJson) => status === 'active').map(({ id }: AnyJson) => id);
  for (const { contract, customer, others } of [access, billing]) {
    const entitled = [contract, ...others.map((one: AnyJson) => one.contract)].flatMap((one) => one?.contract_id ?? []);
    expect(entitled.sort()).toEqual(active.sort());
    expect(customer.status).toBe(read.status);
  }
}

const slugsOf = (access: AnyJson): string[] | null => access.plan?.features.map(({ slug }: AnyJson) => slug) ?? null;
const mayUse = (customer: string, feature_slug: string) =>
  api.made<AnyJson>(`/v1/c/entitlement/${customer}/check`, { feature_slug, units: '1' });

/** The vendor's facts as they are stored. */
const storedFacts = () =>
  withTestDatabase(
    (db) =>
      Promise.all(
        ['contract', 'customer', 'agenda', 'invoice', 'event', 'payment_attempt', 'usage_event'].map((table) =>
          db.query(`select count(*), md5(string_agg(t::text, '' order by t::text)) from ${table} t where t.vendor_id = $1`, [
            vendor.vendorId,
          ]),
        ),
      ),
    stack.servers,
  );

describe('while no worker carries out what is due', () => {
  const at = { endsAt: 0 };
  let all: Record<string, Subject & { successor?: string }> = {};
  beforeAll(async () => {
    stack = await stackOfFile();
    vendor = await stack.newVendor();
    api = vendor.api;
    const [small, big] = [await hourly('small', ['sso']), await hourly('big', ['sso', 'audit'])];
    const pricings = [{ currency: 'usd', cycle: 'hour', price: flatPrice('1'), features: {} }];
    const bare = await api.made('/v1/c/plan', planBody('bare', '1', { features: [{ slug: 'sso', name: 'sso' }], pricings }));
    at.endsAt = Date.now() + AHEAD;
    const soon = new Date(at.endsAt).toISOString();
    const ends = { activation: new Date(at.endsAt - HOUR).toISOString() };
    const runs = { activation: new Date(at.endsAt - HOUR / 2).toISOString() };
    const trial = { activation: new Date(at.endsAt - DAY).toISOString(), free_trial_days: 1, cycle: 'month' };
    all = {
      expired: await signs(small, { ...runs, expiration: soon }),
      canceled: await signs(small, runs),
      changed: await signs(small, ends),
      movedInMidCycle: await signs(small, runs),
      trial: await signs(small, trial),
      withoutMethod: await signs(small, { ...trial, on_trial_end: 'cancel_without_method' }),
      begun: await signs(small, { activation: soon }),
      reporting: await signs(small, { activation: soon }),
      changedToMore: await signs(bare, ends),
      rolled: await signs(small, ends),
      frozen: await signs(small, runs),
      untouched: await signs(small, runs),
      failing: await signs(small, ends),
    };
    await api.made(`/v1/c/contract/${all.canceled?.contract}/cancel`, { when: { type: 'date', date: soon } });
    const change = (activation: object) => ({ upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: big, activation } });
    for (const [name, activation] of [
      ['changed', { type: 'next_cycle' }],
      ['movedInMidCycle', { type: 'date', date: soon }],
      ['changedToMore', { type: 'next_cycle' }],
    ] as const) {
      const subject = all[name];
      if (subject !== undefined) subject.successor = await api.made(`/v1/c/contract/${subject.contract}/upgrade`, change(activation));
    }
    for (const name of ['rolled', 'changed', 'movedInMidCycle'])
      await api.made('/v1/c/usage', { customer_id: all[name]?.customer, feature_slug: 'calls', units: '7' });
    await api.made(`/v1/c/customer/${all.frozen?.customer}/inactivate`, { resume_at: soon });
    await stack.kill9('worker');
    all.veryLate = await signs(small, { activation: new Date(Date.now() - 300 * HOUR).toISOString() });
    expect(Date.now()).toBeLessThan(at.endsAt);
    await eventually(() => expect(Date.now()).toBeGreaterThan(at.endsAt), { every: 100 });
  });
  afterAll(async () => {
    if (!stack.isRunning('worker')) await stack.restart('worker');
  });

  const tellOf = (name: string) => {
    const { customer = '', contract = '', successor } = all[name] ?? {};
    return asRead(customer, successor === undefined ? [contract] : [contract, successor]);
  };

  it.each([
    'expired',
    'canceled',
    'changed',
    'movedInMidCycle',
    'trial',
    'withoutMethod',
    'begun',
    'rolled',
    'frozen',
    'untouched',
    'veryLate',
  ])('contract, customer, search and entitlements tell the same of one that is %s, and write nothing', async (name) => {
    const before = await storedFacts();
    expectOneStory(await tellOf(name));
    expect(await storedFacts()).toEqual(before);
  });

  it.each(['expired', 'canceled', 'withoutMethod'])('one that is %s gives nothing any more', async (name) => {
    const { access, billing, asked, details } = await tellOf(name);
    expect([access.contract, access.plan, billing.contract]).toEqual([null, null, null]);
    expect([asked[0].contract.status, asked[0].plan.features]).toEqual(['canceled', []]);
    expect(details[0]).toMatchObject({ catching_up: false, contract_summary: { status: 'canceled', next_cycle_start: null } });
    expect(await mayUse(all[name]?.customer ?? '', 'calls')).toMatchObject({ allowed: false, reason: 'feature_not_included' });
    expect(await mayUse(all[name]?.customer ?? '', 'sso')).toMatchObject({ allowed: false, reason: 'feature_not_included' });
  });

  it.each([
    ['changed', '0'],
    ['movedInMidCycle', '7'],
  ])('one that is %s gives the features of its new plan, with %s units used', async (name, used) => {
    const { customer = '', contract, successor } = all[name] ?? {};
    const { read, access, details } = await tellOf(name);
    expect(slugsOf(access)).toEqual(['calls', 'sso', 'audit']);
    expect(access.plan.features[0].entitlement_details.used_unit_count).toBe(used);
    expect(details.map((one: AnyJson) => one.contract_summary.status)).toEqual(['moved', 'active']);
    expect(details[1].plan.features[0].price.strategy_details.units_used).toBe(used);
    expect(read.contracts.map(({ id, status }: AnyJson) => [id, status])).toEqual([
      [contract, 'moved'],
      [successor, 'active'],
    ]);
    expect(await mayUse(customer, 'audit')).toMatchObject({ allowed: true });
    expect(await mayUse(customer, 'calls')).toMatchObject({ allowed: true, used });
  });

  it('a trial has ended, and its first period runs', async () => {
    const { read, billing } = await tellOf('trial');
    const start = new Date(at.endsAt).toISOString();
    expect(read.contracts[0]).toMatchObject({
      status: 'active',
      billing_information: { current_period: { start }, current_period_idx: 1 },
    });
    expect(billing.payment.next_payment_due).toBe(start);
  });

  it('a scheduled contract is active', async () => {
    const { read, access } = await tellOf('begun');
    expect([read.contracts[0].status, slugsOf(access)]).toEqual(['active', ['calls', 'sso']]);
    expect(await mayUse(all.begun?.customer ?? '', 'sso')).toMatchObject({ allowed: true });
  });

  it('the next period runs, and usage counts in it', async () => {
    const { customer = '', contract = '' } = all.rolled ?? {};
    const { read, access, billing } = await tellOf('rolled');
    const [start, end] = [at.endsAt, at.endsAt + HOUR].map((ms) => new Date(ms).toISOString());
    expect(read.contracts[0]).toMatchObject({ billing_information: { current_period: { start, end } }, next_cycle_start: end });
    expect(billing.payment.next_payment_due).toBe(new Date(at.endsAt - HOUR).toISOString());
    expect(access.plan.features[0].entitlement_details.used_unit_count).toBe('0');
    await api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '2' });
    const after = await asRead(customer, [contract]);
    expect(after.access.plan.features[0].entitlement_details.used_unit_count).toBe('2');
    expect(after.details[0].plan.features[0].price.strategy_details.units_used).toBe('2');
  });

  it.each(['expired', 'canceled'])('one that is %s takes usage of before its end, and none of after it', async (name) => {
    const { customer = '' } = all[name] ?? {};
    const usage = { customer_id: customer, feature_slug: 'calls', units: '2' };
    const timestamp = new Date(at.endsAt - 60_000).toISOString();
    expect(await api.post('/v1/c/usage', { ...usage, timestamp })).toMatchObject({ status: 200 });
    const after = await api.post('/v1/c/usage', usage);
    expect(after).toMatchObject({ status: 409, body: { code: 'usage_outside_contract' } });
  });

  it.each(['reporting', 'changedToMore'])('one that is %s takes usage of what it sells by now; nobody else’s is taken', async (name) => {
    const { customer = '', contract = '' } = all[name] ?? {};
    expect(await api.post('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '2' })).toMatchObject({ status: 200 });
    const { access } = await asRead(customer, [contract]);
    expect(access.plan.features[0].entitlement_details.used_unit_count).toBe('2');
    const after = await api.post('/v1/c/usage', { customer_id: all.expired?.customer, feature_slug: 'other', units: '2' });
    expect(after).toMatchObject({ status: 404, body: { code: 'feature_not_found' } });
  });

  it('a customer whose freeze was to end is active, and may use its features', async () => {
    const { read, access } = await tellOf('frozen');
    expect([read.status, read.resume_at, access.customer.status, slugsOf(access)]).toEqual(['active', null, 'active', ['calls', 'sso']]);
  });

  it('one that is later than a read carries out is as it was committed', async () => {
    const { details, access, read } = await tellOf('veryLate');
    expect(details[0]).toMatchObject({ catching_up: true, billing_information: { current_period_idx: 50 } });
    expect([read.contracts[0].billing_information.current_period_idx, slugsOf(access)]).toEqual([50, ['calls', 'sso']]);
  });

  it('one whose rule fails gives what it gave', async () => {
    const { customer = '', contract } = all.failing ?? {};
    const terms = `update contract set terms = jsonb_set(terms, '{price,amount}', '"no number"') where id = $1`;
    await withTestDatabase((db) => db.query(terms, [contract]), stack.servers);
    const access = await api.read(`/v1/c/entitlement/${customer}/access`);
    expect([access.contract, slugsOf(access)]).toEqual([{ contract_id: contract, status: 'active' }, ['calls', 'sso']]);
  });

  it('the portal shows what there is now', async () => {
    const portalOf = (name: string) => CustomerInPortal.enterAt(stack.servers, vendor, all[name]?.customer ?? '');
    expect(await (await portalOf('expired')).text('/portal')).not.toContain('small');
    const { contract, successor } = all.changed ?? {};
    const portal = await portalOf('changed');
    const overview = await portal.text('/portal');
    expect([overview.includes('big'), overview.includes('small')]).toEqual([true, false]);
    expect((await portal.get(`/portal/contract/${contract}`)).location).toBe(`/portal/contract/${successor}`);
    expect(await portal.text(`/portal/contract/${successor}`)).toContain('big');
  });

  it('and what they tell is what a worker carries out', async () => {
    const { veryLate: _late, failing: _failing, ...carriedOutAtOnce } = all;
    const summaries = async (): Promise<AnyJson[]> =>
      Promise.all(
        Object.values(carriedOutAtOnce).map(async ({ customer }) => {
          const { contracts, ...read } = await api.read(`/v1/c/customer/${customer}`);
          const access = await api.read(`/v1/c/entitlement/${customer}/access`);
          return { read, contracts, access };
        }),
      );
    const during = await summaries();
    await stack.restart('worker');
    await eventually(async () => {
      const due = await withTestDatabase(
        (db) => db.query('select kind from agenda where vendor_id = $1 and due_at <= now() and not held', [vendor.vendorId]),
        stack.servers,
      );
      expect(due).toEqual([]);
    });
    expect(await summaries()).toEqual(during);
  });
});
