import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Mutates the pure rules. Outside the tree while it works, so that no other run sees the mutated copies. */
export default {
  mutate: ['billing/**/*.ts', '!billing/**/types.ts'],
  testRunner: 'jest',
  plugins: [import.meta.resolve('@stryker-mutator/jest-runner')],
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  jest: { projectType: 'custom', configFile: 'tools/mutate/jest.config.js', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  ignorePatterns: ['**', '!billing/**', '!test/billing/**', '!test/support*/**', '!docs/lifecycle.md', '!tools/mutate/jest.config.js', '!package.json', '!tsconfig.json'],
  tempDirName: join(tmpdir(), 'perennial-mutate'),
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  concurrency: 2,
  timeoutMS: 10_000,
  allowEmpty: false,
  thresholds: { high: 90, low: 80, break: null },
  warnings: { slow: false },
};
