/**
 * Three projects. `unit` needs no server: `npm test -- --selectProjects=unit`. `service` starts Postgres, Temporal, a worker and an API
 * once per run; its files run in parallel, each with vendors of its own. `crash` kills servers, so that each file starts its own.
 */
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }] },
};

export default {
  maxWorkers: 2,
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['billing', 'embedded', 'house', 'unit'].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
    },
    { ...shared, displayName: 'crash', testMatch: ['crash', 'fire', 'traces'].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`) },
    {
      ...shared,
      displayName: 'service',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(billing|crash|embedded|fire|house|traces|unit)/'],
      globalSetup: '<rootDir>/test/support/global-setup.js',
      globalTeardown: '<rootDir>/test/support/global-teardown.js',
    },
  ],
};
