import { relative } from 'node:path';
import { expect } from 'expect';
import { bind } from 'jest-each';

/**
 * Collects the tests of a file written for Jest: `describe`, `test`, `it`, their `each`, and `expect`. What else Jest has is missing on purpose,
 * so that a test which needs it fails to load.
 */
export async function testsOf(fileName, load) {
  const found = [];
  const titles = [];
  const describe = (title, body) => {
    titles.push(title);
    body();
    titles.pop();
  };
  const test = (title, body) => {
    const name = [...titles, title].join(' ');
    const twins = found.filter((other) => other.name === name).length;
    const id = `${relative(process.cwd(), fileName)}: ${name}${twins === 0 ? '' : ` (${twins + 1})`}`;
    found.push({ id, name, fileName, body });
  };
  test.each = bind(test, false);
  describe.each = bind(describe, false);
  Object.assign(globalThis, { describe, test, it: test, expect });
  await load();
  return found;
}
