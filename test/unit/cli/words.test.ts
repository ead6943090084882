import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { type Ended, runProgram } from '../../support/program.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
/** An environment without servers, so that a command that begins its work fails. */
const noServers = {
  DATABASE_URL: 'postgres://perennial:pw@127.0.0.1:9/perennial',
  TEMPORAL_ADDRESS: '127.0.0.1:9',
  PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef',
};
const cli = (...args: string[]): Promise<Ended> => runProgram(['cli', ...args], { env: noServers });

const COMMANDS = [
  ['start'],
  ['migrate'],
  ['reconcile'],
  ['doctor'],
  ['demo'],
  ['listen'],
  ['import'],
  ['plans'],
  ['plans', 'pull'],
  ['plans', 'diff'],
  ['plans', 'push'],
  ['explain'],
  ['clock'],
  ['clock', 'create'],
  ['clock', 'advance'],
  ['vendor'],
  ['vendor', 'create'],
  ['vendor', 'list'],
  ['key'],
  ['key', 'create'],
  ['key', 'list'],
  ['key', 'revoke'],
  ['key', 'rotate'],
  ['payment'],
  ['payment', 'end'],
];

describe('the command line', () => {
  it.each(COMMANDS)('prints the help of %s %s', async (...command) => {
    const { code, stdout, stderr } = await cli(...command.filter((word) => word !== undefined), '--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Usage: node bin/perennial\\.mjs cli ${command.join(' ')} .*\\n\\n\\S`));
    expect(stdout).toContain('-h, --help');
  });

  it('lists all commands with --help or without arguments', async () => {
    const [asked, bare] = [await cli('--help'), await cli()];
    expect([asked.code, bare.code, bare.stdout]).toEqual([0, 0, asked.stdout]);
    for (const [name] of COMMANDS) expect(asked.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  });

  it('prints its version', async () => {
    expect(await cli('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(await runProgram(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(['| true', '2>&1 | true'])('succeeds silently when its reader has closed the pipe: %s', (reader) => {
    const line = `"${process.execPath}" bin/perennial.mjs cli --help ${reader}; exit "\${PIPESTATUS[0]}"`;
    const { status, stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it.each([
    [['destroy'], "unknown command 'destroy'"],
    [['reconcil'], 'Did you mean reconcile?'],
    [['reconcile', '--dry-rum'], 'Did you mean --dry-run?'],
    [['reconcile', 'now'], 'too many arguments'],
    [['migrate', '--dryrun'], "unknown option '--dryrun'"],
    [['doctor', 'everything'], 'too many arguments'],
    [['start', '--port=3001'], "unknown option '--port"],
    [['demo', 'twice'], 'too many arguments'],
    [['plans', 'push'], "missing required argument 'file'"],
    [['plans', 'pull', 'x.yaml', '--prune'], "unknown option '--prune'"],
    [['explain'], "missing required argument 'invoice'"],
    [['clock', 'advance', 'Clock_1', 'tomorrow'], 'Give a day, like 2027-03-01'],
    [['clock', 'create', '2027-02-31'], 'Give a day, like 2027-03-01'],
    [['listen', '--forward', 'localhost:4242'], 'Did you mean --forward-to?'],
    [['listen', '--forward-to', 'ftp://localhost/hook'], 'Give a web address, like http://localhost:4242/hook.'],
    [['listen', '--after', 'Cust_1'], 'Give the id of an event, which begins with Evt_.'],
    [['listen', '--types', 'v1.invoice.payed'], 'There is no type "v1.invoice.payed": docs/events.md lists them.'],
    [['vendor', 'delete', 'Acme'], "unknown command 'delete'"],
    [['vendor', 'create', '--name', 'Acme'], "unknown option '--name'"],
    [['vendor', 'create'], "missing required argument 'name'"],
    [['vendor', 'create', ' '], 'A name has at least one letter.'],
    [['vendor', 'create', 'Acme', 'Corp'], 'too many arguments'],
    [['key', 'create', 'Wbc_1'], "missing required argument 'name'"],
    [['key', 'create', 'Wbc_1', 'reporter', '--scope', 'admin'], 'Allowed choices are full, read, usage'],
    [['key', 'rotate', 'Key_1', '--overlap', '-5'], 'Give whole seconds from 0 to 2592000.'],
    [['key', 'rotate', 'Key_1', '--overlap', '1h'], 'Give whole seconds from 0 to 2592000.'],
    [['key', 'revoke'], "missing required argument 'key-id'"],
    [['payment', 'end', 'Pay_1'], "required option '--not-taken' not specified"],
  ])('refuses %j and changes nothing', async (args, why) => {
    const { code, stdout, stderr } = await cli(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(why);
    expect(stderr).toContain('--help says what there is');
  });

  it.each([
    ['reconcile', { npm_config_dry_run: 'true' }, '--dry-run'],
    ['migrate', { npm_config_dry_run: 'true' }, '--dry-run'],
    ['key create Wbc_1 reporter', { npm_config_scope: 'read' }, '--scope'],
    ['key rotate Key_1', { npm_config_overlap: '0' }, '--overlap'],
  ])('refuses %s when npm took one of its options: %j', async (words, settings, option) => {
    const { code, stdout, stderr } = await runProgram(['cli', ...words.split(' ')], { env: { ...noServers, ...settings } });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`npm kept ${option} for itself; put -- before the options, like npm run cli -- ${words} ${option}`);
  });

  it.each([
    ['an option after --', 'reconcile --dry-run', { npm_config_dry_run: 'true' }],
    ['a scope of packages', 'key create Wbc_1 reporter', { npm_config_scope: '@acme' }],
    ['an option that is off', 'reconcile', { npm_config_dry_run: '' }],
  ])('accepts %s', async (_what, words, settings) => {
    const { code, stderr } = await runProgram(['cli', ...words.split(' ')], { env: { ...noServers, ...settings } });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Postgres does not answer/)]);
  });

  it.each([['vendor'], ['key']])('lists the commands of %s when none is given', async (group) => {
    const { code, stderr } = await cli(group);
    expect(code).toBe(2);
    expect(stderr).toContain('list');
  });

  it.each([['migrate'], ['reconcile'], ['doctor'], ['vendor list'], ['key list Wbc_1']])(
    '%s prints one line when Postgres does not answer',
    async (words) => {
      const { code, stdout, stderr } = await cli(...words.split(' '));
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toBe('Postgres does not answer at DATABASE_URL; without that variable, is npm start running on this home?\n');
    },
  );
});

describe('an address of something else than Postgres', () => {
  const other = createServer((socket) => socket.destroy());
  beforeAll(() => once(other.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => other.close());

  it('gets one line from a command, too', async () => {
    const DATABASE_URL = `postgres://perennial:pw@127.0.0.1:${(other.address() as AddressInfo).port}/perennial`;
    const { code, stderr } = await runProgram(['cli', 'doctor'], { env: { ...noServers, DATABASE_URL } });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Postgres does not answer at DATABASE_URL;.*\n$/)]);
  });
});

describe('what a vendor calls', () => {
  const home = '/nonexistent';

  it.each([['listen'], ['plans pull x.yaml'], ['explain 42'], ['clock create 2027-01-01']])(
    '%s names the variables that are missing',
    async (words) => {
      const call = (env: Record<string, string>) => runProgram(['cli', ...words.split(' ')], { env: { PERENNIAL_HOME: home, ...env } });
      expect(await call({})).toEqual({
        code: 1,
        stdout: '',
        stderr: `The configuration is not complete:
  PERENNIAL_URL: give the address of the API, like https://billing.example.com
  PERENNIAL_API_KEY: give a key of the API, as vendor create or key create printed it
  or run npm start, or set PERENNIAL_HOME to where it runs: ${home} holds no servers
`,
      });
      const half = await call({ PERENNIAL_URL: 'http://127.0.0.1:9' });
      expect(half.stderr.split('\n').slice(1)).toEqual([expect.stringContaining('PERENNIAL_API_KEY: give a key'), '']);
      expect(await call({ PERENNIAL_URL: 'http://127.0.0.1:9', PERENNIAL_API_KEY: 'api_key_1' })).toEqual({
        code: 1,
        stdout: '',
        stderr: 'nothing answers at http://127.0.0.1:9: is the server running, and is that its address?\n',
      });
    },
  );
});

describe('the program', () => {
  it('lists its commands', async () => {
    const [asked, bare] = [await runProgram(['--help']), await runProgram([])];
    expect([asked.code, asked.stderr, bare.stdout]).toEqual([0, '', asked.stdout]);
    for (const name of ['start', 'api', 'worker', 'cli', 'test']) expect(asked.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  it.each([
    [['serve'], 'There is no command serve.'],
    [['api', '--port=3001'], 'api takes no arguments, variables say the rest (config/README.md): what is --port=3001?'],
    [['worker', 'now'], 'worker takes no arguments'],
    [['start', '--fresh'], 'start takes no arguments'],
  ])('refuses %j', async (args, why) => {
    const { code, stdout, stderr } = await runProgram(args, { env: noServers });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(why);
  });
});
