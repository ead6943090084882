import type { JsonSchemaType } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { ToolRefusal } from './answer.ts';
import type { InputSchema } from './schema.ts';

const validator = new AjvJsonSchemaValidator();

/** Throws a `ToolRefusal` that says what does not fit the schema. */
export function checked(what: string, schema: InputSchema, given: unknown): void {
  const { valid, errorMessage } = validator.getValidator(schema as JsonSchemaType)(given);
  if (!valid) throw new ToolRefusal(`The ${what} do not fit: ${withValues(errorMessage, schema)}`);
}

/** Says which values a parameter may have, where the validator only says that there is a list of them. */
const withValues = (message: string, { properties = {} }: InputSchema): string =>
  message.replace(/data\/(\w+) must be equal to one of the allowed values/g, (text, name: string) => {
    const values = (properties[name] as { enum?: unknown[] } | undefined)?.enum;
    return values === undefined ? text : `data/${name} must be one of ${values.join(', ')}`;
  });
