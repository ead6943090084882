import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { type Ended, runProgram, startProgram } from '../support/program.ts';
import { servers } from '../support/servers.ts';
import { plan, planToSave } from '../support/story-catalogue.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

let home: string;
let vendor: TestVendor;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'perennial-import-'));
  vendor = await newVendor();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const CUSTOMERS = 1_200;
const NO_JSON = "must be a JSON object: Expected ',' or '}' after property value in JSON at position 19";
const TWICE = 'The key "ref" stands twice in one object.';

/** A file of more than one page: customers, a contract, and lines that nobody can read. */
async function fileOf(): Promise<string> {
  const planId = await vendor.api.made('/v1/c/plan', planToSave(plan('pro', '30')));
  const customers = Array.from({ length: CUSTOMERS }, (_, n) => JSON.stringify({ type: 'customer', ref: `cus_${n}`, name: 'Ada' }));
  const trial_end = new Date(Date.now() + 86_400_000).toISOString();
  const contract = { type: 'contract', ref: 'sub_1', customer: 'cus_1', plan: planId, currency: 'usd', cycle: 'month', trial_end };
  const file = join(home, 'book.ndjson');
  writeFileSync(
    file,
    [...customers, '', '{"type": "customer"', '{"type":"customer","ref":"a","ref":"b"}', JSON.stringify(contract)].join('\n'),
  );
  return file;
}

async function runImport(...args: string[]): Promise<Ended> {
  const { baseUrl } = await servers();
  const env = { PERENNIAL_HOME: home, PERENNIAL_URL: baseUrl, PERENNIAL_API_KEY: vendor.apiKey };
  return runProgram(['cli', 'import', ...args], { env });
}

describe('cli import', () => {
  it('tries a file out, imports it and names the lines that it refuses; again it changes nothing', async () => {
    const file = await fileOf();
    const tried = await runImport(file, '--dry-run', '--json');
    const wrong = [
      { line: CUSTOMERS + 2, type: 'unreadable', code: 'invalid_request', problems: [{ field: 'line', fix: NO_JSON }] },
      { line: CUSTOMERS + 3, type: 'unreadable', code: 'invalid_request', problems: [{ field: 'line', fix: TWICE }] },
    ];
    expect(JSON.parse(tried.stdout)).toEqual({
      made: { customers: CUSTOMERS, contracts: 1, wallets: 0 },
      repeated: 0,
      waiting: 0,
      recurring: [{ currency: 'usd', cycle: 'month', contracts: 1, total: '30.00' }],
      balances: [],
      refused: wrong,
    });
    expect(tried.code).toBe(1);
    expect((await vendor.api.read('/v1/c/contract?limit=1')).total).toBe(0);

    const { code, stdout } = await runImport(file);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(`^Imp_[0-9a-f-]+: ${CUSTOMERS + 1} lines imported, 0 were imported before, 2 refused; it is done$`, 'm'),
    );
    expect(stdout).toMatch(new RegExp(`^line ${CUSTOMERS + 2}  invalid_request  line  ${NO_JSON}$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^line ${CUSTOMERS + 3}  invalid_request  line  ${TWICE}$`, 'm'));
    const again = await runImport(file, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ done: 0, repeated: CUSTOMERS + 1, refused: wrong });
    expect((await vendor.api.read('/v1/c/contract?limit=1')).total).toBe(1);
  });

  it('goes on with an import that was broken off, whose id it has printed at once', async () => {
    const file = await fileOf();
    const { baseUrl } = await servers();
    const env = { PERENNIAL_HOME: home, PERENNIAL_URL: baseUrl, PERENNIAL_API_KEY: vendor.apiKey };
    const started = startProgram(['cli', 'import', file], { env });
    await eventually(() => expect(started.said().stderr).toMatch(/^The import is Imp_\S+\. /m));
    started.kill('SIGKILL');
    await started.ended;
    const [, id = ''] = /--resume (Imp_\S+)/.exec(started.said().stderr) ?? [];
    for (const _ of ['goes on', 'has ended']) {
      const { stdout } = await runImport(file, '--resume', id, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ id, status: 'done', total: CUSTOMERS + 3, done: CUSTOMERS + 1, refused_total: 2 });
    }
    expect((await vendor.api.read('/v1/c/customer?limit=1')).total).toBe(CUSTOMERS);
    expect((await runImport(file, '--resume', 'Imp_0197a3c4-5b1e-7c3d-8f21-000000000001')).stderr).toContain('404 import_not_found');
  });

  it('prints one line where there is no file, and where the key is wrong', async () => {
    expect(await runImport(join(home, 'none.ndjson'))).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no file') });
    vendor.apiKey = `${vendor.apiKey}x`;
    expect(await runImport(await fileOf())).toMatchObject({ code: 1, stdout: '' });
  });
});
