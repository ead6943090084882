import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestStack } from '../../test/support/servers.ts';
import { newVendor } from '../../test/support/vendor.ts';
import { makeSeeds } from './seeds.ts';

/**
 * Sends generated requests to servers of its own and fails on any 5xx or answer that breaks the document. Needs schemathesis:
 * `pip install -r tools/fuzz-api/requirements.txt`, on PATH or named in SCHEMATHESIS.
 *
 *   npm run fuzz:api -- [cases for each operation]
 */

const CHECKS = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection';
const [examples = '60'] = process.argv.slice(2);

const home = await mkdtemp(join(tmpdir(), 'perennial-fuzz-'));
const { servers, stop } = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
try {
  const vendor = await newVendor('Fuzz', servers);
  const seeds = join(home, 'seeds.json');
  await writeFile(seeds, JSON.stringify(await makeSeeds(vendor.api)));
  await writeFile(join(home, 'schemathesis.toml'), configFor(vendor.apiKey));
  process.exitCode = await fuzz(servers.baseUrl, seeds);
} finally {
  await stop();
  await rm(home, { recursive: true, force: true });
}

/** The run's own key must outlive it, so nothing is done to single keys. */
function configFor(key: string): string {
  const settings = [`headers = { "wb-key" = "${key}" }`, 'workers = 2', 'continue-on-failure = true'];
  return [...settings, '[[operations]]', 'include-path-regex = "api_key/"', 'enabled = false', ''].join('\n');
}

function fuzz(baseUrl: string, seeds: string): Promise<number> {
  const options = ['run', `${baseUrl}/openapi.json`, '--max-examples', examples, '--checks', CHECKS, '--phases', 'examples,coverage,fuzzing'];
  const child = spawn(process.env.SCHEMATHESIS ?? 'schemathesis', options, {
    cwd: home,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SEEDS: seeds, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: import.meta.dirname },
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done(code ?? 1));
  });
}
