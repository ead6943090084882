import type { Command, Option } from 'commander';
import { npmOption } from '../config/npm.ts';

/**
 * Refuses a call whose option npm kept for itself: the command would do more than was asked for, like make a key that
 * may do everything where `--scope read` stood.
 *
 * @throws CommanderError that says how to call
 */
export function refuseWhatNpmTook(command: Command, path: string): void {
  for (const option of command.options) {
    if (command.getOptionValueSource(option.attributeName()) === 'cli' || !wasMeantForUs(option)) continue;
    const words = [path, ...command.args, `--${option.name()}`].join(' ');
    command.error(`error: npm kept --${option.name()} for itself; put -- before the options, like npm run cli -- ${words}`);
  }
}

/** npm has settings of the same name, which may stand in its own files: `json`, and `scope` for packages. */
function wasMeantForUs(option: Option): boolean {
  const kept = npmOption(option.name());
  if (kept === null || option.name() === 'json') return false;
  return option.argChoices?.includes(kept) ?? true;
}
