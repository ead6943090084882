import type { Environment } from './parse.ts';

/**
 * The value of an option that npm took for itself: without `--` in `npm run cli key create … --scope read` npm reads
 * `--scope` as its own option and sets a variable. Null when npm took no such option, or when it is off.
 *
 * @param option its name without dashes in front, like `dry-run`
 */
export function npmOption(option: string, env: Environment = process.env): string | null {
  return env[`npm_config_${option.replaceAll('-', '_')}`] || null;
}
