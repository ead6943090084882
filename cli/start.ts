import { type Command, UsageError } from './command.ts';

export const startCommand: Command = {
  usage: 'start',
  does: 'runs Postgres, Temporal, worker and API on this machine, as npm start does',
  run: async (args) => {
    if (args.length > 0) throw new UsageError('start takes no arguments; PORT and PERENNIAL_HOME choose where');
    await import('../embedded/start.ts');
    // The process ends when it is told to stop.
    return new Promise<number>(() => {});
  },
};
