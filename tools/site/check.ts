import { dirname, join } from 'node:path';

/** Links of the site that lead nowhere: to a page that isn't made, or to an anchor that its page doesn't have. */
export function brokenLinks(site: ReadonlyMap<string, string>, files: ReadonlySet<string>): string[] {
  const ids = new Map([...site].map(([path, html]) => [path, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id))]));
  const broken: string[] = [];
  for (const [path, html] of site)
    for (const [, to = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(to)) continue;
      const [file = '', anchor] = to.split('#');
      const target = file === '' ? path : join(dirname(path), decodeURI(file));
      // what is outside of the site is a file of the project, which was looked for when the link was made
      if (target.startsWith('..')) continue;
      const known = ids.get(target);
      const isThere = known === undefined ? files.has(target) : anchor === undefined || known.has(decodeURIComponent(anchor));
      if (!isThere) broken.push(`${path}: ${to}`);
    }
  return broken;
}
