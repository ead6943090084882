/** Fast suite: one start of the servers per run (globalSetup), test files in parallel workers. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }] },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  maxWorkers: 2,
};
