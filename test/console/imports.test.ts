import { VendorInConsole } from '../support/console-visitor.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('imports in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let plan: string;

  beforeAll(async () => {
    vendor = await newVendor('Moves in');
    visitor = await VendorInConsole.signIn(vendor.apiKey);
    plan = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro',
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '29.00', strategy_details: { pricing_strategy: 'flat' } } }],
    });
  });

  const importOf = async (lines: readonly object[]): Promise<string> => {
    const id: string = await vendor.api.made('/v1/c/import', {});
    await vendor.api.made(`/v1/c/import/${id}/lines`, { lines: lines.map((line, index) => ({ number: index + 1, line })) });
    return id;
  };
  const customer = (ref: string, name: string) => ({ type: 'customer', ref, name });
  const contract = (ref: string) => ({
    type: 'contract',
    ref,
    customer: ref,
    plan,
    currency: 'usd',
    cycle: 'month',
    trial_end: '2125-01-01T00:00:00Z',
  });
  const wallet = (ref: string) => ({ type: 'wallet', ref, customer: ref, currency: 'usd', amount: '12.50' });
  const status = async (id: string): Promise<string> => (await vendor.api.read(`/v1/c/import/${id}`)).status;
  const act = async (id: string, name: string, by = visitor) => by.post(`/console/import/${id}/${name}`, { csrf: await by.csrf() });

  it('says what an import would do before it is started, then how far it has come and what was refused, and why', async () => {
    const lines = [
      customer('a', 'Ada'),
      contract('a'),
      wallet('a'),
      { ...contract('b'), plan: 'Plan_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f' },
    ];
    const id = await importOf([...lines, { type: 'customer', ref: 'c', name: 'x', nonsense: '<b>' }]);
    expect(await visitor.text('/console/imports')).toContain('not started 4 1');
    const shown = await visitor.page(`/console/import/${id}/start`);
    expect(shown.text).toMatch(/Customers made 1 Contracts made 1 Wallets filled 1 Imported before 0 Refused 2/);
    expect(shown.text).toMatch(/Recurring prices, before discounts and without usage 1 USD 29\.00 a month Into wallets – USD 12\.50/);
    expect(await status(id)).toBe('open');
    expect((await vendor.api.read('/v1/c/customer?limit=9')).hits).toEqual([]);
    const presses = await Promise.all([act(id, 'start'), act(id, 'start')]);
    expect(presses.map(({ status: sent, location }) => [sent, location])).toEqual([
      [303, `/console/import/${id}`],
      [303, `/console/import/${id}`],
    ]);
    const text = await eventually(async () => {
      const found = await visitor.text(`/console/import/${id}`);
      expect(found).toContain('5 of 5 lines done, 2 refused');
      expect(found).toContain('Import done');
      return found;
    });
    expect(text).toMatch(/4 contract \S.* 5 customer invalid request/);
    expect(text).toContain('Customers made 1 Contracts made 1 Wallets filled 1 Imported before 0 Refused 2 Still to come 0');
    expect((await vendor.api.read('/v1/c/customer?limit=9')).hits).toHaveLength(1);
    const audit = (await vendor.api.read(`/v1/c/audit?object=${id}&actor=console`)).hits;
    expect(audit[0]).toMatchObject({ action: 'console.import.start', actor: { type: 'console', id: vendor.keyId } });
    expect((await visitor.get(`/console/import/${id}/start`)).location).toBe(`/console/import/${id}`);
  });

  it('shows itself again while it runs, unless its reader has switched that off', async () => {
    const id = await importOf([customer('w', 'Wanda')]);
    await withTestDatabase((db) => db.query(`update import set status = 'running' where id = $1`, [id]));
    const page = await visitor.page(`/console/import/${id}`);
    expect(page.headers.get('refresh')).toBe('3');
    expect(page.html).toContain(`href="/console/import/${id}?watch=off"`);
    expect((await visitor.page(`/console/import/${id}?watch=off`)).headers.get('refresh')).toBeNull();
    await act(id, 'stop');
    expect(await status(id)).toBe('stopped');
    expect(await visitor.text(`/console/import/${id}`)).toContain('Let the import go on');
    await act(id, 'resume');
    await eventually(async () => expect(await status(id)).toBe('done'));
    expect(await visitor.text(`/console/import/${id}`)).toContain('1 of 1 lines done, 0 refused');
  });

  it('discards one that nobody has started, and keeps none of its lines', async () => {
    const id = await importOf([customer('d', 'Dora')]);
    expect(await visitor.text(`/console/import/${id}/discard`)).toContain('Lines still to come: 1');
    await act(id, 'discard');
    const text = await visitor.text(`/console/import/${id}`);
    expect(text).toContain('0 of 0 lines done, 0 refused');
    expect(text).not.toContain('Start the import');
  });

  it('shows a reader everything but what acts, and another vendor nothing', async () => {
    const id = await importOf([customer('r', 'Rita')]);
    const { key } = await vendor.api.made<{ key: string }>('/v1/c/api_key', { name: 'reader', scope: 'read' });
    const reader = await VendorInConsole.signIn(key);
    expect(await reader.text(`/console/import/${id}`)).not.toContain('What you can do');
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    expect((await other.get(`/console/import/${id}`)).status).toBe(404);
    expect(await other.text('/console/imports')).toContain('None.');
    for (const name of ['start', 'stop', 'resume', 'discard']) {
      expect([name, (await reader.get(`/console/import/${id}/${name}`)).status, (await act(id, name, reader)).status]).toEqual([
        name,
        403,
        403,
      ]);
      expect([name, (await other.get(`/console/import/${id}/${name}`)).status, (await act(id, name, other)).status]).toEqual([
        name,
        404,
        404,
      ]);
    }
    expect(await status(id)).toBe('open');
  });
});
