import type { Run } from './run.ts';

export const start: Run = async () => {
  await import('../local-stack/start.ts');
  // The process ends when it is told to stop.
  return new Promise<number>(() => {});
};
