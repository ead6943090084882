import type { RunCommand } from './run.ts';

export const runStart: RunCommand = async () => {
  await import('../local-stack/start.ts');
  // the servers run until the process gets a signal to stop
  return new Promise<number>(() => {});
};
