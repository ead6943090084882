import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import MarkdownIt from 'markdown-it';
import { Anchors } from './anchor.ts';
import { type Page, ROOT, SITE, targetOf } from './pages.ts';

/** A part of a page under one heading, as the search finds it. */
export interface Section {
  page: string;
  title: string;
  anchor: string;
  text: string;
}

export interface Rendered {
  html: string;
  sections: Section[];
  /** pictures that the page shows, from the root of the project */
  pictures: string[];
}

const isElsewhere = (to: string): boolean => /^[a-z]+:/.test(to);

/** The text of a page as HTML: headings have anchors, links lead to pages of the site. */
export function render(page: Page, sources: ReadonlySet<string>): Rendered {
  const markdown = new MarkdownIt({ linkify: false });
  const tokens = markdown.parse(page.markdown, {});
  const anchors = new Anchors();
  const sections: Section[] = [];
  const pictures: string[] = [];
  tokens.forEach((token, at) => {
    const inline = tokens[at + 1];
    if (token.type === 'heading_open' && inline !== undefined) {
      const anchor = anchors.next(inline.content);
      token.attrSet('id', anchor);
      sections.push({ page: page.target, title: textOf(inline.content), anchor, text: '' });
    } else if (token.type === 'inline' || token.type === 'fence') {
      const section = sections.at(-1);
      if (section !== undefined && tokens[at - 1]?.type !== 'heading_open') section.text += ` ${textOf(token.content)}`;
    }
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') child.attrSet('href', linkOf(page, String(child.attrGet('href')), sources));
      if (child.type === 'image') pictures.push(join(dirname(page.source), String(child.attrGet('src'))));
    }
  });
  return { html: markdown.renderer.render(tokens, markdown.options, {}), sections, pictures };
}

const textOf = (markdown: string): string => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');

/** Where a link leads in the site; to a file that is no page: to where the project has it. */
function linkOf(page: Page, to: string, sources: ReadonlySet<string>): string {
  if (isElsewhere(to) || to.startsWith('#')) return to;
  const [path = '', anchor] = to.split('#');
  const source = join(dirname(page.source), path);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (sources.has(source)) return `${relative(dirname(page.target), targetOf(source))}${hash}`;
  const readme = join(source, 'README.md');
  if (sources.has(readme)) return `${relative(dirname(page.target), targetOf(readme))}${hash}`;
  if (!existsSync(join(ROOT, source))) throw new Error(`${page.source} links to ${to}, which is not there`);
  return relative(join(SITE, dirname(page.target)), source);
}
