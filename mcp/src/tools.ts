import type { Tool } from '@modelcontextprotocol/server';
import { ToolRefusal } from './answer.ts';
import type { Api } from './api.ts';
import type { Call, Catalogue } from './catalogue.ts';
import type { Json } from './openapi.ts';
import { read } from './read.ts';
import { type InputSchema, inputOf } from './schema.ts';
import { checked } from './validate.ts';
import { describeWrite, prepareWrite } from './write.ts';

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const nameOf = (writes: Catalogue['writes']) => ({ type: 'string', enum: [...writes.keys()], description: 'The write by its name.' });

/** Every read by the operation's name, and two tools for all writes together. */
export function toolsOf({ reads, writes, schemas }: Catalogue): Tool[] {
  const read = [...reads.values()].map((call) => toolOf(call, inputOf(call, schemas)));
  return [...read, describeTool(writes), prepareTool(writes)];
}

const toolOf = ({ name, title, description }: Call, inputSchema: InputSchema): Tool => ({
  ...{ name, title, description, inputSchema, annotations: READS },
});

function describeTool(writes: Catalogue['writes']): Tool {
  const description =
    'What a write of the API takes: path, parameters, shape of the body, an example, and its estimate if there is one. Without an operation it lists all writes.';
  const inputSchema = object({ operation: nameOf(writes) }, []);
  return { name: 'describe_write', title: 'Describe a write', description, inputSchema, annotations: READS };
}

function prepareTool(writes: Catalogue['writes']): Tool {
  const description =
    'The request that would make a change, checked for its shape and with its estimate where there is one, as method, path, body and curl line. Nothing is sent: somebody with a key that may write runs it.';
  const parameters = { type: 'object', description: 'What stands in the path and the query.' };
  const body = { type: 'object', description: 'The body, as describe_write shows it.' };
  const inputSchema = object({ operation: nameOf(writes), parameters, body }, ['operation']);
  return { name: 'prepare_write', title: 'Prepare a write', description, inputSchema, annotations: READS };
}

const object = (properties: NonNullable<InputSchema['properties']>, required: string[]): InputSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Carries out one call of a tool. Throws a `ToolRefusal`. */
export async function callTool(api: Api, tool: string, given: Json): Promise<string[]> {
  const catalogue = await api.catalogue();
  const call = catalogue.reads.get(tool);
  const found = toolsOf(catalogue).find((one) => one.name === tool);
  if (found === undefined) throw new ToolRefusal(`There is no tool called ${tool}.`);
  checked(`arguments of ${tool}`, found.inputSchema, given);
  if (call !== undefined) return read(api, call, given);
  return tool === 'describe_write' ? describeWrite(catalogue, given) : prepareWrite(api, catalogue, given);
}
