import { join } from 'node:path';
import { folderOf, ROOT, read, sourceFiles } from '../house/sources.ts';
import { type Example, examplesIn, partsOf, play } from './example.ts';
import * as helpers from './example-scope.ts';
import { counting } from './invoice/build.ts';

type Scope = Record<string, unknown>;

const files = sourceFiles().filter((path) => folderOf(path) === 'billing');
const modules = new Map<string, Scope>();
for (const path of files) modules.set(path, await import(join(ROOT, path)));

const examples = files.flatMap((path) => examplesIn(read(path)).map((example) => ({ path, ...example })));
const title = ({ path, line, about }: Example & { path: string }): string => `${path}:${line} ${about}`;

/** Everything billing exports, the helpers, and before all others the names of the example's own file. */
function scopeOf(path: string): Scope {
  const all = Object.assign({}, ...modules.values());
  return { ...all, ...helpers, newId: counting(), ...modules.get(path) };
}

describe('the examples in the comments of billing', () => {
  it.each(examples.map((example) => [title(example), example] as const))('%s', (_, { path, code }) => {
    const { actual, expected } = play(code, scopeOf(path));
    expect(actual).toEqual(expected);
  });

  it('are all found', () => {
    const written = files.reduce((count, path) => count + read(path).split('@example').length - 1, 0);
    expect(examples).toHaveLength(written);
    expect(written).toBeGreaterThan(140);
  });

  it('use the function that they stand before', () => {
    expect(examples.filter(({ about, code }) => about === null || !new RegExp(`\\b${about}\\b`).test(code)).map(title)).toEqual([]);
  });

  it('give values that are written out, so that no rule proves itself', () => {
    const values = (code: string): string[] => partsOf(code).flatMap((part) => (typeof part === 'string' ? [] : [part.value]));
    const computed = /(?<!\bat)\(/;
    const isComputed = (value: string): boolean => computed.test(value.replace(/'[^']*'/g, "''").replace(/\bat\(''\)/g, '0'));
    expect(examples.filter(({ code }) => values(code).some(isComputed)).map(title)).toEqual([]);
  });
});

describe('an example', () => {
  const [found] = examplesIn(
    '/**\n * Twice a number.\n *\n * @example\n * const two = 2;\n * twice(two) // 5\n */\nexport function twice() {}\n',
  );
  const twice = (value: number): number => 2 * value;

  it('is read with its set-up, its line and the name it is about', () => {
    expect(found).toEqual({ about: 'twice', line: 4, code: 'const two = 2;\ntwice(two) // 5' });
    expect(examplesIn('/** Twice. @example twice(1) // 2 */\nexport const twice = 1;')[0]?.code).toBe('twice(1) // 2');
  });

  it('with a wrong value shows both', () => {
    expect(play(found?.code ?? '', { twice })).toEqual({ actual: [4], expected: [5] });
  });

  it('without a value, or with words after it, is refused', () => {
    expect(() => partsOf('twice(2)')).toThrow('give its value');
    expect(() => partsOf('const two = 2;')).toThrow('give the value');
    expect(() => play('twice(2) // four', { twice })).toThrow('four is not defined');
    expect(() => play('twice(2) // 4, as 2 + 2', { twice })).toThrow(SyntaxError);
  });
});
