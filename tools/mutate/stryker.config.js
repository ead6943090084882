import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Mutates the pure rules. Outside the tree while it works, so that no other run sees the mutated copies. */
export default {
  mutate: ['billing/**/*.ts', '!billing/**/types.ts'],
  testRunner: 'in-process',
  plugins: [new URL('runner.js', import.meta.url).href],
  coverageAnalysis: 'perTest',
  // The examples of the comments are read from the files that git knows, and here is no git.
  ignorePatterns: ['**', '!billing/**', '!test/billing/**', 'test/billing/examples.test.ts', '!test/support*/**', '!docs/*.md', '!package.json'],
  tempDirName: join(tmpdir(), 'perennial-mutate'),
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  concurrency: 2,
  timeoutMS: 20_000,
  timeoutFactor: 3,
  allowEmpty: false,
  thresholds: { high: 90, low: 80, break: null },
  warnings: { slow: false },
};
