import { readFileSync } from 'node:fs';

/** Prints "passed failed" of a Jest result. A file that could not be run counts as one failure. */
const result = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
};
process.stdout.write(`${result.numPassedTests} ${result.numFailedTests + result.numRuntimeErrorTestSuites}\n`);
