import { importsOf, read, sourceFiles } from './sources.ts';

/** The folders of `billing/contract`, each above those it may import. `billing/README.md` says the same in words. */
const ORDER = ['period', 'terms', 'charge', 'mrr', 'change', 'advance', 'estimate'];

const folderOf = (path: string): string | null => /^billing\/contract\/(\w+)\//.exec(path)?.[1] ?? null;
/** Whether a file is a rule that a caller asks for: it begins by advancing the contract to the instant. */
const isAskedFor = (path: string): boolean => /^export function plan[A-Z]/m.test(read(path));

const files = sourceFiles().filter((path) => folderOf(path) !== null);

describe('the folders of billing/contract', () => {
  it('are all in the order', () => {
    expect(new Set(files.map(folderOf))).toEqual(new Set(ORDER));
  });

  it('import only downwards; a rule that a caller asks for may also advance the contract', () => {
    const upwards = files.flatMap(importsOf).filter(({ from, to, own }) => {
      const [importing, imported] = [folderOf(from), folderOf(to)];
      if (!own || importing === null || imported === null) return false;
      if (imported === 'advance' && isAskedFor(from)) return false;
      return ORDER.indexOf(imported) > ORDER.indexOf(importing);
    });
    expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });
});
