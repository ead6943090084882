import type { Command } from 'commander';
import { logTo } from '../local-stack/log.ts';
import { refuseWhatNpmTook } from './npm-options.ts';
import type { RunCommand } from './run.ts';

export type Adder = (parent: Command, name: string, does: string, load: () => Promise<RunCommand>) => Command;

/** Adds a command whose code is loaded when it is called; `ended` receives its exit code. */
export const adder =
  (ended: (code: number) => void): Adder =>
  (parent, name, does, load) => {
    const command = parent.command(name).description(does);
    return command.action(async () => {
      refuseWhatNpmTook(command, parent.parent === null ? name : `${parent.name()} ${name}`);
      const options = command.opts();
      const quiet = options.json === true;
      const run = await load();
      ended(
        await run({
          args: command.processedArgs,
          options,
          say: (line = '') => void (quiet || process.stdout.write(`${line}\n`)),
          printResult: (value) => void (quiet && process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)),
          progress: logTo(process.stderr),
        }),
      );
    });
  };

export const withJson = (command: Command): Command => command.option('--json', 'print the answer as one JSON object, and nothing else');
