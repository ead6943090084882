import type { Environment } from './parse.ts';

/**
 * What stands before `--` in `npm run cli key create … --scope read` never reaches the program: npm takes it for an
 * option of its own and passes it on as a variable. Null where npm took no such option, or has it switched off.
 *
 * @param option its name without dashes in front, like `dry-run`
 */
export function npmOption(option: string, env: Environment = process.env): string | null {
  return env[`npm_config_${option.replaceAll('-', '_')}`] || null;
}
