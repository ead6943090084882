/**
 * Four projects. `unit` needs no server: `npm test -- --selectProjects=unit`. `service` starts Postgres, Temporal, a
 * worker and an API once per run; its files run in parallel, each with vendors of its own. `crash` kills servers, so
 * each file starts its own. `last` checks the whole database when all of `service` has ended. Node loads the code, once
 * per process: docs/decisions/test-files-loaded-by-node.md.
 */
const shared = {
  testEnvironment: '<rootDir>/test/runtime/environment.js',
  runtime: '<rootDir>/test/runtime/runtime.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
};

const servers = {
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
};

export default {
  // on two cores: with two files at a time a third of the cores' time was spent waiting for servers
  maxWorkers: 3,
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/support/sequencer.js',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['billing', 'house', 'local-stack', 'unit'].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
    },
    {
      ...shared,
      displayName: 'crash',
      testMatch: ['alone', 'crash', 'email', 'fire', 'traces'].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
    },
    {
      ...shared,
      ...servers,
      displayName: 'service',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(alone|billing|crash|email|fire|house|last|local-stack|traces|unit)/'],
    },
    {
      ...shared,
      ...servers,
      displayName: 'last',
      testMatch: ['<rootDir>/test/last/**/*.test.ts'],
      runner: '<rootDir>/test/support/last-runner.js',
    },
  ],
};
