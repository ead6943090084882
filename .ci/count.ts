import { readFileSync } from 'node:fs';

interface TestFile {
  status: string;
  assertionResults: { status: string }[];
}

/**
 * `count.ts FILE` reads what Jest found and prints "passed failed". A file that could not be run counts as one failure.
 */
const [path = ''] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as { testResults: TestFile[] };
const count = (file: TestFile, wanted: string): number => file.assertionResults.filter(({ status }) => status === wanted).length;
const passed = testResults.reduce((sum, file) => sum + count(file, 'passed'), 0);
const failed = testResults.reduce((sum, file) => sum + (file.status === 'failed' ? Math.max(1, count(file, 'failed')) : 0), 0);
process.stdout.write(`${passed} ${failed}\n`);
