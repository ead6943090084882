import { randomUUID } from 'node:crypto';
import { refusalText, ToolRefusal, withinBounds } from './answer.ts';
import type { Api } from './api.ts';
import type { Call, Catalogue } from './catalogue.ts';
import type { Json } from './openapi.ts';
import { curlLine, requestOf } from './request.ts';
import { alone, inputOf } from './schema.ts';
import { checked } from './validate.ts';

/** What a write takes: its shape, an example, and whether an estimate comes with it. Without a name: all writes. */
export function describeWrite({ writes, estimates, schemas }: Catalogue, { operation }: Json): string[] {
  if (operation === undefined) return [[...writes.values()].map(({ name, title }) => `${name}: ${title}`).join('\n')];
  const call = writeCalled(writes, operation);
  const { properties, required } = inputOf({ ...call, body: null }, schemas);
  const { schema, example } = call.body ?? { schema: null, example: null };
  const estimate = estimates.get(call.name)?.name ?? null;
  const shape = { name: call.name, description: call.description, method: call.method, path: call.path, estimate };
  const parts = { parameters: properties, required, body: schema === null ? null : alone(schema, schemas), example };
  return withinBounds(JSON.stringify({ ...shape, ...parts }));
}

/** The request that would write, to be run by somebody else, and what it would come to. Nothing is written here. */
export async function prepareWrite(api: Api, catalogue: Catalogue, { operation, parameters = {}, body }: Json): Promise<string[]> {
  const call = writeCalled(catalogue.writes, operation);
  const given = { ...(parameters as Json), ...(body === undefined ? {} : { body }) };
  checked(`parameters and body of ${call.name}`, inputOf(call, catalogue.schemas), given);
  const request = requestOf(call, parameters as Json, body);
  const curl = curlLine(request, call.takesKey ? randomUUID() : null);
  const shown = { note: 'Nothing was sent. This request writes, with a key of scope full:', request, curl };
  return [JSON.stringify(shown), ...(await estimated(api, catalogue, call, given))];
}

async function estimated(api: Api, { estimates, schemas }: Catalogue, { name }: Call, { body, ...given }: Json): Promise<string[]> {
  const estimate = estimates.get(name);
  if (!estimate?.body) return [];
  const answer = await api.send(requestOf(estimate, given, known(alone(estimate.body.schema, schemas), body)));
  if (answer.isRefused) return [`${estimate.name} refuses it: ${refusalText(answer)}`];
  return [`What it would come to (${estimate.name}):`, ...withinBounds(answer.text)];
}

/** An estimate takes the fields of its write but those that only matter once it is written. */
function known(schema: Json, body: unknown): unknown {
  const name = typeof schema.$ref === 'string' ? schema.$ref.slice('#/$defs/'.length) : null;
  const { properties } = (name === null ? schema : (schema.$defs as Record<string, Json>)[name]) ?? {};
  if (typeof properties !== 'object' || properties === null || typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([field]) => field in properties));
}

function writeCalled(writes: ReadonlyMap<string, Call>, name: unknown): Call {
  const call = writes.get(String(name));
  if (call === undefined) throw new ToolRefusal(`There is no write called ${name}; describe_write without an operation lists them.`);
  return call;
}
