import { dirname, relative } from 'node:path';
import type { Group, Page } from './pages.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A whole page: the text, the column with the other pages, and the search. Nothing is loaded from elsewhere. */
export function frame(page: Page, html: string, groups: readonly Group[]): string {
  const to = (target: string): string => relative(dirname(page.target), target);
  const column = groups.map(({ title, entries }) => {
    const links = entries.map((entry) => {
      const here = entry.target === page.target ? ' aria-current="page"' : '';
      return `<li><a href="${to(entry.target)}"${here}>${escaped(entry.title)}</a></li>`;
    });
    return `<h2>${escaped(title)}</h2><ul>${links.join('')}</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · Perennial</title>
<link rel="stylesheet" href="${to('site.css')}">
</head>
<body data-root="${to('.')}">
<header>
<a href="${to('index.html')}">Perennial</a>
<form role="search"><label>Search <input type="search" id="search" autocomplete="off"></label></form>
</header>
<nav aria-label="Pages">${column.join('\n')}</nav>
<main>
<section id="found" aria-live="polite" hidden></section>
<article>
${html}
</article>
</main>
<script src="${to('minisearch.js')}"></script>
<script src="${to('search-index.js')}"></script>
<script src="${to('search.js')}"></script>
</body>
</html>
`;
}
