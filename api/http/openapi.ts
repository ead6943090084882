import { z } from 'zod';
import { routes } from '../routes.ts';
import { COOKIE } from './authenticate.ts';
import type { ErrorCode } from './errors.ts';
import { ErrorResponses } from './openapi-errors.ts';
import { headers, headersOf, LIMITS } from './openapi-headers.ts';
import { ProblemSchema } from './problem-schema.ts';
import { type Route, takesIdempotencyKey } from './route.ts';
import { tags } from './tags.ts';

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  readonly document: OpenApi;
  readonly text: string;
}

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Json>;
    responses: Record<string, Json>;
    examples: Record<string, Json>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Json>;
    securitySchemes: Json;
  };
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Json[];
  parameters: (Parameter | ParameterReference)[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Json; example: unknown } } };
  responses: Record<string, Json>;
  'x-error-codes': ErrorCode[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Json;
  style?: string;
  explode?: boolean;
}

/** To one in the components of the document. */
interface ParameterReference {
  $ref: string;
}

const API_VERSION = '0.1.0';

/** It stands once in the document: more than half of all operations take it. */
const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of your own. A repeat with the same key and body within 30 days gives the first response again and changes nothing; with another body it is a 409.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]{1,255}$' },
};
const REFERENCE = '#/components/parameters/';

const always: readonly ErrorCode[] = ['invalid_request', 'rate_limited', 'internal_error', 'unavailable'];
const withKey: readonly ErrorCode[] = ['unauthorized', 'forbidden'];
const withBody: readonly ErrorCode[] = ['invalid_json', 'body_too_large', 'unsupported_media_type'];
const withIdempotency: readonly ErrorCode[] = ['idempotency_key_reused', 'idempotency_in_progress'];

/** Every error code of an operation, the framework's own included. */
export function codesOf(route: Route): ErrorCode[] {
  const writes = route.method !== 'get';
  return [
    ...new Set([
      ...always,
      ...(route.scope === null ? [] : withKey),
      ...(route.scope !== null && writes ? (['origin_refused'] as const) : []),
      ...(writes ? withBody : []),
      ...(takesIdempotencyKey(route) ? withIdempotency : []),
      ...(route.secret === true ? (['secret_already_shown'] as const) : []),
      ...route.errors,
    ]),
  ];
}

let made: { baseUrl: string; value: OpenApiDocument } | undefined;

/** The OpenAPI 3.1 document of all routes; made once, from the schemas that check the requests. */
export function openapi(baseUrl: string): OpenApiDocument {
  if (made?.baseUrl !== baseUrl) {
    const document = build(baseUrl);
    made = { baseUrl, value: { document, text: JSON.stringify(document) } };
  }
  return made.value;
}

function build(baseUrl: string): OpenApi {
  const schemas = new Schemas();
  const failures = new ErrorResponses(schemas.refer(ProblemSchema, 'Problem'));
  const paths: OpenApi['paths'] = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, schemas, failures) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perennial',
      version: API_VERSION,
      description: 'Durable subscription billing: customers, plans, contracts, usage, invoices, payments and entitlements.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      schemas: schemas.all(),
      ...failures.components(),
      parameters: { [IDEMPOTENCY_KEY.name]: IDEMPOTENCY_KEY },
      headers,
      securitySchemes: {
        'api-key': { type: 'apiKey', in: 'header', name: 'wb-key' },
        wb_user_cookie: { type: 'apiKey', in: 'cookie', name: COOKIE },
      },
    },
  };
}

function operation(route: Route, schemas: Schemas, failures: ErrorResponses): Operation {
  const pascal = route.operationId.replace(/(^|_)([a-z])/g, (_, _gap, letter: string) => letter.toUpperCase());
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    security: route.scope === null ? [] : [{ 'api-key': [] }, { wb_user_cookie: [] }],
    parameters: parametersOf(route),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: route.bodyOptional !== true,
            content: { 'application/json': { schema: schemas.refer(route.body, `${pascal}Request`), example: route.example.body ?? {} } },
          },
        }),
    responses: { ...successes(route, schemas, pascal), ...failures.of(codesOf(route)) },
    'x-error-codes': codesOf(route),
  };
}

function successes(route: Route, schemas: Schemas, pascal: string): Record<string, Json> {
  const headers = headersOf(...(route.scope === null ? [] : LIMITS));
  const entries = Object.entries(route.response).map(([status, schema]): [string, Json] => {
    if (schema === null) return [status, { description: 'Done; the body is empty', headers }];
    if (route.media !== undefined) {
      const file = { [route.media]: { schema: { type: 'string', format: 'binary' } } };
      return [status, { description: 'The file', headers: { ...headers, ...headersOf('content-disposition') }, content: file }];
    }
    const content = {
      'application/json': {
        schema: schemas.refer(schema, `${pascal}Answer${status === '200' ? '' : status}`),
        example: route.example.others?.[Number(status)] ?? route.example.response,
      },
    };
    return [status, { description: status === '201' ? 'Made' : 'Done', headers, content }];
  });
  return Object.fromEntries(entries);
}

function parametersOf(route: Route): Operation['parameters'] {
  return [
    ...fieldsOf(route.params).map(([name, schema]) => parameter('path', name, schema)),
    ...fieldsOf(route.query).map(([name, schema]) => parameter('query', name, schema)),
    ...(takesIdempotencyKey(route) ? [{ $ref: `${REFERENCE}${IDEMPOTENCY_KEY.name}` }] : []),
  ];
}

/** The parameters of an operation, those too that stand in the components of the document. */
export function parametersIn({ components }: Pick<OpenApi, 'components'>, { parameters }: Pick<Operation, 'parameters'>): Parameter[] {
  return parameters.map((one) => {
    if (!('$ref' in one)) return one;
    const found = components.parameters[one.$ref.slice(REFERENCE.length)];
    if (found === undefined) throw new Error(`the document has no parameter ${one.$ref}`);
    return found;
  });
}

function fieldsOf(schema: z.ZodType | undefined): [string, z.ZodType][] {
  return schema instanceof z.ZodObject ? (Object.entries(schema.shape) as [string, z.ZodType][]) : [];
}

function parameter(place: 'path' | 'query', name: string, schema: z.ZodType): Parameter {
  const {
    $defs: _defs,
    description = z.globalRegistry.get(schema)?.description,
    ...json
  } = clean(z.toJSONSchema(schema, { ...OPTIONS, override: referToComponent }));
  referToComponent({ jsonSchema: json });
  const isMap = json.type === 'object';
  return {
    name,
    in: place,
    required: place === 'path' || !schema.isOptional(),
    description: String(description ?? ''),
    schema: json,
    ...(isMap ? { style: 'deepObject', explode: true } : {}),
  };
}

const OPTIONS = { io: 'input', unrepresentable: 'any' } as const;

/** Schemas with an id of their own are components already; a parameter refers to them there. */
function referToComponent({ jsonSchema }: { jsonSchema: Json }): void {
  if (typeof jsonSchema.$ref === 'string') jsonSchema.$ref = jsonSchema.$ref.replace('#/$defs/', '#/components/schemas/');
}

function clean({ $schema: _schema, $id: _id, id: _name, ...json }: Json): Json {
  return json;
}

/** Collects schemas by name: an id of its own, or the operation's. */
class Schemas {
  readonly #registry = z.registry<{ id: string }>();
  readonly #names = new Map<string, z.ZodType>();

  constructor() {
    for (const schema of namedSchemas()) this.#add(schema.schema, schema.id);
  }

  refer(schema: z.ZodType, fallback: string): Json {
    const id = this.#registry.get(schema)?.id ?? this.#add(schema, z.globalRegistry.get(schema)?.id ?? fallback);
    return { $ref: `#/components/schemas/${id}` };
  }

  #add(schema: z.ZodType, id: string): string {
    if (this.#names.has(id) && this.#names.get(id) !== schema) throw new Error(`two schemas are called ${id}`);
    this.#names.set(id, schema);
    this.#registry.add(schema, { id });
    return id;
  }

  all(): Record<string, Json> {
    const { schemas } = z.toJSONSchema(this.#registry, { ...OPTIONS, uri: (id) => `#/components/schemas/${id}` });
    return Object.fromEntries(
      Object.entries(schemas)
        .filter(([name]) => name !== '__shared')
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, schema]) => [name, clean(schema as Json)]),
    );
  }
}

/** Schemas with an id of their own become components wherever they stand. */
function* namedSchemas(): Iterable<{ id: string; schema: z.ZodType }> {
  const map = (z.globalRegistry as unknown as { _idmap: Map<string, z.ZodType> })._idmap;
  for (const [id, schema] of map) yield { id, schema };
}
