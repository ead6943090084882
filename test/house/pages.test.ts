import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { anchorsOf } from '../../tools/site/anchor.ts';
import { errorsPage } from '../../tools/site/errors-page.ts';
import { ROOT, read } from './sources.ts';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' }).split(
  '\n',
);
const pages = tracked.filter((path) => path.endsWith('.md') && existsSync(join(ROOT, path)));
const folders = readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Text without blocks of commands and pictures. */
const proseOf = (page: string): string => read(page).replace(/^```[\s\S]*?^```$/gm, '');

/** Words in backticks that look like a path; what stands in capitals is to be filled in. */
const spansOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)].map(([, span = '']) => span).filter((span) => !/[A-Z]{2}/.test(span));

/**
 * What a page names as a path from the root (it begins with one of the folders there), or as a source file from its own
 * folder.
 */
const pathsOf = (page: string): string[] =>
  spansOf(page).filter((span) => span.includes('/') && (folders.includes(span.split('/')[0] ?? '') || /\.ts$/.test(span)));

/** A test may be named without its ending. */
const exists = (path: string): boolean =>
  ['', '.ts', '.test.ts'].some((ending) => existsSync(join(ROOT, `${path.replace(/\/$/, '')}${ending}`)));
const isThere = (page: string, path: string): boolean => exists(path) || exists(join(dirname(page), path));

/** Source files that a page names without their folder: they lie somewhere below it, those of `docs/` anywhere. */
function missingNames(page: string): string[] {
  const below = page.startsWith('docs/') || dirname(page) === '.' ? '' : `${dirname(page)}/`;
  const names = new Set(tracked.filter((path) => path.startsWith(below) && existsSync(join(ROOT, path))).map((path) => basename(path)));
  return spansOf(page).filter((span) => /^[\w.-]+\.ts$/.test(span) && !names.has(span));
}

describe('what people read', () => {
  it('has pages to look at', () => expect(pages.length).toBeGreaterThan(60));

  it('names only files that there are', () => {
    const missing = pages.flatMap((page) =>
      [...pathsOf(page).filter((path) => !isThere(page, path)), ...missingNames(page)].map((path) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('is written in words of the glossary', () => {
    const others = /\b(wish\w*|reckon\w*|anew|thaw\w*|mint(s|ed|ing)?|heirs?|whoever|untold|told|claim(s|ed)?|brought up)\b/gi;
    expect(pages.flatMap((page) => [...proseOf(page).matchAll(others)].map(([word]) => `${page}: ${word}`))).toEqual([]);
  });

  it('links only to headings that there are', () => {
    const anchors = new Map(pages.map((page) => [page, anchorsOf(read(page))]));
    const links = pages.flatMap((page) =>
      [...proseOf(page).matchAll(/\]\((?!http)([^)#]*)#([^)]+)\)/g)].map(([, to = '', anchor = '']) => ({
        page,
        target: to === '' ? page : join(dirname(page), to),
        anchor,
      })),
    );
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter(({ target, anchor }) => !anchors.get(target)?.has(anchor))).toEqual([]);
  });

  it('has a page of all errors that is made from their list', () => expect(read('docs/errors.md')).toBe(errorsPage()));

  it('links only to pages that there are', () => {
    const links = pages.flatMap((page) => [...proseOf(page).matchAll(/\]\((?!http|#)([^)#]+)/g)].map(([, to = '']) => ({ page, to })));
    expect(links.length).toBeGreaterThan(60);
    expect(links.filter(({ page, to }) => !existsSync(join(ROOT, dirname(page), to)))).toEqual([]);
  });
});

describe('the decisions', () => {
  const decisions = pages.filter((page) => /^docs\/decisions\/[a-z]/.test(page));

  it('say under their title when they were made and whether they hold', () => {
    const status = /^# .+\n\n\d{1,2} \w+ 20\d\d(, .+)? · (accepted|superseded by \[)/;
    expect(decisions.filter((page) => !status.test(read(page).replace(/(?<=\S)\n(?=\S)/g, ' ')))).toEqual([]);
  });

  it('say what was decided, why, and what it costs', () => {
    const parts = ['**Decision.**', '**Why.**', '**Costs.**'];
    expect(decisions.flatMap((page) => parts.filter((part) => !read(page).includes(part)).map((part) => `${page}: ${part}`))).toEqual([]);
  });

  it('stand in the index, each once, by their titles', () => {
    const index = read('docs/decisions/README.md').replace(/\n +/g, ' ');
    const entries = [...index.matchAll(/^- \[(.+)\]\(([a-z-]+\.md)\)$/gm)].map(([, title, file]) => `docs/decisions/${file}: ${title}`);
    const titles = decisions.map((page) => `${page}: ${/^# (.+)/.exec(read(page))?.[1]}`);
    expect(entries.sort()).toEqual(titles.sort());
  });
});

describe('the glossary', () => {
  const terms = [...read('docs/glossary.md').matchAll(/^\| (?!term |---)(.+?) \| (.+) \|$/gm)].map(([, term = '']) => term);

  it('has each term once, in the order of the alphabet', () => {
    expect(terms.length).toBeGreaterThan(60);
    const words = terms.flatMap((term) => term.split(', '));
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
    expect(terms).toEqual(terms.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), 'en')));
  });
});
