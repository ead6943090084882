import { readdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { DryRunStatus, determineHitLimitReached, MutantRunStatus, TestStatus, toMutantRunResult } from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { loadTests } from './suite.js';

const TESTS = 'test/billing';

/** Few random cases a run, always the same ones: a mutant that only one case in a thousand finds is a missing table test. */
const PROPERTIES = { RUNS: 8, SEED: 1 };

/** So much of the processor's time a test may take: many times what the longest one needs, and no matter who else is at work. */
const MOST_MICROSECONDS = 600_000;

/**
 * Runs the tests of `billing/` in Stryker's own worker process. The rules keep nothing between two calls, so the files are loaded once and every
 * mutant only costs the tests that reach it; a runner that loads the files anew takes a hundred times as long. A mutant in what a file computes while
 * it is loaded gets a process of its own from Stryker.
 */
class InProcessRunner {
  #tests;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async dryRun() {
    const tests = await this.#load();
    const results = tests.map((test) => {
      context().currentTestId = test.id;
      return run(test);
    });
    context().currentTestId = undefined;
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage: context().mutantCoverage };
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit, disableBail }) {
    const stryker = context();
    if (mutantActivation === 'static') stryker.activeMutant = activeMutant.id;
    const loaded = await this.#load().catch((error) => error);
    if (loaded instanceof Error) return toMutantRunResult(refusesToLoad(loaded), disableBail);
    stryker.hitLimit = hitLimit;
    stryker.hitCount = hitLimit === undefined ? undefined : 0;
    const clock = keepTime(stryker, activeMutant.id);
    const wanted = testFilter === undefined ? loaded : loaded.filter(({ id }) => testFilter.includes(id));
    const tests = runUntilOneFails(nearestFirst(wanted, activeMutant.fileName), clock, disableBail);
    if (clock.isOver) return { status: MutantRunStatus.Timeout, reason: 'a test took too long' };
    const tooOften = determineHitLimitReached(stryker.hitCount, stryker.hitLimit);
    return toMutantRunResult(tooOften ?? { status: DryRunStatus.Complete, tests }, disableBail);
  }

  async #load() {
    this.#tests ??= await loadAll();
    return this.#tests;
  }
}

async function loadAll() {
  enableCompileCache(join(tmpdir(), 'perennial-mutate', 'compiled'));
  Object.assign(globalThis, PROPERTIES);
  // The first case that fails kills the mutant; looking for the smallest one would only cost time.
  fc.configureGlobal({ endOnFailure: true });
  const files = readdirSync(TESTS, { recursive: true }).filter((file) => file.endsWith('.test.ts'));
  const inOrder = files.toSorted((a, b) => Number(a.includes('.property.')) - Number(b.includes('.property.')) || a.localeCompare(b));
  return loadTests(inOrder.map((file) => resolve(join(TESTS, file))), (path) => import(pathToFileURL(path).href));
}

/** The tests of the mutant's own folder will most likely find it. */
function nearestFirst(tests, fileName) {
  const folder = `/test/billing/${basename(dirname(fileName))}/`;
  const isNear = (test) => Number(test.fileName.includes(folder) && !test.fileName.includes('.property.'));
  return tests.toSorted((a, b) => isNear(b) - isNear(a));
}

function runUntilOneFails(tests, clock, disableBail) {
  const results = [];
  for (const test of tests) {
    clock.end = cpuTime() + MOST_MICROSECONDS;
    results.push(run(test));
    if (results.at(-1).status === TestStatus.Failed && !disableBail) break;
  }
  return results;
}

function run({ id, name, fileName, body }) {
  const start = performance.now();
  const done = (outcome) => ({ id, name, fileName, timeSpentMs: Math.round(performance.now() - start), ...outcome });
  try {
    if (body() instanceof Promise) throw new Error(`${id} waits; the rules never do`);
    return done({ status: TestStatus.Success });
  } catch (error) {
    return done({ status: TestStatus.Failed, failureMessage: String(error instanceof Error ? error.stack : error) });
  }
}

/**
 * Stryker's code asks at every place it has changed which mutant is active. A mutant that makes a loop endless is found by looking at the time
 * there, wherever the loop is.
 */
function keepTime(stryker, activeMutant) {
  let asked = 0;
  const clock = { end: 0, isOver: false };
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

function refusesToLoad(error) {
  const id = 'loading the files';
  return {
    status: DryRunStatus.Complete,
    tests: [{ id, name: id, timeSpentMs: 0, status: TestStatus.Failed, failureMessage: String(error.stack) }],
  };
}

function context() {
  globalThis.__stryker__ ??= {};
  return globalThis.__stryker__;
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
