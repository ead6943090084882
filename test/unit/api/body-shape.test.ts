import { MOST } from '../../../api/http/body-shape.ts';
import { parseJson } from '../../../api/http/json.ts';
import { Problem } from '../../../api/http/problem.ts';

const many = (count: number, entry: (n: number) => string): string => Array.from({ length: count }, (_, n) => entry(n)).join(',');
const keys = (count: number, prefix = 'k'): string => `{${many(count, (n) => `"${prefix}${n}":1`)}}`;

/** The code of a refusal and what it says of each field; null for a body that is taken. */
function refusalOf(text: string): [string, Record<string, string>] | null {
  try {
    parseJson(text);
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [error.code, Object.fromEntries(Object.entries(error.feedback).map(([field, { value }]) => [field, value]))];
  }
}

describe('a body with too much in it', () => {
  it.each([
    ['1,001 fields', keys(1_001), { body: 'must have at most 1000 fields' }],
    ['70,000 addresses', `{"addresses":${keys(70_000)}}`, { addresses: 'must have at most 1000 fields' }],
    ['5,001 prices deep inside', `[{},{"a":{"b":[${many(5_001, String)}]}}]`, { '[1].a.b': 'must have at most 5000 entries' }],
    [
      '2,100 different keys',
      `[${keys(700, 'a')},${keys(700, 'b')},${keys(700, 'c')}]`,
      { body: 'must have at most 2000 different fields' },
    ],
    ['100 times 900 fields', `[${many(100, () => keys(900))}]`, { body: 'must have at most 80000 values' }],
    ['a million lists', `[${many(900, () => `[${many(300, () => '[]')}]`)}]`, { body: 'must have at most 80000 values' }],
  ])('of %s is refused by its place and the number that is allowed', (_, text, feedback) => {
    expect(refusalOf(text)).toEqual(['invalid_request', feedback]);
  });

  it('of 33 levels is refused, of 32 taken', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(refusalOf(nested(33))?.[0]).toBe('invalid_json');
    expect(refusalOf(nested(32))).toBeNull();
  });

  it('is taken up to the very numbers, and what stands in a text counts for nothing', () => {
    expect(refusalOf(keys(MOST.fields))).toBeNull();
    expect(refusalOf(`[${many(MOST.entries, String)}]`)).toBeNull();
    expect(refusalOf(`[${keys(900, 'a')},${keys(900, 'b')}]`)).toBeNull();
    expect(refusalOf(JSON.stringify({ text: '{"a":1,[\\'.repeat(50_000) }))).toBeNull();
  });

  /** Milliseconds of processor time of this thread, the least of some runs: others on the machine don't count. */
  const costOf = (text: string): number =>
    Math.min(
      ...Array.from({ length: 4 }, () => {
        const before = process.threadCpuUsage();
        refusalOf(text);
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1_000;
      }),
    );

  it.each([
    ['90,000 unknown keys', keys(90_000)],
    ['70,000 addresses', `{"addresses":${keys(70_000)}}`],
    ['100 addresses of 900 unknown keys', `{"addresses":{${many(100, (n) => `"a${n}":${keys(900)}`)}}}`],
    ['250,000 decimals', `[${many(250, () => `[${many(1_000, () => '1.5')}]`)}]`],
    ['a fault behind 500,000 numbers', `[${many(500, () => `[${many(1_000, () => '1')}]`)},x]`],
    ['a text without an end', `{"name":"${'x'.repeat(1_000_000)}`],
    [
      'texts deep inside with escapes, and a NUL behind them',
      `${'{"a":'.repeat(28)}[${many(18, () => `[${many(2_000, () => '"\\u0041 and more"')}]`)},"\\u0000"]${'}'.repeat(28)}`,
    ],
    ['a text of escapes without an end', `{"name":"${'\\"'.repeat(500_000)}`],
  ])('holds the process no longer than bodies of that size that are taken: a megabyte of %s', (_, text) => {
    expect(refusalOf(text)).not.toBeNull();
    const taken = `[${many(80, () => keys(900))}]`;
    expect(refusalOf(taken)).toBeNull();
    expect(costOf(text)).toBeLessThan((2 * costOf(taken) * text.length) / taken.length);
  });
});
