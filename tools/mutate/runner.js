import { readdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { DryRunStatus, determineHitLimitReached, MutantRunStatus, TestStatus, toMutantRunResult } from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { testsOf } from './suite.js';

/**
 * Few random cases a run, always the same ones: a mutant that only one case in a thousand finds is a missing table
 * test.
 */
const PROPERTIES = { RUNS: 8, SEED: 1 };

/** How much processor time a test may take: many times what the longest one needs, however busy the machine is. */
const MOST_MICROSECONDS = 600_000;

/**
 * Runs the tests of `billing/` in Stryker's own worker process. The rules keep nothing between two calls, so they are
 * loaded once and a mutant costs only the tests that reach it. A test file whose own top level reaches it is loaded
 * again with it. A mutant in what the rules' files compute while they are loaded gets a process of its own from
 * Stryker.
 */
class InProcessRunner {
  #files;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async dryRun() {
    const files = await this.#load();
    const results = files.flatMap(({ loading, tests }) => [done(loading), ...tests.map((test) => covered(test))]);
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage: context().mutantCoverage };
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit, disableBail }) {
    const stryker = context();
    const report = (tests) => toMutantRunResult({ status: DryRunStatus.Complete, tests }, disableBail);
    if (mutantActivation === 'static') stryker.activeMutant = activeMutant.id;
    const files = await this.#load().catch((error) => error);
    if (files instanceof Error) return report([done({ id: 'loading the rules', name: 'loading the rules' }, files)]);
    stryker.hitLimit = hitLimit;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    const clock = keepTime(stryker, activeMutant.id);
    const tests = await runUntilOneFails(nearestFirst(files, activeMutant.fileName), testFilter && new Set(testFilter), clock, disableBail);
    if (clock.isOver) return { status: MutantRunStatus.Timeout, reason: 'a test took too long' };
    const tooOften = determineHitLimitReached(stryker.hitCount, stryker.hitLimit);
    return tooOften ? toMutantRunResult(tooOften, disableBail) : report(tests);
  }

  async #load() {
    this.#files ??= await loadAll();
    return this.#files;
  }
}

async function loadAll() {
  enableCompileCache(join(tmpdir(), 'perennial-mutate', 'compiled'));
  Object.assign(globalThis, PROPERTIES);
  // The first case that fails kills the mutant; looking for the smallest one would only cost time.
  fc.configureGlobal({ endOnFailure: true });
  for (const path of filesIn('billing', '.ts')) await import(pathToFileURL(path).href);
  const files = [];
  for (const path of filesIn('test/billing', '.test.ts')) files.push(await loadFile(path));
  return files;
}

function filesIn(folder, ending) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ending));
  return names.toSorted().map((name) => resolve(join(folder, name)));
}

/** A test file with its tests; what its top level reaches counts as covered by its loading. */
async function loadFile(path, suffix = '') {
  const id = `${relative(process.cwd(), path)}: loading`;
  context().currentTestId = id;
  const tests = await testsOf(path, () => import(pathToFileURL(path).href + suffix));
  context().currentTestId = undefined;
  return { path, loading: { id, name: id, fileName: path }, tests };
}

/** The table tests of the mutant's own noun will most likely find it, properties take longest. */
function nearestFirst(files, fileName) {
  const [, noun] = fileName.match(/\/billing\/([^/]+)\//) ?? [];
  const folder = `/test/billing/${noun}/`;
  const distance = ({ path }) => (path.includes('.property.') ? 2 : path.includes(folder) ? 0 : 1);
  return files.toSorted((a, b) => distance(a) - distance(b));
}

async function runUntilOneFails(files, filter, clock, disableBail) {
  const results = [];
  const isOver = () => results.at(-1)?.status === TestStatus.Failed && !disableBail;
  for (const file of files) {
    clock.end = cpuTime() + MOST_MICROSECONDS;
    const again = filter?.has(file.loading.id) ?? false;
    const tests = again ? await loadedAgain(file) : file.tests.filter(({ id }) => filter?.has(id) ?? true);
    if (tests instanceof Error) results.push(done(file.loading, tests));
    else for (const test of tests) {
      clock.end = cpuTime() + MOST_MICROSECONDS;
      results.push(run(test));
      if (isOver()) break;
    }
    if (isOver()) break;
  }
  return results;
}

let loads = 0;

function loadedAgain({ path }) {
  loads += 1;
  return loadFile(path, `?again=${loads}`).then(
    ({ tests }) => tests,
    (error) => error,
  );
}

function covered(test) {
  context().currentTestId = test.id;
  const result = run(test);
  context().currentTestId = undefined;
  return result;
}

function run(test) {
  const start = performance.now();
  try {
    if (test.body() instanceof Promise) throw new Error(`${test.id} waits; the rules never do`);
    return done(test, null, performance.now() - start);
  } catch (error) {
    return done(test, error, performance.now() - start);
  }
}

function done({ id, name, fileName }, error = null, time = 0) {
  const result = { id, name, fileName, timeSpentMs: Math.round(time) };
  if (error === null) return { ...result, status: TestStatus.Success };
  return { ...result, status: TestStatus.Failed, failureMessage: String(error instanceof Error ? error.stack : error) };
}

/**
 * Stryker's code asks at every place it has changed which mutant is active. A mutant that makes a loop endless is found
 * by looking at the time there, wherever the loop is.
 */
function keepTime(stryker, activeMutant) {
  let asked = 0;
  const clock = { end: Number.POSITIVE_INFINITY, isOver: false };
  Object.defineProperty(stryker, 'activeMutant', {
    configurable: true,
    get: () => {
      asked += 1;
      if (asked % 4096 === 0 && cpuTime() > clock.end) clock.isOver = true;
      if (clock.isOver) throw new Error('the time is up');
      return activeMutant;
    },
  });
  return clock;
}

function cpuTime() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function context() {
  globalThis.__stryker__ ??= {};
  return globalThis.__stryker__;
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
