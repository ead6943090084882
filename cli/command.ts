/** A command prints what it has to say and gives its exit code; a thrown Error is printed by its message. */
export type Command = {
  usage: string;
  does: string;
  run(args: readonly string[]): Promise<number>;
};

/** A mistake in how a command was called: its usage is printed with it. */
export class UsageError extends Error {}

/** A server that does not answer: printed by its message alone. */
export class UnreachableError extends Error {}

export const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};
