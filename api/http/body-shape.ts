import { fieldPath } from './field-path.ts';
import { cut, invalidField, Problem } from './problem.ts';

/**
 * What any body may have at most: fields in one object, entries in one list, and in all different keys and values. No
 * schema accepts more (a test compares them), so a body with more of them is wrong whatever it is for.
 */
export const MOST = { depth: 32, fields: 1_000, entries: 5_000, keys: 2_000, values: 80_000 } as const;

/**
 * Reads through a JSON text once before it is parsed, and refuses one that has too much in it: V8 takes half a
 * microsecond for each key that it hasn't seen before, and the schemas take as long for each unknown field. If the text
 * isn't JSON, the parser says what is wrong.
 *
 * @returns the number of keys of all objects
 * @throws Problem `invalid_json` when it is nested too deeply, `invalid_request` when it has too many fields,
 * entries, different keys or values
 */
export function checkShape(text: string): number {
  const body = new BodyShape(text);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CODE.quote) at = body.skipText(at);
    else if (code === CODE.colon) body.addKey();
    else if (code === CODE.comma) body.addEntry();
    else if (code === CODE.object || code === CODE.list) body.open(code === CODE.object);
    else if (code === CODE.objectEnd || code === CODE.listEnd) body.close();
  }
  return body.keys;
}

const CODE = { quote: 0x22, backslash: 0x5c, colon: 0x3a, comma: 0x2c, object: 0x7b, objectEnd: 0x7d, list: 0x5b, listEnd: 0x5d } as const;

/** An object or a list that has begun and not ended. */
interface Open {
  readonly isObject: boolean;
  /** entries that have ended */
  entries: number;
  /** where the key of the present entry begins and ends in the text */
  from: number;
  to: number;
}

/** What has been read of a body. */
class BodyShape {
  readonly #text: string;
  readonly #open: Open[] = [];
  /** By hash, since a key may be long; two keys of one hash count once. */
  readonly #different = new Set<number>();
  #values = 0;
  /** where the last text begins and ends */
  #from = 0;
  #to = 0;
  keys = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The place of the quote that ends the text which begins here. */
  skipText(quote: number): number {
    const text = this.#text;
    let at = quote + 1;
    for (let code = text.charCodeAt(at); at < text.length && code !== CODE.quote; code = text.charCodeAt(at)) {
      at += code === CODE.backslash ? 2 : 1;
    }
    this.#from = quote + 1;
    this.#to = at;
    return at;
  }

  addKey(): void {
    const current = this.#open.at(-1);
    if (current === undefined) return;
    current.from = this.#from;
    current.to = this.#to;
    this.keys += 1;
    this.#different.add(hashOf(this.#text, this.#from, this.#to));
    if (this.#different.size > MOST.keys) throw invalidField('body', `must have at most ${MOST.keys} different fields`);
  }

  addEntry(): void {
    this.#addValue();
    const current = this.#open.at(-1);
    if (current === undefined) return;
    current.entries += 1;
    const [most, of] = current.isObject ? [MOST.fields, 'fields'] : [MOST.entries, 'entries'];
    if (current.entries >= most) throw invalidField(this.#pathOf(this.#open.slice(0, -1)) || 'body', `must have at most ${most} ${of}`);
  }

  open(isObject: boolean): void {
    if (this.#open.length >= MOST.depth) throw new Problem('invalid_json', `The body is nested deeper than ${MOST.depth} levels.`);
    this.#addValue();
    this.#open.push({ isObject, entries: 0, from: 0, to: 0 });
  }

  close(): void {
    this.#open.pop();
  }

  #addValue(): void {
    this.#values += 1;
    if (this.#values > MOST.values) throw invalidField('body', `must have at most ${MOST.values} values`);
  }

  #pathOf(open: readonly Open[]): string {
    return fieldPath(open.map(({ isObject, entries, from, to }) => (isObject ? cut(this.#text.slice(from, to)) : entries)));
  }
}

const { imul } = Math;

/** FNV-1a. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
