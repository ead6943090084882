import { openapi } from '../../api/http/openapi.ts';

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
}

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const fileOf = (tag: string): string => `docs/nouns/${tag.toLowerCase().replaceAll(' ', '-')}.md`;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();

/** A page for each noun of the API: what it is, and what can be done with it. */
export function nounPages(): { source: string; markdown: string }[] {
  const { tags, paths } = openapi('http://127.0.0.1:3000').document as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
  return tags.map(({ name, description }) => {
    const own = operations.filter((operation) => operation.tags?.includes(name));
    const rows = own.map(({ method, path, summary = '' }) => `| \`${method} ${path}\` | ${oneLine(summary)} |`);
    const parts = own.flatMap(({ method, path, summary = '', description: text = '' }) =>
      text === '' ? [] : [`## ${oneLine(summary)}`, `\`${method} ${path}\``, text],
    );
    const intro = [
      description,
      'Made from the OpenAPI document. Fields, examples and errors of each operation: `GET /docs` of a running server. What may go wrong: [errors](../errors.md). What the words mean: [glossary](../glossary.md).',
    ];
    return { source: fileOf(name), markdown: [`# ${name}`, ...intro, ['| operation | does |', '|---|---|', ...rows].join('\n'), ...parts, ''].join('\n\n') };
  });
}
