/** Escaped text; only `html` makes it, so that everything else is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

type Value = string | number | Html | null | readonly (Html | null)[];

/** A part of a page; every value is escaped unless it is `Html` itself, and null is left out. */
export function html(fixed: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(fixed.map((text, at) => text + (at < values.length ? rendered(values[at] ?? null) : '')).join(''));
}

function rendered(value: Value): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map((part) => part?.text ?? '').join('');
  return escaped(String(value));
}
