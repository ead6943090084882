import openapiTS, { astToString } from 'openapi-typescript';
import { type OpenApi, type Operation, parametersIn } from '../../api/http/openapi.ts';
import { queryName } from './names.ts';

/**
 * The types of all shapes. Paths are left out, since each operation has a method; what it takes in its query becomes a
 * shape of its own.
 */
export async function schemasOf(document: OpenApi): Promise<string> {
  const queries = Object.values(document.paths).flatMap((item) => Object.values(item).flatMap((operation) => queryOf(document, operation)));
  const { openapi, info, components } = document;
  const shapes = { openapi, info, paths: {}, components: { schemas: { ...components.schemas, ...Object.fromEntries(queries) } } };
  const options = { alphabetize: false, rootTypes: true, rootTypesNoSchemaPrefix: true };
  return astToString(await openapiTS(JSON.stringify(shapes), options));
}

function queryOf(document: OpenApi, operation: Operation): [string, object][] {
  const { operationId, summary } = operation;
  const asked = parametersIn(document, operation).filter((one) => one.in === 'query');
  if (asked.length === 0) return [];
  const properties = Object.fromEntries(asked.map(({ name, schema, description }) => [name, { ...schema, description }]));
  const required = asked.filter((one) => one.required).map(({ name }) => name);
  return [[queryName(operationId), { type: 'object', description: `The query of: ${summary}.`, properties, required }]];
}
