import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { WITHOUT } from '../../support/chromium.ts';

it('the browser of the tests does without all that Playwright switches off: it takes one list, and that is ours', () => {
  const playwright = readFileSync(createRequire(import.meta.url).resolve('playwright-core/lib/coreBundle'), 'utf8');
  const [, list = ''] = /\bdisabledFeatures = \[(.*?)\]/s.exec(playwright) ?? [];
  const names = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !WITHOUT.includes(name ?? ''))).toEqual([]);
});
