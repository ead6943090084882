import { exportsOf, folderOf, read, sourceFiles } from './sources.ts';

/** Every source folder, and the support code of the tests. Benchmarks, tools and single tests name their own things. */
const COUNTED = new Set('activities api billing cli config db local-stack payments portal services temporal worker workflows'.split(' '));
const SUPPORT = /^test\/support(-billing)?\//;
/** The shapes on the wire: a type there may have the name of what it shows. */
const WIRE = /^api\/(schema|wire)\//;

const declarations = new Map<string, string[]>();
for (const path of sourceFiles().filter((one) => COUNTED.has(folderOf(one)) || SUPPORT.test(one)))
  for (const name of exportsOf(read(path))) declarations.set(name, [...(declarations.get(name) ?? []), path]);

/** Whether all of these files may declare one name: a single file, or a wire type and what it shows. */
function isOneThing(paths: readonly string[]): boolean {
  return paths.length === 1 || (paths.length === 2 && paths.filter((path) => WIRE.test(path)).length === 1);
}

describe('an exported name', () => {
  it('is read from a declaration', () => {
    const source = `import type { D } from './d.ts'; export type { D }; export type { G } from './g.ts';
      export const [a, b] = [1, 2]; export function c() {} const e = 1; export { e }; export class F {}`;
    expect(exportsOf(source).toSorted()).toEqual(['F', 'a', 'b', 'c', 'e']);
  });

  it('is refused in two files, unless one of the two shows it on the wire', () => {
    expect(isOneThing(['billing/contract/types.ts', 'api/schema/contract.ts'])).toBe(true);
    expect(isOneThing(['billing/contract/types.ts', 'db/entities/contract.ts'])).toBe(false);
    expect(isOneThing(['api/schema/contract.ts', 'api/wire/contract.ts'])).toBe(false);
    expect(isOneThing(['api/schema/plan.ts', 'billing/plan.ts', 'db/plan.ts'])).toBe(false);
  });

  it('is declared once', () => {
    expect(declarations.size).toBeGreaterThan(1500);
    const shared = [...declarations].filter(([, paths]) => !isOneThing(paths));
    expect(shared.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
  });
});
