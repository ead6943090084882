import { readFileSync } from 'node:fs';

interface Assertion {
  status: string;
}

interface TestFile {
  name: string;
  status: string;
  assertionResults: Assertion[];
}

/**
 * Reads Jest results. `count.ts failed FILE` prints the test files that failed; `count.ts total FILE…` prints "passed failed", a later result
 * taking the place of an earlier one file by file. A file that could not be run counts as one failure.
 */
const [what, ...paths] = process.argv.slice(2);
const files = new Map<string, TestFile>();
for (const path of paths) {
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as { testResults: TestFile[] };
  for (const file of testResults) files.set(file.name, file);
}
const broken = [...files.values()].filter(({ status }) => status === 'failed');
const count = (wanted: string) =>
  [...files.values()].flatMap((file) => file.assertionResults).filter(({ status }) => status === wanted).length;
const unrun = broken.filter((file) => !file.assertionResults.some(({ status }) => status === 'failed')).length;
process.stdout.write(
  what === 'failed' ? `${broken.map(({ name }) => name).join('\n')}\n` : `${count('passed')} ${count('failed') + unrun}\n`,
);
