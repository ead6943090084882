import { Ajv2020 } from 'ajv/dist/2020.js';
import type { z } from 'zod';
import { openapi, parametersIn } from '../../../api/http/openapi.ts';
import { ProblemSchema } from '../../../api/http/problem-schema.ts';
import { routes } from '../../../api/routes.ts';

type AnyJson = Record<string, unknown>;

const { document, text } = openapi('http://127.0.0.1:3000');

/** Words that add nothing to a name. */
const FILLERS = new Set(['a', 'an', 'the', 'of', 'this', 'that', 'its', 'is', 'for', 'and', 'or', 'to', 'it', 'in']);

const wordsOf = (sentence: string): string[] => sentence.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Whether a description says more than the name does: `Name of the name` does not. */
function saysMore(name: string, description: unknown): boolean {
  if (typeof description !== 'string') return false;
  const known = new Set(wordsOf(name.replace(/([a-z])([A-Z])/g, '$1 $2')).flatMap((word) => [word, `${word}s`, word.replace(/s$/, '')]));
  return new Set(wordsOf(description).filter((word) => !FILLERS.has(word) && !known.has(word))).size >= 2;
}

interface Field {
  at: string;
  name: string;
  description: unknown;
}

/** All named fields of a schema at any depth: of objects, lists, maps and variants. */
function* fieldsOf(schema: unknown, at: string): Iterable<Field> {
  if (Array.isArray(schema)) {
    for (const one of schema) yield* fieldsOf(one, at);
    return;
  }
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {}, ...rest } = schema as { properties?: Record<string, AnyJson> } & AnyJson;
  for (const [name, field] of Object.entries(properties)) {
    yield { at: `${at}.${name}`, name, description: field.description };
    yield* fieldsOf(field, `${at}.${name}`);
  }
  for (const key of ['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf']) yield* fieldsOf(rest[key], at);
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
);
const components = Object.entries(document.components.schemas);
const fields = components.flatMap(([name, schema]) => [...fieldsOf(schema, name)]);

/** The component that a `$ref` names, or the value itself. */
function resolveReference(value: AnyJson): AnyJson {
  if (typeof value.$ref !== 'string') return value;
  const [kind = '', name = ''] = value.$ref.split('/').slice(-2);
  const found = (document.components as unknown as Record<string, Record<string, AnyJson>>)[kind]?.[name];
  if (found === undefined) throw new Error(`${value.$ref} is missing`);
  return found;
}

describe('the descriptions of the document', () => {
  it('must say more than the name', () => {
    expect([saysMore('name', 'The name of the name'), saysMore('customer_id', 'Id of the customer'), saysMore('units', undefined)]).toEqual(
      [false, false, false],
    );
    expect(saysMore('end', 'First instant that is no longer in it.')).toBe(true);
  });

  it('exist for every field and say more than its name', () => {
    expect(fields.length).toBeGreaterThan(800);
    expect(fields.filter(({ name, description }) => !saysMore(name, description)).map(({ at }) => at)).toEqual([]);
  });

  it('exist for every named schema', () => {
    expect(components.length).toBeGreaterThan(100);
    expect(components.filter(([name, { description }]) => !saysMore(name, description)).map(([name]) => name)).toEqual([]);
  });

  it('exist for every parameter, header and tag', () => {
    const parameters = operations.flatMap((operation) =>
      parametersIn(document, operation).map((one) => ({ ...one, at: `${operation.operationId} ${one.name}` })),
    );
    const wanting = parameters.filter(({ name, description }) => !saysMore(name, description));
    expect(wanting.map(({ at }) => at)).toEqual([]);
    const describedHeaders = Object.entries(document.components.headers).filter(([name, { description }]) => saysMore(name, description));
    expect(describedHeaders.map(([name]) => name)).toEqual(Object.keys(document.components.headers));
    expect(document.tags.filter(({ name, description }) => !saysMore(name, description))).toEqual([]);
  });

  it('exist for every operation with a summary, all of them different', () => {
    for (const { operationId, summary, description } of operations) {
      expect([operationId, wordsOf(summary).length >= 2, saysMore(summary, description)]).toEqual([operationId, true, true]);
    }
    expect(new Set(operations.map(({ summary }) => summary)).size).toBe(operations.length);
    expect(new Set(operations.map(({ description }) => description)).size).toBe(operations.length);
  });

  it('exist for every response and its headers', () => {
    for (const { operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        const { headers = {}, description } = resolveReference(response) as { headers?: Record<string, AnyJson>; description?: string };
        expect([operationId, status, Object.keys(headers)]).toEqual([operationId, status, expect.arrayContaining(['request-id'])]);
        for (const header of Object.values(headers)) expect(resolveReference(header).description).toEqual(expect.any(String));
        expect([operationId, status, wordsOf(description ?? '').length > 0]).toEqual([operationId, status, true]);
      }
    }
  });

  it('leave the document smaller than 860,000 characters', () => {
    expect(text.length).toBeLessThan(860_000);
  });
});

/** Fails unless the schema accepts the example and knows all of its fields. */
function expectAccepted(schema: z.ZodType, example: unknown, what: string): void {
  const result = schema.safeParse(example);
  if (!result.success) throw new Error(`${what}: ${JSON.stringify(result.error.issues)}`);
  expect([what, result.data]).toEqual([what, example]);
}

describe('the examples of the document', () => {
  const responses = routes.flatMap((route) =>
    Object.entries(route.response).flatMap(([status, schema]) =>
      schema === null || route.media !== undefined ? [] : [{ route, status, schema }],
    ),
  );

  it('contain a response for every operation that has one, valid by its schema', () => {
    expect(responses.length).toBeGreaterThan(60);
    for (const { route, status, schema } of responses) {
      const what = `${route.operationId} ${status}`;
      const response = document.paths[route.path]?.[route.method]?.responses[status] ?? {};
      const { content = {} } = response as { content?: Record<string, { example: unknown }> };
      expect([what, content['application/json']?.example]).toEqual([what, expect.anything()]);
      expectAccepted(schema, content['application/json']?.example, what);
    }
  });

  it('contain a body for every operation that has one, valid by its schema', () => {
    const taking = operations.flatMap(({ requestBody, ...one }) => (requestBody === undefined ? [] : [{ ...one, requestBody }]));
    expect(taking.length).toBeGreaterThan(30);
    for (const { operationId, requestBody } of taking) {
      const { example } = requestBody.content['application/json'];
      const route = routes.find((one) => one.operationId === operationId);
      expect([operationId, route?.example.body]).toEqual([operationId, expect.anything()]);
      expect([operationId, route?.body?.safeParse(example).error?.issues]).toEqual([operationId, undefined]);
    }
  });

  it('are valid by the schemas of the document too', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', components: document.components });
    const shapes = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((one) => {
        const { schema, example } = (one as { content?: Record<string, AnyJson> } | undefined)?.content?.['application/json'] ?? {};
        return schema === undefined ? [] : [{ operationId, reference: (schema as { $ref: string }).$ref, example }];
      }),
    );
    expect(shapes.length).toBeGreaterThan(90);
    for (const { operationId, reference, example } of shapes) {
      const takes = ajv.compile({ $ref: `doc${reference}` });
      takes(example);
      expect([operationId, takes.errors]).toEqual([operationId, null]);
    }
  });

  it('contain every error of each operation', () => {
    for (const { operationId, responses, 'x-error-codes': codes } of operations) {
      const shown = Object.entries(responses).flatMap(([status, response]) => {
        const { content = {} } = resolveReference(response) as { content?: Record<string, { examples?: Record<string, AnyJson> }> };
        return Object.entries(content['application/problem+json']?.examples ?? {}).map(([code, example]) => {
          const { value } = resolveReference(example);
          expectAccepted(ProblemSchema, value, `${operationId} ${code}`);
          expect(value).toMatchObject({ code, status: Number(status) });
          return code;
        });
      });
      expect([operationId, shown.toSorted()]).toEqual([operationId, codes.toSorted()]);
    }
  });

  it('name one customer, and each object with the same id everywhere', () => {
    const all = JSON.stringify(routes.map(({ example }) => example));
    const named = new Set(all.match(/\b(?:Cust|Clock|CPMet|PSess|Wbc|Wall)_[0-9a-f-]{36}/g));
    expect([...named].map((id) => id.split('_')[0]).toSorted()).toEqual(['CPMet', 'Clock', 'Cust', 'PSess', 'Wall', 'Wbc']);
  });
});
