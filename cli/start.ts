import type { RunCommand } from './run.ts';

export const runStart: RunCommand = async () => {
  await import('../local-stack/start.ts');
  // The process ends when it is told to stop.
  return new Promise<number>(() => {});
};
