import type { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that are missing or wrong; the message lists each one with what to do about it. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not complete:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads the variables of a schema. An empty variable counts as absent, since compose files often set empty ones. */
export function readVariables<Schema extends z.ZodObject>(schema: Schema, env: Environment): z.output<Schema> {
  const given = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}
