import { anyFreePort } from '../../local-stack/ports.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { CLIENT, logIn, startForger, startProvider } from '../support/sign-in-provider.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const BEGIN = '/console/sign_in/begin';
const MINUTE = 60_000;

const people = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.com', groups: ['billing-admins', 'all'] },
  sam: { name: 'Sam Support', email: 'sam@example.com', groups: ['support'] },
  eve: { name: 'Eve Elsewhere', email: 'eve@example.com', groups: ['sales'] },
  kim: { name: 'Kim of both', email: 'kim@example.com', groups: ['support', 'owners'] },
};

const variablesFor = (issuer: string, access: object): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_ACCESS: JSON.stringify(access),
});

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;

describe('signing in to the console with a provider', () => {
  let vendor: TestVendor;
  let second: TestVendor;
  let api: SecondApi;
  let provider: Awaited<ReturnType<typeof startProvider>>;

  const stranger = () => new VendorInConsole(api.baseUrl);
  const begun = async (visitor: VendorInConsole, query = ''): Promise<string> => {
    const { status, location } = await visitor.get(`${BEGIN}${query}`);
    expect([status, location?.startsWith(`${provider.issuer}/auth?`)]).toEqual([303, true]);
    return location ?? '';
  };
  const comeBack = async (visitor: VendorInConsole, login: string, query = '') =>
    visitor.get(pathOf(await logIn(await begun(visitor, query), login)));
  const signedIn = async (login: string): Promise<VendorInConsole> => {
    const visitor = stranger();
    expect([login, (await comeBack(visitor, login)).status]).toEqual([login, 303]);
    return visitor;
  };
  const isIn = async (visitor: VendorInConsole): Promise<boolean> => (await visitor.get('/console')).status === 200;

  beforeAll(async () => {
    [vendor, second] = [await newVendor('Bricks'), await newVendor('Tiles')];
    const port = await anyFreePort();
    provider = await startProvider(people, `http://127.0.0.1:${port}/console/sign_in/done`);
    const access = { [vendor.vendorId]: { read: ['support', 'all'], full: ['billing-admins'] }, [second.vendorId]: { full: ['owners'] } };
    api = await secondApi({}, { ...variablesFor(provider.issuer, access), PORT: String(port) });
  });
  afterAll(async () => {
    await api?.stop();
    await provider?.stop();
  });

  it('leads to the page that was asked for; the page’s foot and the audit log name the person', async () => {
    const visitor = stranger();
    const asked = await visitor.get('/console/customers?search=ada');
    const begin = /href="([^"]*sign_in[^"]*)"/.exec(asked.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const back = await visitor.get(pathOf(await logIn((await visitor.get(begin)).location ?? '', 'ada')));
    expect([back.status, back.location]).toEqual([303, '/console/customers?search=ada']);
    expect((await visitor.page('/console')).html).toContain('Signed in as Ada Lovelace (ada@example.com)');
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Omer' });
    await visitor.post(`/console/customer/${customer}/freeze`, { csrf: await visitor.csrf(), notes: 'on holiday' });
    const { hits } = await vendor.api.read(`/v1/c/audit?actor=person`);
    expect(hits.map(({ action, actor }: { action: string; actor: { type: string; id: string } }) => [action, actor.type])).toEqual([
      ['console.sign_in', 'person'],
      ['console.customer.freeze', 'person'],
    ]);
    const [, { actor }] = hits;
    expect(actor.id).toMatch(/^Person_/);
    const history = await vendor.api.read(`/v1/c/customer/${customer}/history`);
    expect(history.hits.at(-1)).toMatchObject({ notes: 'on holiday', actor, api_key_id: null });
    expect(await visitor.text(`/console/audit?object=${customer}`)).toContain('Ada Lovelace');
  });

  it('names the person who starts a move of a plan with each of its contracts', async () => {
    const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
    const terms = { internal_name: 'Basic', strategy: 'plan', features: [], pricings: [{ currency: 'usd', cycle: 'month', price }] };
    const [plan, to] = [
      await vendor.api.made('/v1/c/plan', { ...terms, slug: 'a' }),
      await vendor.api.made('/v1/c/plan', { ...terms, slug: 'b' }),
    ];
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Moved' });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const visitor = await signedIn('ada');
    const fields = { csrf: await visitor.csrf(), to, when: 'now', version: '1' };
    expect((await visitor.post(`/console/plan/${plan}/move`, fields)).status).toBe(303);
    const [entry] = await eventually(async () => {
      const { hits } = await vendor.api.read(`/v1/c/audit?object=${contract}&actor=person`);
      expect(hits).toHaveLength(1);
      return hits;
    });
    expect(entry).toMatchObject({ action: 'start_plan_move', actor: { type: 'person', id: expect.stringMatching(/^Person_/) } });
    expect(await visitor.text(`/console/contract/${contract}`)).toMatch(new RegExp(`change\\.completed Person ${entry.actor.id}`));
  });

  it('lets a group of scope read see and not act, and a person without a mapped group see nothing', async () => {
    const sam = await signedIn('sam');
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Omer' });
    expect((await sam.page('/console')).html).toContain('Read only');
    expect((await sam.post(`/console/customer/${customer}/freeze`, { csrf: await sam.csrf() })).status).toBe(403);
    const eve = stranger();
    const refused = await comeBack(eve, 'eve');
    expect([refused.status, eve.session]).toEqual([403, '']);
    expect(refused.text).toContain('none of your groups');
  });

  it('takes a change of groups with the next sign-in, as the same person', async () => {
    const before = await signedIn('sam');
    people.sam.groups.push('billing-admins');
    const after = await signedIn('sam');
    people.sam.groups.pop();
    expect((await before.page('/console')).html).toContain('Read only');
    expect((await after.page('/console')).html).not.toContain('Read only');
    const rows = await withTestDatabase((db) =>
      db.query('select count(*)::int as n from person where vendor_id = $1 and subject = $2', [vendor.vendorId, 'sam']),
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('asks somebody whose groups open two consoles which one, and opens that one alone', async () => {
    const kim = stranger();
    const choice = await comeBack(kim, 'kim', '?to=/console/invoices');
    expect([choice.status, kim.session]).toEqual([200, '']);
    expect(choice.text).toContain('Bricks (read only) Tiles (everything)');
    const link = [...choice.html.matchAll(/href="(\/console\/sign_in\/begin[^"]*)"/g)].at(-1)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const back = await kim.get(pathOf(await logIn((await kim.get(link)).location ?? '', 'kim')));
    expect([back.location, (await kim.page('/console')).html.includes('Tiles')]).toEqual(['/console/invoices', true]);
    const ada = stranger();
    expect((await comeBack(ada, 'ada', `?vendor=${second.vendorId}`)).status).toBe(403);
  });

  it('opens a new session each time, and ends the one whose cookie it replaces', async () => {
    const planted = new VendorInConsole(api.baseUrl, new Map([['perennial_console', 'a'.repeat(43)]]));
    await comeBack(planted, 'ada');
    expect(planted.session).not.toBe('a'.repeat(43));
    const first = new VendorInConsole(api.baseUrl, new Map([['perennial_console', planted.session]]));
    await comeBack(planted, 'ada');
    expect([await isIn(planted), await isIn(first)]).toEqual([true, false]);
  });

  it('ends one session by its button, all of the person by the other, and each after an hour without a visit', async () => {
    const [here, there, sam] = [await signedIn('ada'), await signedIn('ada'), await signedIn('sam')];
    const idle = await signedIn('ada');
    await withTestDatabase((db) =>
      db.query(
        `update console_session set expires = now() - interval '1 second' where vendor_id = $1 and hash = encode(sha256($2::bytea), 'hex')`,
        [vendor.vendorId, idle.session],
      ),
    );
    expect(await isIn(idle)).toBe(false);
    await here.post('/console/leave', { csrf: await here.csrf() });
    const again = await signedIn('ada');
    expect([await isIn(there), await isIn(again)]).toEqual([true, true]);
    await again.post('/console/leave_everywhere', { csrf: await again.csrf() });
    expect([await isIn(there), await isIn(again), await isIn(sam)]).toEqual([false, false, true]);
  });

  it('believes no answer twice, none of another browser, none with another state or issuer, and none without a round', async () => {
    const ada = stranger();
    const answer = await logIn(await begun(ada), 'ada');
    const thief = stranger();
    await begun(thief);
    const other = await thief.get(pathOf(answer));
    expect([other.status, thief.session]).toEqual([422, '']);
    const without = await stranger().get(pathOf(answer));
    expect([without.status, without.text]).toEqual([422, expect.stringContaining('Start again')]);
    const asBefore = new VendorInConsole(api.baseUrl, new Map(ada.cookies));
    expect((await ada.get(pathOf(answer))).status).toBe(303);
    const replayed = [await ada.get(pathOf(answer)), await asBefore.get(pathOf(answer))];
    expect([replayed.map(({ status }) => status), asBefore.session]).toEqual([[422, 422], '']);
    for (const [name, value] of [
      ['state', 'x'],
      ['iss', 'https://evil.example'],
    ] as const) {
      const visitor = stranger();
      const changed = await logIn(await begun(visitor), 'ada');
      changed.searchParams.set(name, value);
      expect([name, (await visitor.get(pathOf(changed))).status, visitor.session]).toEqual([name, 422, '']);
    }
  });

  it('says when the provider refuses, and leads to no other site', async () => {
    const visitor = stranger();
    const state = new URL(await begun(visitor)).searchParams.get('state') ?? '';
    const denied = await visitor.get(
      `/console/sign_in/done?${new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer })}`,
    );
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining('did not let you in')]);
    for (const to of ['https://evil.example', '//evil.example', '/console/../x', '/console?a=b\r\nx: y'])
      expect((await comeBack(stranger(), 'ada', `?${new URLSearchParams({ to })}`)).location).toBe('/console');
  });

  it('asks the provider for its metadata once for many sign-ins, and still takes keys', async () => {
    await Promise.all([signedIn('ada'), signedIn('sam')]);
    expect(provider.asked.filter((path) => path === '/.well-known/openid-configuration')).toHaveLength(1);
    expect(await isIn(await VendorInConsole.signIn(vendor.apiKey, api.baseUrl))).toBe(true);
  });
});

describe('a provider that forges, or is away', () => {
  let vendor: TestVendor;
  let api: SecondApi;
  let forger: Awaited<ReturnType<typeof startForger>>;

  beforeAll(async () => {
    vendor = await newVendor('Careful');
    forger = await startForger();
    api = await secondApi({}, variablesFor(forger.issuer, { [vendor.vendorId]: { full: ['admins'] } }));
  });
  afterAll(async () => {
    await api?.stop();
    await forger?.stop();
  });

  const claimsFor = (nonce: string) => {
    const now = Math.floor(Date.now() / 1_000);
    return {
      iss: forger.issuer,
      aud: CLIENT.id,
      sub: 'ada',
      nonce,
      iat: now,
      exp: now + 60,
      name: 'Ada',
      email: 'a@example.com',
      groups: 'admins',
    };
  };
  type Claims = ReturnType<typeof claimsFor>;

  const answerWith = async (forge: (claims: Claims) => object, signedByOther = false) => {
    const visitor = new VendorInConsole(api.baseUrl);
    const asked = new URL((await visitor.get(BEGIN)).location ?? '').searchParams;
    forger.nextToken(forge(claimsFor(asked.get('nonce') ?? '')), signedByOther);
    const page = await visitor.get(`/console/sign_in/done?${new URLSearchParams({ code: 'c', state: asked.get('state') ?? '' })}`);
    return { status: page.status, text: page.text, isIn: visitor.session !== '' };
  };

  it('signs in with a token that is right, with all claims in it', async () => {
    expect(await answerWith((claims) => claims)).toMatchObject({ status: 303, isIn: true });
  });

  const old = Math.floor((Date.now() - 10 * MINUTE) / 1_000);
  it.each<[string, (claims: Claims) => object, boolean]>([
    ['of another nonce', (claims) => ({ ...claims, nonce: 'x' }), false],
    ['without a nonce', ({ nonce, ...claims }) => claims, false],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' }), false],
    ['for another client', (claims) => ({ ...claims, aud: 'other' }), false],
    ['that has expired', (claims) => ({ ...claims, iat: old, exp: old + 60 }), false],
    ['that another key signed', (claims) => claims, true],
  ])('opens nothing with a token %s', async (_, forge, signedByOther) => {
    const answer = await answerWith(forge, signedByOther);
    expect(answer).toMatchObject({ status: 422, isIn: false });
    expect(answer.text).toContain('could not be verified');
  });

  it('says so when it is away, and takes keys', async () => {
    await forger.stop();
    const visitor = new VendorInConsole(api.baseUrl);
    const asked = new URL((await visitor.get(BEGIN)).location ?? '').searchParams;
    const away = await visitor.get(`/console/sign_in/done?${new URLSearchParams({ code: 'c', state: asked.get('state') ?? '' })}`);
    expect([away.status, away.text]).toEqual([503, expect.stringContaining('can’t be reached')]);
    expect(await VendorInConsole.signIn(vendor.apiKey, api.baseUrl)).toBeDefined();
  });
});
