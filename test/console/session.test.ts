import { createHash } from 'node:crypto';
import { VendorInConsole } from '../support/console-visitor.ts';
import { withTestDatabase } from '../support/database.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const HOUR = 3_600_000;
const hashOf = (session: string): string => createHash('sha256').update(session).digest('hex');

describe('a session of the console', () => {
  let vendor: TestVendor;
  let base: string;

  const keyOf = (scope: string): Promise<{ id: string; key: string }> => vendor.api.made('/v1/c/api_key', { name: scope, scope });
  const isIn = async (visitor: VendorInConsole): Promise<boolean> => (await visitor.get('/console')).status === 200;
  const moveBack = (session: string, columns: readonly string[], ms: number): Promise<unknown> =>
    withTestDatabase((db) =>
      db.query(
        `update console_session set ${columns.map((column) => `${column} = ${column} - $2 * interval '1 millisecond'`).join(', ')} where hash = $1`,
        [hashOf(session), ms],
      ),
    );

  beforeAll(async () => {
    vendor = await newVendor('Sessions');
    base = (await servers()).baseUrl;
  });

  it('is opened with a key that reads or does everything, and leads to the page that was asked for', async () => {
    const { key } = await keyOf('read');
    const visitor = new VendorInConsole(base);
    const asked = await visitor.get('/console/customers?search=ada');
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, 'ConsoleSession realm="Perennial console"']);
    const to = /name="to" value="([^"]+)"/.exec(asked.html)?.[1] ?? '';
    const opened = await visitor.post('/console/sign_in', { api_key: key, to });
    expect([opened.status, opened.location]).toEqual([303, '/console/customers?search=ada']);
    expect(opened.headers.get('set-cookie')).toMatch(/^perennial_console=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Lax$/);
    expect(await visitor.text('/console/customers?search=ada')).toContain('Customers');
  });

  it('is refused to a key that only reports usage, to no key and to one that there is not, and says why', async () => {
    const { key } = await keyOf('usage');
    for (const [api_key, words] of [
      [key, 'may only report usage'],
      ['', 'There is no such key'],
      [`api_key_${'x'.repeat(43)}`, 'There is no such key'],
    ] as const) {
      const visitor = new VendorInConsole(base);
      const refused = await visitor.post('/console/sign_in', { api_key });
      expect([refused.status, visitor.session]).toEqual([422, '']);
      expect(refused.text).toContain(words);
      if (api_key !== '') expect(refused.html).not.toContain(api_key);
    }
  });

  it('is stored as a hash alone, and is always a new one: what somebody has put into the cookie opens nothing', async () => {
    const { key } = await keyOf('read');
    const planted = 'a'.repeat(43);
    const visitor = new VendorInConsole(base, new Map([['perennial_console', planted]]));
    expect(await isIn(visitor)).toBe(false);
    await visitor.post('/console/sign_in', { api_key: key });
    expect(visitor.session).not.toBe(planted);
    const first = new VendorInConsole(base, new Map([['perennial_console', visitor.session]]));
    await visitor.post('/console/sign_in', { api_key: key });
    expect([await isIn(visitor), await isIn(first)]).toEqual([true, false]);
    const rows = await withTestDatabase((db) => db.query('select hash from console_session where vendor_id = $1', [vendor.vendorId]));
    expect(rows).toContainEqual({ hash: hashOf(visitor.session) });
    expect(JSON.stringify(rows)).not.toContain(visitor.session);
  });

  it('ends after an hour without a visit, and after twelve hours all the same', async () => {
    const { key } = await keyOf('read');
    const [idle, busy] = [await VendorInConsole.signIn(key), await VendorInConsole.signIn(key)];
    await moveBack(idle.session, ['last_seen', 'expires'], HOUR - 60_000);
    expect(await isIn(idle)).toBe(true);
    await moveBack(idle.session, ['last_seen', 'expires'], HOUR);
    expect(await isIn(idle)).toBe(false);
    await moveBack(busy.session, ['created', 'last_seen'], 12 * HOUR - 60_000);
    expect(await isIn(busy)).toBe(true);
    await moveBack(busy.session, ['expires'], 60_000);
    expect(await isIn(busy)).toBe(false);
  });

  it('ends with its key, at once', async () => {
    const { id, key } = await keyOf('full');
    const visitor = await VendorInConsole.signIn(key);
    expect(await isIn(visitor)).toBe(true);
    await vendor.api.made(`/v1/c/api_key/${id}/revoke`);
    expect(await isIn(visitor)).toBe(false);
  });

  it('ends by its button, and all of one key by the other button, which ends no session of another key', async () => {
    const [one, other] = [await keyOf('read'), await keyOf('read')];
    const [here, there, elsewhere] = [
      await VendorInConsole.signIn(one.key),
      await VendorInConsole.signIn(one.key),
      await VendorInConsole.signIn(other.key),
    ];
    const kept = new VendorInConsole(base, new Map([['perennial_console', here.session]]));
    const left = await here.post('/console/leave', { csrf: await here.csrf() });
    expect([left.status, left.location, here.session]).toEqual([303, '/console', '']);
    expect([await isIn(kept), await isIn(there)]).toEqual([false, true]);
    const again = await VendorInConsole.signIn(one.key);
    await again.post('/console/leave_everywhere', { csrf: await again.csrf() });
    expect([await isIn(again), await isIn(there), await isIn(elsewhere)]).toEqual([false, false, true]);
  });

  it('says with which key it was opened, by its name and id', async () => {
    const { id, key } = await vendor.api.made<{ id: string; key: string }>('/v1/c/api_key', { name: 'Ada <desk>', scope: 'read' });
    const { html } = await (await VendorInConsole.signIn(key)).page('/console/customers');
    expect(html).toContain(`Signed in with the key “Ada &lt;desk&gt;” <span class="id">${id}</span>`);
    expect(html).not.toContain(key);
  });

  it('leaves its beginning and its end in the audit log, each once, with the key alone', async () => {
    const { id, key } = await keyOf('read');
    const actionsOf = async () => (await vendor.api.read(`/v1/c/audit?object=${id}&actor=console`)).hits;
    const visitor = await VendorInConsole.signIn(key);
    const former = new VendorInConsole(base, new Map([['perennial_console', visitor.session]]));
    const csrf = await visitor.csrf();
    await visitor.post('/console/leave', { csrf });
    await former.post('/console/leave', { csrf });
    const second = await VendorInConsole.signIn(key);
    await second.post('/console/sign_in', { api_key: key });
    await second.post('/console/leave_everywhere', { csrf: await second.csrf() });
    await new VendorInConsole(base).post('/console/sign_in', { api_key: `${key}x` });
    const entries = await actionsOf();
    expect(entries.map(({ action }: { action: string }) => action.replace('console.', ''))).toEqual([
      ...['sign_in', 'leave', 'sign_in', 'sign_in', 'leave', 'leave_everywhere'],
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({ actor: { type: 'console', id }, before: null, after: null });
      expect(JSON.stringify(entry)).not.toContain(key);
    }
  });
});
