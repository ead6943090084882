import type { Log } from '../local-stack/log.ts';

/** The arguments of a command, and where its output goes. */
export interface CommandCall {
  args: readonly string[];
  options: Readonly<Record<string, unknown>>;
  /** Prints a line for people; prints nothing under `--json`. */
  say(line?: string): void;
  /** Prints the result for programs, once; prints nothing without `--json`. */
  printResult(value: object): void;
  /** The progress of long work, on the error stream, since the output may be read by a program. */
  progress: Log;
}

/** Does the work of a command and returns its exit code: 0 for success, 1 for a problem. */
export type RunCommand = (call: CommandCall) => Promise<number>;

/** An expected failure, printed by its message alone: a server that doesn't answer, a vendor that doesn't exist. */
export class CommandError extends Error {}
