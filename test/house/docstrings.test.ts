import { folderOf, read, sourceFiles } from './sources.ts';

type Declared = { kind: string; name: string; doc: string; gives: string };

// The formatter puts every export at the start of a line and its comment on the lines right before, so that text is
// enough to find both.
const EXPORTED = /^export (?:default )?(?:async )?(function|interface|type|const|class)\*? (\w+)/gm;
// The first line that ends with a brace closes a function's head, and its last colon stands before the type it gives.
const HEAD = /^[\s\S]*?\): (.+) \{$/m;
const COMMENT_BEFORE = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/;

/** What a file exports by declaration, each with the doc comment right before it. */
function declaredIn(source: string): Declared[] {
  return [...source.matchAll(EXPORTED)].map(({ 1: kind = '', 2: name = '', index }) => ({
    kind,
    name,
    doc: COMMENT_BEFORE.exec(source.slice(0, index))?.[0] ?? '',
    gives: kind === 'function' ? (HEAD.exec(source.slice(index))?.[1] ?? '') : '',
  }));
}

/**
 * Types of amounts and instants, alone or among others. What computes one of them shows it;
 * `test/billing/examples.test.ts` executes the example.
 */
const COMPUTED = /(?<!Pick<)\b(Decimal|Fraction|Instant|Period|Ratio|Line|Priced|Settlement|Outcome|ChangePlan|CreditNote)\b/;
/** What is decided or said rather than computed. */
const STATED = /^(boolean|never|Problem\[\]|\w+ is \w+)$/;

/** A comment's own words: what stands before its first tag. */
const wordsOf = (doc: string): string => (doc.split(/(?:^|\s)@\w+/)[0] ?? '').replace(/[\s/*]+/g, ' ').trim();

const exported = sourceFiles()
  .filter((path) => folderOf(path) === 'billing')
  .flatMap((path) => declaredIn(read(path)).map((one) => ({ path, ...one })));

const labels = (found: typeof exported): string[] => found.map(({ path, kind, name }) => `${path}: ${kind} ${name}`);

describe('the docstrings of billing', () => {
  it('are found in what the house exports', () => {
    const source =
      '/** Two. @example two() // 2 */\nexport function two(a: (b: 1) => 2): Ratio {\n}\n\nexport const A = 1;\n/** B. */\nexport type B = 1;\n';
    expect(declaredIn(source).map(({ kind, name, doc, gives }) => [kind, name, wordsOf(doc), gives])).toEqual([
      ['function', 'two', 'Two.', 'Ratio'],
      ['const', 'A', '', ''],
      ['type', 'B', 'B.', ''],
    ]);
    expect(exported.length).toBeGreaterThan(250);
  });

  it('say what every exported function, class, type and constant means', () => {
    expect(labels(exported.filter(({ doc }) => wordsOf(doc) === ''))).toEqual([]);
  });

  it('show at work what gives an amount or an instant, and nothing but functions', () => {
    const shown = exported.filter(({ doc }) => doc.includes('@example'));
    expect(labels(exported.filter((one) => COMPUTED.test(one.gives) && !shown.includes(one)))).toEqual([]);
    expect(labels(shown.filter(({ kind, gives }) => kind !== 'function' || STATED.test(gives)))).toEqual([]);
  });
});
