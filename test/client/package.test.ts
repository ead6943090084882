import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { oldestNode } from '../support/oldest-node.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'client');
const PROJECT = {
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  },
};

/** What a program prints; where it fails, the error says that too. */
async function run(cwd: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const ended = promisify(execFile)(program, args, { cwd, env, timeout: 280_000 });
  return ended.then(
    ({ stdout }) => stdout,
    (error: Error & { stdout: string }) => Promise.reject(new Error(`${error.message}\n${error.stdout}`, { cause: error })),
  );
}

let folder: string;
let packed: { filename: string; files: { path: string }[] };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perennial-client-'));
  [packed] = JSON.parse(await run(CLIENT, 'npm', ['pack', '--json', '--silent', '--pack-destination', folder]));
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(PROJECT));
  await run(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${packed.filename}`]);
  copyFileSync(join(CLIENT, 'examples/everyday.ts'), join(folder, 'everyday.ts'));
  const [example = ''] = [...readFileSync(join(CLIENT, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  writeFileSync(join(folder, 'first-invoice.ts'), example);
  await run(folder, join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program of the folder, as a vendor's own. */
async function played(name: string): Promise<string> {
  const { baseUrl } = await servers();
  const { apiKey } = await newVendor();
  return run(folder, await oldestNode(), [name], { PERENNIAL_URL: baseUrl, PERENNIAL_API_KEY: apiKey });
}

describe('the published client', () => {
  it('has code and types, no sources, and needs no other package', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
    expect(paths.filter((path) => !/^(LICENSE|README\.md|package\.json|dist\/[a-z/-]+\.(js|d\.ts))$/.test(path))).toEqual([]);
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(folder, 'node_modules/@perennial/client/package.json'), 'utf8'),
    );
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  });

  it('makes the first invoice as its README shows', async () => {
    expect(await played('first-invoice.js')).toBe('1 29.00\n');
  });

  it('plays what a vendor does every day', async () => {
    expect(JSON.parse(await played('everyday.js'))).toEqual({
      signedOnce: true,
      refused: 'contract_exists',
      features: ['seats', 'calls'],
      invoices: ['2026-01-31 44.00', '2026-02-28 51.20'],
      newestFirst: ['2026-02-28 51.20', '2026-01-31 44.00'],
      successor: true,
      upcoming: '44.00',
      estimate: '10.00',
      whileFrozen: 'inactive',
      declined: 'payment_declined',
      payments: ['failed declined', 'failed declined'],
      wallet: ['usd 35.00'],
      sentences: 6,
      pdf: '%PDF-',
      mrr: ['usd 44.00'],
      next: ['2026-04-30 usage_closing', '2026-04-30 boundary'],
      portal: '/portal',
    });
  });
});
