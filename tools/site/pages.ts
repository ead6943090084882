import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nounPages } from './nouns.ts';

export const ROOT = join(import.meta.dirname, '../..');
/** The folder of the site, from there. */
export const SITE = 'site';

/** A page of the site, before and after it is made. */
export interface Page {
  /** where its text stands, from the root of the project */
  source: string;
  /** where it will stand in the site */
  target: string;
  title: string;
  markdown: string;
}

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1]?.replace(/`/g, '') ?? '';

/** `docs/README.md` → `docs/index.html` */
export function targetOf(source: string): string {
  const name = basename(source, '.md');
  return join(dirname(source), `${name === 'README' ? 'index' : name}.html`);
}

/** Every page that git knows or would add, and those that are made from the OpenAPI document. */
export function allPages(): Page[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: ROOT, encoding: 'utf8' });
  const written = listed
    .split('\n')
    .filter((path) => path !== '')
    .map((source) => ({ source, markdown: readFileSync(join(ROOT, source), 'utf8') }));
  return [...written, ...nounPages()].map((page) => ({ ...page, target: targetOf(page.source), title: titleOf(page.markdown) }));
}

/** A group of pages in the column beside the text. */
export interface Group {
  title: string;
  entries: { title: string; target: string }[];
}

/** The groups are the tables of `docs/README.md`, behind the nouns. */
export function navigation(pages: readonly Page[]): Group[] {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const nouns = pages.filter(({ source }) => source.startsWith('docs/nouns/'));
  const tables = (bySource.get('docs/README.md')?.markdown ?? '').split(/\n\n(?=\|)/).slice(1);
  const groups = tables.map((table): Group => {
    const title = /^\| (.+?) \|/.exec(table)?.[1] ?? '';
    const links = [...table.matchAll(/^\|.*?\|/gm)].flatMap(([cell]) => [...cell.matchAll(/\]\(([^)#]+\.md)\)/g)]);
    const linked = links.flatMap(([, to = '']) => bySource.get(join('docs', to)) ?? []);
    return { title: title.charAt(0).toUpperCase() + title.slice(1), entries: linked };
  });
  const start = ['README.md', 'docs/README.md', 'CHANGELOG.md'].flatMap((source) => bySource.get(source) ?? []);
  return [{ title: 'Start', entries: start }, { title: 'By noun', entries: nouns }, ...groups];
}
