import type { Command, Option } from 'commander';
import { npmOption } from '../config/npm.ts';

/**
 * Refuses a call whose option npm took for itself: without it the command would do something else than asked,
 * for example create a key of full scope in spite of `--scope read`.
 *
 * @throws CommanderError with the right call
 */
export function refuseWhatNpmTook(command: Command, path: string): void {
  for (const option of command.options) {
    if (command.getOptionValueSource(option.attributeName()) === 'cli' || !isOurOption(option)) continue;
    const words = [path, ...command.args, `--${option.name()}`].join(' ');
    command.error(`error: npm kept --${option.name()} for itself; put -- before the options, like npm run cli -- ${words}`);
  }
}

/** npm has settings with the same names in its own files: `json`, and `scope` for packages. */
function isOurOption(option: Option): boolean {
  const value = npmOption(option.name());
  if (value === null || option.name() === 'json') return false;
  return option.argChoices?.includes(value) ?? true;
}
