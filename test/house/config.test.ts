import { loadConfig } from '../../config/config.ts';
import { loadLaunchConfig } from '../../config/launch.ts';

const complete = {
  DATABASE_URL: 'postgres://perennial:pw@localhost:5432/perennial',
  TEMPORAL_ADDRESS: 'localhost:7233',
  PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef',
};

describe('configuration', () => {
  it('names every missing variable and the fix at once', () => {
    expect(() => loadConfig({})).toThrow(/DATABASE_URL: give the address[\s\S]*TEMPORAL_ADDRESS: give[\s\S]*PERENNIAL_SECRET: give/);
  });

  it('counts an empty variable as not given', () => {
    expect(loadConfig({ ...complete, PORT: '' }).port).toBe(3000);
  });

  it('takes a pooler by what it does with prepared statements: on, pooled or off', () => {
    expect(loadConfig(complete)).toMatchObject({ preparedStatements: 'on', directDatabaseUrl: null });
    expect(loadConfig({ ...complete, PREPARED_STATEMENTS: 'off' }).preparedStatements).toBe('off');
    expect(() => loadConfig({ ...complete, PREPARED_STATEMENTS: 'no' })).toThrow('PREPARED_STATEMENTS: must be on, pooled or off');
  });

  it('refuses port 70000', () => {
    expect(() => loadConfig({ ...complete, PORT: '70000' })).toThrow('PORT: give a port number between 1 and 65535');
  });

  it('refuses an address that no driver can read, such as one with a password that is not encoded', () => {
    const wrong = (variables: Record<string, string>) => () => loadConfig({ ...complete, ...variables });
    for (const password of ['p#w', 'p/w', 'p?w']) {
      expect(wrong({ DATABASE_URL: `postgres://me:${password}@db:5432/perennial` })).toThrow('DATABASE_URL: is no address: in a user');
      expect(wrong({ SMTP_URL: `smtp://me:${password}@mail.example.com:587` })).toThrow('SMTP_URL: is no address: in a user');
    }
    for (const DATABASE_URL of ['postgres://me:p%23w@db/perennial', 'postgres://me:p%w@db/perennial', 'postgresql://me:pw@/p?host=/tmp'])
      expect(wrong({ DATABASE_URL })().databaseUrl).toBe(DATABASE_URL);
    expect(wrong({ TEMPORAL_ADDRESS: 'temporal:99999' })).toThrow('TEMPORAL_ADDRESS: must be host:port, like temporal:7233, with a port');
  });

  it('refuses times that no date can say', () => {
    const wrong = (variables: Record<string, string>) => () => loadConfig({ ...complete, ...variables });
    expect(wrong({ PAYMENT_RETRY_DAYS: '1,99999999999' })).toThrow('PAYMENT_RETRY_DAYS: must be at most 365 days');
    for (const name of [
      'IDEMPOTENCY_KEPT',
      'OUTBOX_KEPT',
      'WEBHOOK_LOG_KEPT',
      'WEBHOOK_GIVE_UP_AFTER',
      'WEBHOOK_RETRY_PAUSES',
      'OPEN_IMPORTS_KEPT',
      'EVENT_LOG_KEPT',
      'PRINTS_KEPT',
    ])
      expect(wrong({ [name]: '999999999d' })).toThrow(`${name}: must be at most 36500d`);
  });

  it('reads retry days 2,4 and refuses 4,2', () => {
    expect(loadConfig({ ...complete, PAYMENT_RETRY_DAYS: '2,4' }).payments.retryDays).toEqual([2, 4]);
    expect(() => loadConfig({ ...complete, PAYMENT_RETRY_DAYS: '4,2' })).toThrow('PAYMENT_RETRY_DAYS: must be growing whole days');
  });

  it('refuses half a set of provider keys', () => {
    expect(() => loadConfig({ ...complete, AUTHORIZE_LOGIN_ID: 'x' })).toThrow(/AUTHORIZE_TRANSACTION_KEY: is needed too/);
  });

  it('refuses a signature key that is not hexadecimal, in one line', () => {
    const withKey = (key: string) => () =>
      loadConfig({ ...complete, AUTHORIZE_LOGIN_ID: 'x', AUTHORIZE_TRANSACTION_KEY: 'y', AUTHORIZE_SIGNATURE_KEY: key });
    for (const key of ['copied wrongly', 'zz'.repeat(64), 'abc'])
      expect(withKey(key)).toThrow(/\n {2}AUTHORIZE_SIGNATURE_KEY: must be hexadecimal, [^\n]*$/);
    expect(() => loadLaunchConfig({ AUTHORIZE_SIGNATURE_KEY: 'copied wrongly' })).toThrow('AUTHORIZE_SIGNATURE_KEY: must be hexadecimal');
    expect(withKey('0aF9'.repeat(32))().payments.authorize?.signatureKey).toBe('0aF9'.repeat(32));
  });

  it('takes the four variables of a sign-in service together, with https unless it is on loopback', () => {
    const access = '{"Wbc_1":{"full":["cn=billing,dc=example"]}}';
    const service = { OIDC_ISSUER: 'https://login.example.com/a/', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's', OIDC_ACCESS: access };
    const load = (changed: Record<string, string>) => () => loadConfig({ ...complete, ...service, ...changed }).signIn;
    expect(loadConfig(complete).signIn).toBeNull();
    expect(load({})()).toEqual({
      issuer: 'https://login.example.com/a/',
      clientId: 'c',
      clientSecret: 's',
      scopes: 'openid profile email',
      groupsClaim: 'groups',
      access: [{ vendorId: 'Wbc_1', read: [], full: ['cn=billing,dc=example'] }],
    });
    expect(load({ OIDC_ISSUER: 'http://127.0.0.1:4000' })()).toMatchObject({ issuer: 'http://127.0.0.1:4000' });
    expect(load({ OIDC_ISSUER: 'http://login.example.com' })).toThrow('OIDC_ISSUER: must be the address');
    expect(load({ OIDC_CLIENT_SECRET: '' })).toThrow('OIDC_CLIENT_SECRET: is needed too');
    for (const wrong of ['full', '{"Wbc_1":{"admin":["a"]}}', '{"billing":{"full":["a"]}}'])
      expect(load({ OIDC_ACCESS: wrong })).toThrow('OIDC_ACCESS: must be JSON like');
    expect(load({ OIDC_SCOPES: 'profile' })).toThrow('OIDC_SCOPES: must begin with openid');
  });

  it('trusts no proxy unless one is named', () => {
    expect(loadConfig(complete).trustedProxies).toEqual([]);
    const trusting = (proxies: string) => loadConfig({ ...complete, TRUSTED_PROXIES: proxies }).trustedProxies;
    expect(trusting('10.0.0.5, fd00::/8')).toEqual(['10.0.0.5', 'fd00::/8']);
    for (const wrong of ['proxy.example.com', '10.0.0.0/33', '10.0.0.5,', 'all'])
      expect(() => trusting(wrong)).toThrow('TRUSTED_PROXIES: must be');
  });

  it('limits no requests without a key on loopback and 60 a minute elsewhere', () => {
    const limitOf = (more: Record<string, string>) => loadConfig({ ...complete, ...more }).keylessLimitPerMinute;
    expect([limitOf({ HOST: '127.0.0.1' }), limitOf({}), limitOf({ KEYLESS_LIMIT_PER_MINUTE: 'off' })]).toEqual([null, 60, null]);
    expect(limitOf({ HOST: '127.0.0.1', KEYLESS_LIMIT_PER_MINUTE: '30' })).toBe(30);
  });

  it('limits no requests on loopback and 6000 a minute elsewhere', () => {
    expect(loadConfig({ ...complete, HOST: '127.0.0.1' }).rateLimitPerMinute).toBeNull();
    expect(loadConfig(complete).rateLimitPerMinute).toBe(6000);
    expect(loadConfig({ ...complete, RATE_LIMIT_PER_MINUTE: 'off' }).rateLimitPerMinute).toBeNull();
  });

  it('is reached where it listens', () => {
    const reached = (HOST: string) => [loadConfig({ ...complete, HOST }).baseUrl, loadLaunchConfig({ HOST }).baseUrl];
    for (const host of ['127.0.0.1', '0.0.0.0', '::']) expect(reached(host)).toEqual(Array(2).fill('http://127.0.0.1:3000'));
    expect(reached('::1')).toEqual(Array(2).fill('http://[::1]:3000'));
    expect(reached('billing.internal')).toEqual(Array(2).fill('http://billing.internal:3000'));
  });

  it('runs in UTC', () => {
    expect(new Date('2025-07-01T00:00:00Z').getHours()).toBe(0);
  });

  it('needs nothing to launch', () => {
    const proxies = (GOPROXY: string) => loadLaunchConfig({ GOPROXY }).goProxies;
    expect([loadLaunchConfig({}).goProxies, proxies('')]).toEqual([['https://proxy.golang.org'], ['https://proxy.golang.org']]);
    expect(proxies('https://one.test,http://two.test/go|direct')).toEqual(['https://one.test', 'http://two.test/go']);
    expect([proxies('off'), proxies('direct'), proxies('https://one.test,off,https://two.test')]).toEqual([[], [], ['https://one.test']]);
    expect(loadLaunchConfig({})).toMatchObject({ port: 3000, host: '127.0.0.1', baseUrl: 'http://127.0.0.1:3000', temporalAddress: null });
  });
});

describe('what is kept', () => {
  const kept = (variables: Record<string, string>) => loadConfig({ ...complete, ...variables }).retention;
  const DAY = 86_400_000;

  it('is answers, tries and imports that nobody starts for 30 days, messages for one, events and prints for ever', () => {
    expect(kept({})).toEqual({ answers: 30 * DAY, messages: DAY, tries: 30 * DAY, events: null, prints: null, imports: 30 * DAY });
    expect(kept({ EVENT_LOG_KEPT: '400d', PRINTS_KEPT: '90d' })).toMatchObject({ events: 400 * DAY, prints: 90 * DAY });
  });

  it('is not less than what others rely on', () => {
    expect(() => kept({ IDEMPOTENCY_KEPT: '1h' })).toThrow('IDEMPOTENCY_KEPT: must be 1d or more');
    expect(() => kept({ EVENT_LOG_KEPT: '20d' })).toThrow('EVENT_LOG_KEPT: must be at least as long as WEBHOOK_LOG_KEPT');
    expect(() => kept({ EVENT_LOG_KEPT: 'soon' })).toThrow('EVENT_LOG_KEPT: must be forever, or 7d or more');
  });
});
