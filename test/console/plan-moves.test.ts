import { clockOf } from '../support/clock.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const HIDDEN = /<input type="hidden" name="([^"]+)" value="([^"]*)"/g;

describe('moves of a plan’s contracts in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let plan: string;
  let target: string;
  let contracts: string[];

  const planOf = (slug: string, amount: string, id: string | null = null): Promise<string> =>
    vendor.api.made('/v1/c/plan', {
      id,
      slug,
      internal_name: slug,
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount, strategy_details: { pricing_strategy: 'flat' } } }],
    });
  const signs = async (frozen: boolean): Promise<string> => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    if (frozen) await vendor.api.made(`/v1/c/customer/${customer}/inactivate`, {});
    return contract;
  };
  const fieldsOf = (html: string): Record<string, string> =>
    Object.fromEntries([...html.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, value]));
  const press = async (path: string, changed: Record<string, string> = {}) => {
    const { html } = await visitor.page(path);
    const [, form = ''] = html
      .split('<form method="post"')
      .filter((part) => !part.includes('/leave'))
      .slice(0, 2);
    return visitor.post(path.split('?')[0] ?? '', { ...fieldsOf(form), csrf: await visitor.csrf(), ...changed });
  };

  beforeAll(async () => {
    vendor = await newVendor('Moves');
    plan = await planOf('basic', '10.00');
    target = await planOf('plus', '30.00');
    contracts = [await signs(false), await signs(false), await signs(true)];
    await planOf('basic', '20.00', plan);
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  it('asks where to and when, and shows what that comes to as the API’s dry run does', async () => {
    const page = await visitor.page(`/console/plan/${plan}/move`);
    expect(page.text).toContain('the newest version of basic');
    expect(page.text).toContain('plus');
    expect(page.text).not.toContain('What it means');
    const run = await vendor.api.made<{ totals: { total: string }[] }>(`/v1/c/plan/${plan}/move?dry_run=true`, { to: target, when: 'now' });
    const shown = await visitor.text(`/console/plan/${plan}/move?to=${target}&when=now`);
    expect(run.totals[0]?.total).toBe('40.00');
    expect(shown).toContain('Contracts that would be moved 2 Contracts that would stay 1');
    expect(shown).toContain('USD USD 40.00 USD 0.00');
    expect(shown).toContain('customer frozen 1');
    expect(await visitor.text(`/console/plan/${plan}/move?when=next_cycle`)).toContain('USD USD 0.00 USD 40.00');
  });

  it('adds what was computed before, and takes no sums that aren’t its own', async () => {
    const path = `/console/plan/${plan}/move?when=now&to=${target}`;
    expect(await visitor.text(`${path}&after=${contracts[1]}&before=${encodeURIComponent('7~usd_1.50_0.00~change_scheduled_2')}`)).toMatch(
      /would be moved 7 Contracts that would stay 3 .* USD 1\.50 .* change scheduled 2/,
    );
    for (const before of ['x', '7~usd_1~', '7~xyz_1.50_0.00~', `7~usd_<b>_0~`])
      expect(await visitor.text(`${path}&before=${encodeURIComponent(before)}`)).toMatch(/would be moved (2|9) /);
    expect((await visitor.get(`${path}&after=Cont_1`)).status).toBe(409);
  });

  it('starts nothing where the plan has changed the plan since it was shown, and nothing from a form without what was shown', async () => {
    const path = `/console/plan/${plan}/move?when=now`;
    const refused = await press(path, { version: '1' });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('has changed the plan since')]);
    expect((await press(path, { version: '' })).status).toBe(400);
    expect((await press(path, { when: 'later' })).status).toBe(400);
    expect(await visitor.text(`/console/plan/${plan}`)).not.toContain('Moves of its contracts');
  });

  it('starts nothing from a version that is saved at the same moment', async () => {
    const { html } = await visitor.page(`/console/plan/${plan}/move?when=now`);
    const shown = Number(/name="version" value="(\d+)"/.exec(html)?.[1]);
    const writing = await withTestDatabase(async (db) => {
      let start: ReturnType<typeof press> | undefined;
      await db.transaction(async (tx) => {
        await tx.query('select from plan where id = $1 for no key update', [plan]);
        await tx.query(
          'insert into plan_version (plan_id, vendor_id, number, began, held) select plan_id, vendor_id, number + 1, now(), held from plan_version where plan_id = $1 and number = $2',
          [plan, shown],
        );
        start = visitor.post(`/console/plan/${plan}/move`, { csrf: await visitor.csrf(), when: 'now', to: plan, version: String(shown) });
        const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        const waiting = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
        await eventually(async () => expect(await db.query(waiting, [own?.pid])).toHaveLength(1));
      });
      return start;
    });
    expect([writing?.status, writing?.text]).toEqual([409, expect.stringContaining('has changed the plan since')]);
    expect(await visitor.text(`/console/plan/${plan}`)).not.toContain('Moves of its contracts');
    await withTestDatabase((db) => db.query('delete from plan_version where plan_id = $1 and number = $2', [plan, shown + 1]));
  });

  it('moves the contracts, shows how far it has come and what was refused, and says who asked for it', async () => {
    const started = await press(`/console/plan/${plan}/move?to=${target}&when=now`);
    expect(started.status).toBe(303);
    const address = started.location ?? '';
    expect(address).toMatch(new RegExp(`^/console/plan/${plan}/move/Move_`));
    expect(await visitor.text(address)).toContain('The move was started.');
    const text = await eventually(async () => {
      const shown = await visitor.text(address);
      expect(shown).toContain('2 of 3 moved, 1 refused');
      expect(shown).toContain('of basic done Move_');
      return shown;
    });
    expect(text).toContain(`${contracts[2]} customer frozen`);
    expect(await visitor.text(`/console/plan/${plan}`)).toMatch(/Moves of its contracts .* done now 3/);
    const audit = (await vendor.api.read(`/v1/c/audit?object=${plan}&actor=console`)).hits.at(-1);
    expect([audit.action, audit.actor]).toEqual(['console.plan.move', { type: 'console', id: vendor.keyId }]);
    expect(audit.after).toMatchObject({ to: target, when: 'now' });
    const [moved] = (await vendor.api.read(`/v1/c/audit?object=${contracts[0]}&actor=console`)).hits;
    expect([moved.action, moved.actor]).toEqual(['start_plan_move', { type: 'console', id: vendor.keyId }]);
    expect((await visitor.get(`${address}/pdf`)).status).toBe(404);
  });

  it('stops a move and lets it go on; one that is done stays so', async () => {
    const id: string = await vendor.api.made(`/v1/c/plan/${target}/move`, { to: plan, when: 'now' });
    const address = `/console/plan/${target}/move/${id}`;
    await press(`${address}/stop`);
    const { status } = await vendor.api.read(`/v1/c/plan/${target}/move/${id}`);
    expect(['stopped', 'done']).toContain(status);
    await press(`${address}/resume`);
    await eventually(async () => expect((await vendor.api.read(`/v1/c/plan/${target}/move/${id}`)).status).toBe('done'));
    expect((await press(`${address}/stop`)).location).toBe(address);
    expect((await vendor.api.read(`/v1/c/plan/${target}/move/${id}`)).status).toBe('done');
    expect(await visitor.text(address)).not.toContain('Let the move go on');
  });

  it('shows nothing of another vendor', async () => {
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    const id: string = await vendor.api.made(`/v1/c/plan/${target}/move`, { to: plan, when: 'now' });
    for (const path of [`plan/${plan}/move`, `plan/${target}/move/${id}`, `plan/${target}/move/${id}/stop`])
      expect([path, (await other.get(`/console/${path}`)).status]).toEqual([path, 404]);
    const csrf = await other.csrf();
    expect((await other.post(`/console/plan/${plan}/move`, { csrf, when: 'now', version: '1' })).status).toBe(404);
    expect((await other.post(`/console/plan/${target}/move/${id}/stop`, { csrf })).status).toBe(404);
  });
});
