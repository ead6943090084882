import { parseSync } from '@swc/core';
import { read, sourceFiles } from './sources.ts';

/** Private words. `docs/glossary.md` has the word to use instead; docs are checked in `pages.test.ts`. */
const WORDS =
  /\b(wish(es)?|untold|told|reckon(s|ed|ing)?|anew|thaw(s|ed)?|mint(s|ed|ing)?|heirs?|whoever|carriers?|obituary|hands (over|on)|(sends?|gives?) word|word (is|was) (sent|due))\b|\b(is|are) over\b(?! \d|-)/i;
/** Codes of lists that only their author knows. */
const CODES = /\((?:P|K|L|G|S|C)\d{1,2}\)/;
/** Parts of identifiers, in any case. */
const IDENTIFIERS = new RegExp(
  [
    '(^|_)(wish(es)?|untold|told|reckon(ing|ed)?|anew|thaw|mint(ed)?|heirs?|whoever|carriers?|obituary)($|[A-Z_])',
    '(?<=[a-z0-9])(Wish(es)?|Untold|Told|Reckon(ing|ed)?|Anew|Thaw|Mint(ed)?|Heirs?|Whoever|Carriers?|Obituary)($|[A-Z_])',
    '^([lL]ife|Turns)$',
  ].join('|'),
);

/** Parsing takes long: a source without any of these letters has none of the identifiers. */
const HINT = /wish|told|reckon|anew|thaw|mint|heir|whoever|carrier|obituary|\blife\b|Turns/i;

/** Ordinary uses, each with its reason. */
const ALLOWED: readonly { path: RegExp; word: string; because: string }[] = [
  { path: /^test\/house\/(words|pages)\.test\.ts$/, word: '', because: 'the lists themselves' },
];

const files = sourceFiles();

/** Comments and the titles of tests, a line each. */
const textsOf = (source: string): string[] => [
  ...source.split('\n').filter((line) => /^\s*(\/\/|\/\*|\* |\*$)/.test(line)),
  ...[...source.matchAll(/\s(\/\/ .*)$/gm)].map(([, comment = '']) => comment),
  ...[...source.matchAll(/^\s*(?:it|test|story|describe|crash)\(\s*(['`])(.*?)\1,/gm)].map(([, , title = '']) => title),
];

function identifiersOf(node: unknown, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found;
  if ('type' in node && node.type === 'Identifier' && 'value' in node) found.add(String(node.value));
  for (const child of Object.values(node)) identifiersOf(child, found);
  return found;
}

function privateWordsIn(source: string): string[] {
  const texts = textsOf(source).filter((text) => WORDS.test(text) || CODES.test(text));
  const names = HINT.test(source) ? [...identifiersOf(parseSync(source, { syntax: 'typescript', target: 'es2024' }))] : [];
  return [...texts.map((text) => text.trim()), ...names.filter((name) => IDENTIFIERS.test(name))];
}

const isAllowed = (path: string, found: string): boolean =>
  ALLOWED.some((one) => one.path.test(path) && found.toLowerCase().includes(one.word));

describe('private words', () => {
  it.each([
    ['const wish = 1;', 'wish'],
    ['const untoldEvents = 1;', 'untoldEvents'],
    ['interface Turns {}', 'Turns'],
    ['// whoever asks', '// whoever asks'],
    ['// when word is sent', '// when word is sent'],
    ["it('a trial that is over ends', () => {});", 'a trial that is over ends'],
    ["test('a change pays −5.00 (K5)', () => {});", 'a change pays −5.00 (K5)'],
  ])('are found in: %s', (source, found) => {
    expect(privateWordsIn(source)).toEqual([found]);
  });

  it('are not seen in ordinary ones', () => {
    expect(privateWordsIn("// usage is over 300\nconst minted = hint; const turn = lifecycle;\nit('a message', f);")).toEqual(['minted']);
  });

  it('stand in no identifier, no comment and no title of a test', () => {
    const found = files.flatMap((path) =>
      privateWordsIn(read(path))
        .filter((one) => !isAllowed(path, one))
        .map((one) => `${path}: ${one}`),
    );
    expect(found).toEqual([]);
  });
});
