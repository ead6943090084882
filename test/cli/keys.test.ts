import { api } from '../support/api.ts';
import { type Ended, runProgram } from '../support/program.ts';
import { servers } from '../support/servers.ts';
import { settledLog } from '../support/settled-log.ts';

async function cli(...args: string[]): Promise<Ended> {
  const { databaseUrl, temporalAddress } = await servers();
  return runProgram(['cli', ...args], {
    env: { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef' },
  });
}

/** The result of a command under `--json`: one object, and no other output. */
async function resultOf<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await cli(...args, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

type NewVendor = { id: string; name: string; key_id: string; key: string };
type NewKey = { id: string; key: string };
type Key = { id: string; name: string; scope: string; expires: string | null; revoked: string | null };

const statusWith = async (key: string): Promise<number> => (await api(key).get('/v1/c/plan')).status;
const keysOf = async (vendor: string): Promise<Key[]> => (await resultOf<{ keys: Key[] }>('key', 'list', vendor)).keys;

describe('vendors on the command line', () => {
  it('are created with a valid key that is shown once', async () => {
    const { code, stdout } = await cli('vendor', 'create', 'Bricks & Co');
    expect(code).toBe(0);
    const [, vendor, , key] =
      /^vendor {3}(Wbc_\S+)\nkey id {3}(Key_\S+)\napi key {2}(api_key_\S+)\nThe key is shown this once/.exec(stdout) ?? [];
    expect(await statusWith(key ?? '')).toBe(200);
    const listed = await cli('vendor', 'list');
    expect(listed.stdout).toMatch(new RegExp(`^${vendor} .*Z +1 live key +Bricks & Co$`, 'm'));
    expect(listed.stdout).not.toContain('api_key_');
  });

  it('are listed as JSON with their name and number of live keys', async () => {
    const made = await resultOf<NewVendor>('vendor', 'create', '  Acme Corp ');
    expect(made.name).toBe('Acme Corp');
    expect(await statusWith(made.key)).toBe(200);
    const { vendors } = await resultOf<{ vendors: { id: string }[] }>('vendor', 'list');
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(vendors.find(({ id }) => id === made.id)).toEqual({ id: made.id, name: 'Acme Corp', live_keys: 1, created });
  });
});

describe('keys on the command line', () => {
  it('are created with a scope, listed without their secret, and revoked at once', async () => {
    const vendor = await resultOf<NewVendor>('vendor', 'create', 'Keys');
    const { id, key } = await resultOf<NewKey>('key', 'create', vendor.id, 'usage reporter', '--scope', 'usage');
    // this scope may report usage, but not read
    expect(await statusWith(key)).toBe(403);
    const text = await cli('key', 'list', vendor.id);
    expect(text.stdout).toMatch(new RegExp(`^${vendor.key_id} +full +live +first key\n${id} +usage +live +usage reporter\n$`));
    expect(text.stdout).not.toContain('api_key_');

    expect(await cli('key', 'revoke', id)).toEqual({ code: 0, stdout: `${id} is revoked\n`, stderr: '' });
    expect(await statusWith(key)).toBe(401);
    expect((await cli('key', 'revoke', id)).stdout).toContain('was revoked already');
    await settledLog();
    const { hits } = await api(vendor.key).read(`/v1/c/audit?object=${id}`);
    expect(hits).toMatchObject([
      { action: 'create_api_key', actor: { type: 'system', id: null }, before: null, after: { name: 'usage reporter', scope: 'usage' } },
      { action: 'revoke_api_key', actor: { type: 'system', id: null }, before: { revoked: null }, after: { revoked: expect.any(String) } },
      { action: 'revoke_api_key', before: null, after: null },
    ]);
    const revoked = (await keysOf(vendor.id)).find((one) => one.id === id);
    expect((await resultOf<{ revoked: string }>('key', 'revoke', id)).revoked).toBe(revoked?.revoked);
    expect(await cli('key', 'rotate', id)).toEqual({ code: 1, stdout: '', stderr: `${id} is revoked: key create makes a new one\n` });
  });

  it('are rotated: the old key works for another day unless --overlap is given', async () => {
    const vendor = await resultOf<NewVendor>('vendor', 'create', 'Rotation');
    const before = Date.now();
    const second = await resultOf<NewKey>('key', 'rotate', vendor.key_id);
    expect([await statusWith(vendor.key), await statusWith(second.key)]).toEqual([200, 200]);
    const [first] = await keysOf(vendor.id);
    const overlap = Date.parse(first?.expires ?? '') - before;
    expect(overlap).toBeGreaterThanOrEqual(86_400_000);
    expect(overlap).toBeLessThan(86_400_000 + 60_000);

    const { stdout } = await cli('key', 'rotate', second.id, '--overlap', '0');
    expect(stdout).toContain('The old one has ended.');
    expect(await statusWith(second.key)).toBe(401);
    expect(await statusWith(/api_key_\S+/.exec(stdout)?.[0] ?? '')).toBe(200);
    expect((await keysOf(vendor.id)).map(({ name, scope }) => [name, scope])).toEqual(Array(3).fill(['first key', 'full']));
  });

  it.each([
    [['key', 'create', 'Wbc_unknown', 'x'], 'there is no vendor Wbc_unknown: vendor list tells their ids\n'],
    [['key', 'list', 'Wbc_unknown', '--json'], 'there is no vendor Wbc_unknown: vendor list tells their ids\n'],
    [['key', 'revoke', 'Key_unknown', '--json'], "there is no key Key_unknown: key list tells the ids of a vendor's keys\n"],
  ])('with an unknown id print one line: %j', async (args, stderr) => {
    expect(await cli(...args)).toEqual({ code: 1, stdout: '', stderr });
  });
});
