import { CommanderError } from 'commander';
import { ConfigError } from '../config/parse.ts';
import { commandLine, MISUSED } from './program.ts';
import { CommandError } from './run.ts';

/** An unknown word or flag ends with 2 and changes nothing; a command that found or met something bad ends with 1. */
async function main(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = commandLine((ended) => {
    code = ended;
  });
  if (args.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    process.stderr.write(`${wordsOf(error)}\n`);
    return 1;
  }
}

/** What was foreseen is said in a line; of anything else the stack is wanted too. */
function wordsOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Whoever reads may stop at any line (`| head`): the work goes on to its end, and its exit code tells how it went. */
function endures(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

process.stdout.on('error', endures);
process.stderr.on('error', endures);
process.exitCode = await main(process.argv.slice(2));
