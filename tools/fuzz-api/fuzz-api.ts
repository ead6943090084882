import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestStack } from '../../test/support/start-stack.ts';
import { newVendor } from '../../test/support/vendor.ts';
import { makeSeeds } from './seeds.ts';

/**
 * Sends thousands of made-up requests to servers of its own, valid and invalid ones, and checks each response against
 * the OpenAPI document. schemathesis is taken from SCHEMATHESIS or the PATH, else installed once into the cache folder.
 *
 *   npm run fuzz:api -- [cases for each operation] [seed]
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'unsupported_method',
];
/** They would end the key that the run needs; they have a vendor and a run of their own. */
const KEY_ENDING = ['revoke_api_key', 'rotate_api_key'];
/** Answers wrong entries with a 200 and lists them, as the interface demands. */
const ENTRY_BY_ENTRY = ['report_usage_bulk'];
const [examples = '30', seed = '1'] = process.argv.slice(2);

const program = await findProgram();
const home = await mkdtemp(join(tmpdir(), 'perennial-fuzz-'));
const { servers, stop } = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
try {
  const codes = [
    await fuzz(CHECKS, 'exclude', [...KEY_ENDING, ...ENTRY_BY_ENTRY]),
    await fuzz(CHECKS, 'include', KEY_ENDING),
    await fuzz(
      CHECKS.filter((check) => check !== 'negative_data_rejection'),
      'include',
      ENTRY_BY_ENTRY,
    ),
  ];
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
} finally {
  await stop();
  await rm(home, { recursive: true, force: true });
}

async function findProgram(): Promise<string> {
  if (process.env.SCHEMATHESIS) return process.env.SCHEMATHESIS;
  const venv = join(process.env.PERENNIAL_CACHE ?? join(homedir(), '.cache', 'perennial'), 'schemathesis');
  const found = join(venv, 'bin', 'schemathesis');
  if (existsSync(found)) return found;
  await must('python3', ['-m', 'venv', venv]);
  await must(join(venv, 'bin', 'pip'), ['install', '--quiet', '--requirement', join(import.meta.dirname, 'requirements.txt')]);
  return found;
}

async function fuzz(checks: readonly string[], which: 'include' | 'exclude', operations: readonly string[]): Promise<number> {
  const vendor = await newVendor('Fuzz', servers);
  const seedFile = join(home, 'seeds.json');
  await writeFile(seedFile, JSON.stringify(await makeSeeds(vendor.api)));
  return run(
    program,
    [
      ...['run', `${servers.baseUrl}/openapi.json`, '--header', `wb-key: ${vendor.apiKey}`],
      ...['--phases', 'examples,coverage,fuzzing', '--max-examples', examples, '--seed', seed, '--workers', '2'],
      ...['--checks', checks.join(','), '--continue-on-failure', '--suppress-health-check', 'all', '--warnings', 'off'],
      ...operations.flatMap((operation) => [`--${which}-operation-id`, operation]),
    ],
    { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: import.meta.dirname, FUZZ_SEEDS: seedFile },
  );
}

async function must(command: string, args: readonly string[]): Promise<void> {
  const code = await run(command, args);
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

/** The exit code of a program that shows its output here. */
function run(command: string, args: readonly string[], variables: Record<string, string> = {}): Promise<number> {
  const child = spawn(command, args, { cwd: tmpdir(), stdio: 'inherit', env: { ...process.env, ...variables } });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', reject);
  child.once('exit', (code) => resolve(code ?? 1));
  return promise;
}
