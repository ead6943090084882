import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { servers } from '../support/servers.ts';

type Walks = Record<'upgrade' | 'rollover' | 'usage' | 'payment', string[]>;

/**
 * The route, use cases, adapters and client calls: where is decided what happens next. What they call is the framework,
 * shapes, and single statements.
 */
const ORCHESTRATES = /^(services|activities|temporal)\/|^api\/(?!http\/|schema\/|wire\/)/;

let walks: Walks;

beforeAll(async () => {
  const { databaseUrl } = await servers();
  const run = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'measure.ts'), databaseUrl]);
  walks = JSON.parse((await run).stdout) as Walks;
});

const orchestrating = (name: keyof Walks): string[] => walks[name].filter((path) => ORCHESTRATES.test(path));

describe('what a request passes', () => {
  it('an upgrade is orchestrated in at most 12 files, a rollover in at most 10', () => {
    expect(orchestrating('upgrade').length).toBeLessThanOrEqual(12);
    expect(orchestrating('rollover').length).toBeLessThanOrEqual(10);
  });

  it('stands in docs/walks.md, file by file', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/walks.md'), 'utf8');
    for (const name of ['upgrade', 'rollover', 'usage', 'payment'] as const) {
      const section = page.split(/^## /m).find((one) => one.split('\n')[0]?.includes(name)) ?? '';
      const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]).sort();
      expect([name, listed]).toEqual([name, orchestrating(name)]);
    }
  });
});
