import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { troublesOf } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 up to AA, and habits that make pages easier for everybody. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Expects that axe finds nothing wrong, that nothing reaches beyond the screen's edge and nothing failed to load. */
export async function expectAccessible(page: Page): Promise<void> {
  const found = await violationsIn(page);
  expect({ page: page.url(), violations: found }).toEqual({ page: page.url(), violations: [] });
  expect({ page: page.url(), overflowing: await overflowing(page) }).toEqual({ page: page.url(), overflowing: [] });
  expect(troublesOf(page)).toEqual([]);
}

/** Evaluated by the debugger, so that the page's own policy against foreign scripts stays as it is. */
async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  // what is right is neither described nor sent here
  const options: RunOptions = { runOnly: TAGS, resultTypes: ['violations'] };
  const violations = await page.evaluate<Result[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html}: ${failureSummary}`));
}

/** Elements beyond the right edge of the screen or of their section, except in a box that scrolls sideways. */
const OVERFLOWING = `[...document.querySelectorAll('body *')].filter((one) => {
  const edge = Math.min(document.documentElement.clientWidth, one.closest('section')?.getBoundingClientRect().right ?? Infinity);
  if (one.getBoundingClientRect().right <= edge + 1 || one.closest('.hidden') !== null) return false;
  for (let box = one; box !== document.body; box = box.parentElement) if (getComputedStyle(box).overflowX !== 'visible') return false;
  return true;
}).map((one) => one.outerHTML.slice(0, 80)).slice(0, 5)`;

export const overflowing = (page: Page): Promise<string[]> => page.evaluate<string[]>(OVERFLOWING);
