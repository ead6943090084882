#!/usr/bin/env node
// Plain JavaScript that any Node from 20 on can run: it checks the version first, and installs what a fresh checkout
// lacks.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const NEEDED = 24;
const ENTRIES = { start: 'local-stack/start.ts', api: 'api/main.ts', worker: 'worker/main.ts', cli: 'cli/main.ts' };
const JEST = [join(ROOT, 'node_modules/jest/bin/jest.js')];
/** Compiled code is kept there, as by `local-stack/services.ts`: the next command needs half the computing time. */
const COMPILED = join(ROOT, 'node_modules/.cache/perennial/compiled');
/** These install what a fresh checkout lacks. */
const SELF_CONTAINED = new Set(['start', 'test']);
const TAKES_ARGUMENTS = new Set(['cli', 'test']);

const [command = '', ...args] = process.argv.slice(2);

/** The exit code of a wrong call, as in shells. */
const MISUSED = 2;
const USAGE = `Usage: node bin/perennial.mjs COMMAND

  start     Postgres, Temporal, worker and API on this machine (npm start)
  api       the API alone, with the variables of config/README.md
  worker    the worker alone, likewise
  cli       what an operator types: cli --help lists it
  test      the tests (npm test), with Jest's own arguments

  --help, --version`;

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function print(text) {
  process.stdout.write(`${text}\n`);
  process.exit(0);
}

/** Whether every package of the lock file is installed in its version. */
function isInstalled() {
  const installed = read(join(ROOT, 'node_modules/.package-lock.json'));
  const locked = read(join(ROOT, 'package-lock.json'));
  if (installed === null || locked === null) return installed !== null;
  const versions = (lock) =>
    Object.entries(lock.packages ?? {}).flatMap(([path, { version, optional, inBundle }]) =>
      path === '' || optional || inBundle ? [] : [`${path}@${version}`],
    );
  const there = new Set(versions(installed));
  return versions(locked).every((one) => there.has(one));
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

function install() {
  process.stdout.write('Installing packages from the lock file\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) fail('npm ci failed: see above. Perennial was not started.');
}

/** The Node that npm installs beside us, or the one we run on. */
function nodeProgram() {
  const own = join(ROOT, 'node_modules/node/bin/node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath;
  return fail(`Perennial needs Node ${NEEDED} or later, this is ${process.version}: run npm ci, which installs it beside Perennial.`);
}

/** Runs another program in our place: it gets our signals, and we end as it does. */
function runInstead(program, programArgs) {
  const child = spawn(program, programArgs, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}

const asksHelp = (word) => word === '--help' || word === '-h';
if (command === '--version' || command === '-V') print(read(join(ROOT, 'package.json')).version);
if (command === '' || command === 'help' || asksHelp(command)) print(USAGE);
if (command !== 'test' && !Object.hasOwn(ENTRIES, command)) fail(`There is no command ${command}.\n\n${USAGE}`, MISUSED);
// other arguments would be ignored
if (!TAKES_ARGUMENTS.has(command) && args.length > 0) {
  if (args.some(asksHelp)) print(USAGE);
  fail(`${command} takes no arguments, variables say the rest (config/README.md): what is ${args[0]}?`, MISUSED);
}
if (SELF_CONTAINED.has(command) && !isInstalled()) install();
const node = nodeProgram();
if (command === 'test') runInstead(node, [...JEST, ...args]);
else if (Number(process.versions.node.split('.')[0]) < NEEDED) runInstead(node, [fileURLToPath(import.meta.url), command, ...args]);
else {
  process.argv = [process.argv[0], join(ROOT, ENTRIES[command]), ...args];
  module.enableCompileCache(COMPILED);
  // an error of the configuration is shown without a stack
  await import(pathToFileURL(join(ROOT, ENTRIES[command])).href).catch((error) =>
    fail(error.name === 'ConfigError' ? error.message : error.stack),
  );
}
