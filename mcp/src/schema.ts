import type { Tool } from '@modelcontextprotocol/server';
import type { Call } from './catalogue.ts';
import type { Json } from './openapi.ts';

/** The JSON schema of what a tool takes. */
export type InputSchema = Tool['inputSchema'];

const COMPONENT = '#/components/schemas/';
/** A list's own `limit` goes higher; here an answer is to be read whole. */
const MOST_HITS = 50;

/** The parameters of an operation as one object; the body of an estimate is its field `body`. */
export function inputOf({ parameters, body }: Call, schemas: Readonly<Record<string, Json>>): InputSchema {
  const fields = parameters.map(({ name, schema, description }): [string, Json] => [name, { ...bounded(name, schema), description }]);
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  if (body !== null) fields.push(['body', body.schema]);
  const properties = Object.fromEntries(fields);
  const all = [...required, ...(body?.required ? ['body'] : [])];
  return { ...alone({ properties }, schemas), type: 'object', required: all, additionalProperties: false } as InputSchema;
}

const bounded = (name: string, schema: Json): Json => (name === 'limit' ? { ...schema, maximum: MOST_HITS } : schema);

/** A schema that can be read without its document: all shapes that it names stand in its `$defs`. */
export function alone(schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  const named = new Map<string, Json>();
  const moved = inward(schema, schemas, named);
  return named.size === 0 ? moved : { ...moved, $defs: Object.fromEntries(named) };
}

function inward(schema: Json, schemas: Readonly<Record<string, Json>>, named: Map<string, Json>): Json {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(COMPONENT)) return [key, move(value, schemas, named)];
    return [key, deeper(value, schemas, named)];
  });
  // a format says what its long pattern checks
  return Object.fromEntries(entries.filter(([key]) => key !== 'pattern' || !('format' in schema)));
}

function deeper(value: unknown, schemas: Readonly<Record<string, Json>>, named: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((one) => deeper(one, schemas, named));
  return typeof value === 'object' && value !== null ? inward(value as Json, schemas, named) : value;
}

function move(reference: string, schemas: Readonly<Record<string, Json>>, named: Map<string, Json>): string {
  const name = reference.slice(COMPONENT.length);
  if (!named.has(name)) {
    // there before its own content is looked at: a shape may contain itself
    named.set(name, {});
    named.set(name, inward(schemas[name] ?? {}, schemas, named));
  }
  return `#/$defs/${name}`;
}
