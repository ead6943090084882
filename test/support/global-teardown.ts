import { rm } from 'node:fs/promises';

export default async function globalTeardown(): Promise<void> {
  const started = globalThis.perennialTestStack;
  if (!started) return;
  await started.stop();
  await rm(started.servers.home, { recursive: true, force: true });
}
