import type { JsonSchemaType } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { ToolRefusal } from './answer.ts';
import type { InputSchema } from './schema.ts';

const validator = new AjvJsonSchemaValidator();

/** Throws a `ToolRefusal` that says what does not fit the schema. */
export function checked(what: string, schema: InputSchema, given: unknown): void {
  const { valid, errorMessage } = validator.getValidator(schema as JsonSchemaType)(given);
  if (!valid) throw new ToolRefusal(`The ${what} do not fit: ${errorMessage}`);
}
