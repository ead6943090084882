export type Json = Record<string, unknown>;

/** What of an OpenAPI document the tools are made from. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly parameters: Readonly<Record<string, Parameter>> };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Json[];
  /** some stand in the components */
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { required: boolean; content: { 'application/json': { schema: Json; example: unknown } } };
  readonly responses: Readonly<Record<string, { readonly content?: Json }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
}
