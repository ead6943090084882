import { read, roomOf, sourceFiles } from './sources.ts';

type Declared = { kind: string; name: string; doc: string };

// The formatter puts every export at the start of a line and its comment on the lines right before, so that text is enough to find both.
const EXPORTED = /^export (?:default )?(?:async )?(function|interface|type|const|class) (\w+)/gm;
const COMMENT_BEFORE = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/;

/** What a file exports by declaration, each with the doc comment right before it. */
function declaredIn(source: string): Declared[] {
  return [...source.matchAll(EXPORTED)].map(({ 1: kind = '', 2: name = '', index }) => ({
    kind,
    name,
    doc: COMMENT_BEFORE.exec(source.slice(0, index))?.[0] ?? '',
  }));
}

/** A comment's own words: what stands before its first tag. */
const wordsOf = (doc: string): string => (doc.split(/(?:^|\s)@\w+/)[0] ?? '').replace(/[\s/*]+/g, ' ').trim();

const exported = sourceFiles()
  .filter((path) => roomOf(path) === 'billing')
  .flatMap((path) => declaredIn(read(path)).map((one) => ({ path, ...one })));

const told = (found: typeof exported): string[] => found.map(({ path, kind, name }) => `${path}: ${kind} ${name}`);

describe('the docstrings of billing', () => {
  it('are found in what the house exports', () => {
    const source =
      '/** Two. @example two() // 2 */\nexport function two(): number {\n}\n\nexport const A = 1;\n/** B. */\nexport type B = 1;\n';
    expect(declaredIn(source).map(({ kind, name, doc }) => [kind, name, wordsOf(doc)])).toEqual([
      ['function', 'two', 'Two.'],
      ['const', 'A', ''],
      ['type', 'B', 'B.'],
    ]);
    expect(exported.length).toBeGreaterThan(250);
  });

  it('say what every exported function, class, type and constant means', () => {
    expect(told(exported.filter(({ doc }) => wordsOf(doc) === ''))).toEqual([]);
  });

  it('show every exported function at work', () => {
    expect(told(exported.filter(({ kind, doc }) => kind === 'function' && !/@example \S/.test(doc)))).toEqual([]);
  });
});
