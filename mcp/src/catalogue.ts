import type { Json, OpenApi, Operation, Parameter } from './openapi.ts';

/** One operation of the API, as tools use it. */
export interface Call {
  /** The operation's own name, which is also the tool's. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What stands in the path and in the query. */
  readonly parameters: readonly Parameter[];
  readonly body: { schema: Json; required: boolean; example: unknown } | null;
  /** Whether a repeat under the same idempotency key is harmless. */
  readonly takesKey: boolean;
}

export interface Catalogue {
  /** What changes nothing: every GET that answers JSON, and every estimate. */
  readonly reads: ReadonlyMap<string, Call>;
  readonly writes: ReadonlyMap<string, Call>;
  /** The estimate of a write, by the write's name: it stands at the write's path with `_estimate` behind it. */
  readonly estimates: ReadonlyMap<string, Call>;
  readonly schemas: Readonly<Record<string, Json>>;
}

const ESTIMATE = '_estimate';

/** Sorts the operations of the document into those that are called and those that are only shown. */
export function catalogueOf({ paths, components }: OpenApi): Catalogue {
  const reads = new Map<string, Call>();
  const writes = new Map<string, Call>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [verb, operation] of Object.entries(item)) {
      const call = callOf(path, verb, operation, components);
      if (call.method === 'GET' ? answersJson(operation) : path.endsWith(ESTIMATE)) reads.set(call.name, call);
      // what needs no key of the vendor belongs to pages of its customers
      else if (call.method === 'POST' && operation.security.length > 0) writes.set(call.name, call);
    }
  }
  return { reads, writes, estimates: estimatesOf(reads, writes), schemas: components.schemas };
}

function callOf(path: string, verb: string, operation: Operation, components: OpenApi['components']): Call {
  const { operationId, summary, description, requestBody } = operation;
  const parameters = operation.parameters.map((one) => ('$ref' in one ? parameterAt(one.$ref, components) : one));
  const content = requestBody?.content['application/json'];
  return {
    name: operationId,
    title: summary,
    description: `${summary}. ${description}`,
    method: verb === 'get' ? 'GET' : 'POST',
    path,
    parameters: parameters.filter((one) => one.in !== 'header'),
    body: content ? { schema: content.schema, required: requestBody.required, example: content.example } : null,
    takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
  };
}

function parameterAt(reference: string, { parameters }: OpenApi['components']): Parameter {
  const found = parameters[reference.slice(reference.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`the document of the API has no ${reference}`);
  return found;
}

function answersJson({ responses }: Operation): boolean {
  return Object.entries(responses).some(([status, { content }]) => status.startsWith('2') && content && 'application/json' in content);
}

function estimatesOf(reads: ReadonlyMap<string, Call>, writes: ReadonlyMap<string, Call>): Map<string, Call> {
  const byPath = new Map([...reads.values()].map((call) => [call.path, call]));
  const found = [...writes.values()].flatMap(({ name, path }): [string, Call][] => {
    const estimate = byPath.get(`${path}${ESTIMATE}`);
    return estimate ? [[name, estimate]] : [];
  });
  return new Map(found);
}
