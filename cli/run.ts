import type { Log } from '../local-stack/log.ts';

/** What a command was called with, and where its words go. */
export interface CommandCall {
  args: readonly string[];
  options: Readonly<Record<string, unknown>>;
  /** A line for people; nothing is written under `--json`. */
  say(line?: string): void;
  /** What came of it, for programs: written under `--json` alone, once. */
  printResult(value: object): void;
  /** How far long work is: on the error stream, so that what is piped on stays clean. */
  progress: Log;
}

/** Does the work of a command and gives its exit code: 0 when all is well, 1 when something isn't. A thrown Error is printed by its message. */
export type RunCommand = (call: CommandCall) => Promise<number>;

/** A "no" that is said by its message alone: a server that doesn't answer, a vendor that doesn't exist. */
export class CommandError extends Error {}
