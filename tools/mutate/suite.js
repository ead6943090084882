import { relative } from 'node:path';
import { expect } from 'expect';
import { bind } from 'jest-each';

/**
 * Collects the tests of a file written for Jest: `describe`, `test`, `it`, their `each`, `afterEach` for all tests of
 * the file, and `expect`. What else Jest has is missing on purpose, so that a test which needs it fails to load.
 */
export async function testsOf(fileName, load) {
  const found = [];
  const titles = [];
  const checks = [];
  const describe = (title, body) => {
    titles.push(title);
    body();
    titles.pop();
  };
  const test = (title, body) => {
    const name = [...titles, title].join(' ');
    const twins = found.filter((other) => other.name === name).length;
    const id = `${relative(process.cwd(), fileName)}: ${name}${twins === 0 ? '' : ` (${twins + 1})`}`;
    found.push({ id, name, fileName, body: () => withChecks(body, checks) });
  };
  const afterEach = (check) => checks.push(check);
  test.each = bind(test, false);
  describe.each = bind(describe, false);
  Object.assign(globalThis, { describe, test, it: test, afterEach, expect });
  await load();
  return found;
}

/** The checks run after a test that failed too, so that nothing of it is left for the next one. */
function withChecks(body, checks) {
  try {
    return body();
  } finally {
    for (const check of checks) check();
  }
}
