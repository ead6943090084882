import { type OpenApi, type Operation, type Parameter, parametersIn } from '../../api/http/openapi.ts';
import { camel, queryName } from './names.ts';

const INDENT = '  ';
/** A body without fields, which is left out. */
const EMPTY = 'shape.Nothing';

/** The class with a method for each operation, named as the operation is. */
export function operationsOf(document: OpenApi): string {
  const used = new Set<string>();
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => method(path, verb, { ...operation, parameters: parametersIn(document, operation) }, used)),
  );
  return [
    `import { type CallOptions, type Calls, path, type WriteOptions } from '../calls.ts';`,
    `import type { List } from '../list.ts';`,
    `import type * as shape from './schemas.ts';`,
    '',
    '/** Every operation of the API by its name. Ids stand in the path, in its order; what is left out keeps its default. */',
    'export abstract class Operations {',
    `${INDENT}readonly #calls: Calls;`,
    '',
    `${INDENT}constructor(calls: Calls) {`,
    `${INDENT}${INDENT}this.#calls = calls;`,
    `${INDENT}}`,
    '',
    methods.join('\n\n'),
    '}',
    '',
  ].join('\n');
}

type Described = Operation & { parameters: Parameter[] };

interface Written {
  parameters: string[];
  gives: string;
  call: string;
}

function method(path: string, verb: string, operation: Described, used: Set<string>): string {
  const name = camel(operation.operationId);
  if (used.has(name)) throw new Error(`two operations are called ${name}`);
  used.add(name);
  const ids = operation.parameters
    .filter((one) => one.in === 'path')
    .map(({ name, schema }) => `${camel(name)}: ${schema.type === 'integer' ? 'number' : 'string'}`);
  const place = `path\`${path.replace(/\{(\w+)\}/g, (_, id: string) => `\${${camel(id)}}`)}\``;
  const { parameters, gives, call } = verb === 'get' ? reading(operation, place) : writing(operation, place);
  return [
    `${INDENT}/** ${[operation.summary, operation.description].map(sentence).join(' ').replaceAll('*/', '*\\/')} */`,
    `${INDENT}${name}(${[...ids, ...parameters].join(', ')}): ${gives} {`,
    `${INDENT}${INDENT}return this.#calls.${call};`,
    `${INDENT}}`,
  ].join('\n');
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function reading(operation: Described, place: string): Written {
  const query = queryOf(operation.operationId, operation.parameters);
  const parameters = [...(query === null ? [] : [`query: ${query.type}${query.required ? '' : ' = {}'}`]), 'options: CallOptions = {}'];
  const rest = `${place}, ${query === null ? '{}' : 'query'}, options)`;
  const [kind, type] = answerOf(operation);
  if (kind === 'file') return { parameters, gives: 'Promise<Uint8Array>', call: `file(${rest}` };
  if (/Page$/.test(type)) return { parameters, gives: `List<${type}>`, call: `list<${type}>(${rest}` };
  return { parameters, gives: `Promise<${type}>`, call: `read<${type}>(${rest}` };
}

function writing(operation: Described, place: string): Written {
  const { operationId, parameters, requestBody } = operation;
  const query = queryOf(operationId, parameters);
  const isRepeatable = parameters.some(({ name }) => name === 'Idempotency-Key');
  const options = `${isRepeatable ? 'WriteOptions' : 'CallOptions'}${query === null ? '' : ` & { query?: ${query.type} }`}`;
  const shape = requestBody && shapeName(requestBody.content['application/json'].schema);
  const body = shape === EMPTY ? undefined : shape;
  const [, type] = answerOf(operation);
  return {
    parameters: [...(body ? [`body${requestBody?.required ? '' : '?'}: ${body}`] : []), `options: ${options} = {}`],
    gives: `Promise<${type}>`,
    call: `${isRepeatable ? 'write' : 'writeOnce'}<${type}>(${place}, ${body ? 'body' : 'undefined'}, options)`,
  };
}

function queryOf(operationId: string, parameters: readonly Parameter[]): { type: string; required: boolean } | null {
  const asked = parameters.filter((one) => one.in === 'query');
  return asked.length === 0 ? null : { type: `shape.${queryName(operationId)}`, required: asked.some(({ required }) => required) };
}

type Content = Record<string, { schema: Record<string, unknown> }>;

/** What comes back when all goes well: JSON of these shapes, a file, or nothing. */
function answerOf({ responses }: Operation): ['json' | 'file', string] {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content as Content | undefined);
  if (contents.some((content) => content && !('application/json' in content))) return ['file', ''];
  const types = contents.map((content) => (content ? shapeName(content['application/json']?.schema ?? {}) : 'void'));
  return ['json', [...new Set(types)].join(' | ')];
}

function shapeName(schema: Record<string, unknown>): string {
  if (typeof schema.$ref !== 'string') throw new Error(`a shape without a name: ${JSON.stringify(schema)}`);
  return `shape.${schema.$ref.slice('#/components/schemas/'.length)}`;
}
