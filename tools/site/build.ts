import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import MiniSearch from 'minisearch';
import { brokenLinks } from './check.ts';
import { frame } from './frame.ts';
import { allPages, navigation, ROOT, SITE } from './pages.ts';
import { render } from './render.ts';

// `npm run docs:site`: makes a site of all pages, which opens from its files and needs no server. Fails where a link leads nowhere.

const OPTIONS = { fields: ['title', 'text'], storeFields: ['page', 'pageTitle', 'title', 'anchor'] };
const OUT = join(ROOT, SITE);

const pages = allPages();
const sources = new Set(pages.map(({ source }) => source));
const groups = navigation(pages);
const site = new Map<string, string>();
const pictures = new Set<string>();
const index = new MiniSearch(OPTIONS);
for (const page of pages) {
  const rendered = render(page, sources);
  site.set(page.target, frame(page, rendered.html, groups));
  for (const picture of rendered.pictures) pictures.add(picture);
  for (const section of rendered.sections) index.add({ id: `${section.page}#${section.anchor}`, pageTitle: page.title, ...section });
}

const assets = ['site.css', 'search.js'];
const files = new Set([...pictures, ...assets, 'minisearch.js', 'search-index.js']);
const broken = brokenLinks(site, files);
if (broken.length > 0) {
  process.stderr.write(`Links that lead nowhere:\n${broken.map((link) => `  ${link}\n`).join('')}`);
  process.exit(1);
}

const folderFor = (target: string): string => {
  const path = join(OUT, target);
  mkdirSync(dirname(path), { recursive: true });
  return path;
};
rmSync(OUT, { recursive: true, force: true });
for (const [target, html] of site) writeFileSync(folderFor(target), html);
for (const picture of pictures) copyFileSync(join(ROOT, picture), folderFor(picture));
for (const asset of assets) copyFileSync(join(import.meta.dirname, asset), folderFor(asset));
const packaged = createRequire(import.meta.url).resolve('minisearch');
copyFileSync(join(packaged.slice(0, packaged.indexOf('/dist/')), 'dist/umd/index.js'), folderFor('minisearch.js'));
writeFileSync(
  folderFor('search-index.js'),
  `window.SEARCH_OPTIONS=${JSON.stringify(OPTIONS)};window.SEARCH_INDEX=${JSON.stringify(index).replaceAll('<', '\\u003c')};\n`,
);
process.stdout.write(`${site.size} pages: open ${join(OUT, 'index.html')}\n`);
