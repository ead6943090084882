/** The pure tests alone, with few random cases a run: a mutant that only one case in a thousand finds is a missing table test. */
export default {
  rootDir: '../..',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/billing/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }] },
  globals: { RUNS: 40, SEED: 1 },
};
