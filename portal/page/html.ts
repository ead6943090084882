import { STYLE } from './style.ts';

/** Escaped text; only `html` makes it, so that everything else is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

type Value = string | number | Html | null | readonly Html[];

/** A part of a page; every value is escaped unless it is `Html` itself. */
export function html(fixed: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(fixed.map((text, at) => text + (at < values.length ? rendered(values[at] ?? null) : '')).join(''));
}

function rendered(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escaped(String(value));
}

/** A whole page with the common style. */
export function page(title: string, content: Html): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>${content}</main>
</body>
</html>
`;
  return text;
}
