import { CommanderError } from 'commander';
import { ConfigError } from '../config/parse.ts';
import { commandLine, MISUSED } from './program.ts';
import { CommandError } from './run.ts';

/** Returns the exit code: 2 for a wrong call, which changes nothing; 1 for a command that failed or found a problem. */
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
    process.stderr.write(`${errorText(error)}\n`);
    return 1;
  }
}

/** An expected error is printed in one line; an unexpected one with its stack, so that it can be reported. */
function errorText(error: unknown): string {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A reader may stop early (`| head`): then the command still does its work and returns its exit code. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
process.exitCode = await main(process.argv.slice(2));
