import { VendorInConsole } from '../support/console-visitor.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const FLAT = { pricing_strategy: 'flat' };

describe('test clocks and what is due, in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let csrf: string;

  beforeEach(async () => {
    vendor = await newVendor('Clocks');
    visitor = await VendorInConsole.signIn(vendor.apiKey);
    csrf = await visitor.csrf();
  });

  const act = (path: string, fields: Record<string, string> = {}, by = visitor) => by.post(`/console${path}`, { csrf, ...fields });
  const add = async (now: string): Promise<string> =>
    (await act('/test_clocks/new', { name: 'June', now })).location?.split('/').at(-1) ?? '';
  const read = (id: string) => vendor.api.read(`/v1/c/test_clock/${id}`);
  const ready = (id: string) => eventually(async () => expect(await read(id)).toMatchObject({ status: 'ready' }));
  const contractOn = async (clock: string | null): Promise<string> => {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const plan: string = await vendor.api.made('/v1/c/plan', {
      slug: `pro-${clock ?? 'wall'}`.slice(0, 20).toLowerCase(),
      internal_name: 'Pro',
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '10.00', strategy_details: FLAT }, features: {} }],
    });
    return vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  };
  const park = (contract: string) =>
    withTestDatabase(async (db) => {
      await db.query(`update contract set parked_reason = 'the price is <missing>' where id = $1`, [contract]);
      await db.query('update agenda set held = true where contract_id = $1', [contract]);
    });

  it('makes a clock at a day that somebody types, and says what is wrong with another', async () => {
    for (const now of ['', 'June', '2025-02-30', '0001-01-01']) {
      const wrong = await act('/test_clocks/new', { name: 'x', now });
      expect([now, wrong.status, wrong.html.includes('id="field-now-error"'), wrong.html.includes('href="#field-now"')]).toEqual([
        now,
        422,
        true,
        true,
      ]);
    }
    const id = await add('2025-06-01 12:30');
    expect(await read(id)).toMatchObject({ name: 'June', now: '2025-06-01T12:30:00.000Z', status: 'ready' });
    expect(await visitor.text(`/console/test_clock/${id}`)).toContain('1 June 2025, 12:30 UTC');
    expect(await visitor.text('/console/test_clocks')).toContain('June ready');
    const [entry] = (await vendor.api.read(`/v1/c/audit?object=${id}`)).hits;
    expect(entry).toMatchObject({ action: 'console.test_clocks.new', actor: { type: 'console', id: vendor.keyId } });
  });

  it('moves a clock by a month from the time that was shown, once though the form is sent twice', async () => {
    const id = await add('2025-01-31');
    const contract = await contractOn(id);
    const page = await visitor.page(`/console/test_clock/${id}/advance`);
    const from = /name="from" value="(\d+)"/.exec(page.html)?.[1] ?? '';
    const sent = await act(`/test_clock/${id}/advance`, { from, step: 'month', to: '' });
    expect([sent.status, sent.location]).toEqual([303, `/console/test_clock/${id}?from=${from}`]);
    await ready(id);
    expect(await read(id)).toMatchObject({ now: '2025-02-28T00:00:00.000Z' });
    expect([303, 409]).toContain((await act(`/test_clock/${id}/advance`, { from, step: 'month', to: '' })).status);
    await ready(id);
    expect(await read(id)).toMatchObject({ now: '2025-02-28T00:00:00.000Z' });
    const shown = await visitor.page(`/console/test_clock/${id}`);
    expect(shown.headers.get('refresh')).toBeNull();
    expect(shown.html).toContain(`href="/console/contract/${contract}"`);
    expect(shown.text).toContain('The next billing period begins 31 March 2025');
  });

  it('moves a clock to a time, and refuses one that lies behind it or too far ahead', async () => {
    const id = await add('2025-06-01');
    const from = String(Date.UTC(2025, 5, 1));
    for (const to of ['2025-05-31', '2056-01-01', 'soon', '']) {
      const wrong = await act(`/test_clock/${id}/advance`, { from, step: '', to });
      expect([to, wrong.status, wrong.html.includes(`name="to" value="${to}"`)]).toEqual([to, 422, true]);
    }
    await act(`/test_clock/${id}/advance`, { from, step: '', to: '2025-06-10' });
    await ready(id);
    expect(await read(id)).toMatchObject({ now: '2025-06-10T00:00:00.000Z' });
    expect((await act(`/test_clock/${id}/advance`, { from: 'x', step: 'day' })).status).toBe(400);
  });

  it('shows how far an advance has come, again by itself until somebody switches that off, and stops it', async () => {
    const id = await add('2025-06-01');
    // no workflow moves it: it stands half-way for as long as the test looks at it
    await withTestDatabase((db) =>
      db.query(`update test_clock set status = 'advancing', now = '2025-06-06', target = '2025-06-11' where id = $1`, [id]),
    );
    const path = `/console/test_clock/${id}?from=${Date.UTC(2025, 5, 1)}`;
    const page = await visitor.page(path);
    expect([page.headers.get('refresh'), page.text]).toEqual([
      '3',
      expect.stringContaining('50%: it is 6 June 2025 on its way to 11 June 2025'),
    ]);
    expect(page.html).toContain('<progress max="100" value="50"');
    const off = await visitor.page(`${path}&watch=off`);
    expect([off.headers.get('refresh'), off.text]).toEqual([null, expect.stringContaining('Show this page again every three seconds')]);
    expect((await visitor.get(`/console/test_clock/${id}?from=9e99&watch=`)).status).toBe(200);
    expect((await act(`/test_clock/${id}/advance`, { from: String(Date.UTC(2025, 5, 6)), step: 'day' })).status).toBe(409);
    await act(`/test_clock/${id}/stop`);
    await ready(id);
    expect(await read(id)).toMatchObject({ now: '2025-06-06T00:00:00.000Z' });
  });

  it('shows parked contracts of the chosen clock alone, with why and since when, and leads to resuming one', async () => {
    const clock = await add('2025-01-31');
    const [onWall, onClock] = [await contractOn(null), await contractOn(clock)];
    await park(onWall);
    await park(onClock);
    for (const page of ['/console', '/console/due']) {
      const [wall, test] = [await visitor.page(page), await visitor.page(`${page}?test_clock=${clock}`)];
      const has = ({ html }: { html: string }) => [onWall, onClock].map((id) => html.includes(`/console/contract/${id}`));
      expect([page, has(wall), has(test)]).toEqual([page, [true, false], [false, true]]);
      expect(wall.text).toContain('the price is <missing>');
    }
    const due = await visitor.page(`/console/due?test_clock=${clock}`);
    expect(due.text).toContain('28 February 2025');
    expect(due.html).toContain(`href="/console/contract/${onClock}/resume"`);
    expect((await visitor.get('/console/due?test_clock=nothing')).status).toBe(404);
  });

  it('resumes a parked contract after showing why it was parked; the audit log says who', async () => {
    const contract = await contractOn(await add('2025-01-31'));
    await park(contract);
    const path = `/contract/${contract}/resume`;
    expect(await visitor.text(`/console${path}`)).toContain('the price is <missing>');
    expect((await act(path)).location).toMatch(new RegExp(`^/console/contract/${contract}`));
    expect(await visitor.text(`/console/contract/${contract}`)).not.toContain('the price is <missing>');
    const held = await withTestDatabase((db) => db.query('select held from agenda where contract_id = $1', [contract]));
    expect(new Set(held.map((row) => JSON.stringify(row)))).toEqual(new Set(['{"held":false}']));
    const [entry] = (await vendor.api.read(`/v1/c/audit?object=${contract}&actor=console`)).hits;
    expect(entry).toMatchObject({ action: 'console.contract.resume', actor: { type: 'console', id: vendor.keyId } });
    expect((await act(path)).status).toBe(409);
  });

  it('lists what is late, by what it is and since when', async () => {
    const clock = await add('2025-01-31');
    const contract = await contractOn(clock);
    expect(await visitor.text(`/console/due?test_clock=${clock}`)).toContain('Overdue None.');
    await withTestDatabase((db) =>
      db.query(`update agenda set due_at = '2025-01-30' where contract_id = $1 and kind = 'boundary'`, [contract]),
    );
    const late = await visitor.page(`/console/due?test_clock=${clock}`);
    expect(late.text).toMatch(/Overdue .* The next billing period begins .* 30 January 2025/);
    expect(late.html).toContain(`href="/console/contract/${contract}"`);
  });

  it('shows a reader everything but what acts, and another vendor nothing', async () => {
    const id = await add('2025-06-01');
    const { key } = await vendor.api.made<{ key: string }>('/v1/c/api_key', { name: 'reader', scope: 'read' });
    const reader = await VendorInConsole.signIn(key);
    for (const path of ['/test_clocks', `/test_clock/${id}`, '/due'])
      expect([path, (await reader.page(`/console${path}`)).html]).toEqual([path, expect.not.stringMatching(/Add a test|What you can do/)]);
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    const own = await other.csrf();
    for (const path of [`test_clock/${id}`, `test_clock/${id}/advance`, `test_clock/${id}/stop`, `due?test_clock=${id}`])
      expect([path, (await other.get(`/console/${path}`)).status]).toEqual([path, 404]);
    for (const name of ['advance', 'stop'])
      expect((await act(`/test_clock/${id}/${name}`, { csrf: own, from: String(Date.UTC(2025, 5, 1)), step: 'day' }, other)).status).toBe(
        404,
      );
    expect(await read(id)).toMatchObject({ now: '2025-06-01T00:00:00.000Z' });
  });
});
