import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PartName } from '../../embedded/part.ts';
import { type Servers, startTestStack } from './servers.ts';
import { newVendor, type TestVendor } from './vendor.ts';

export type OwnStack = {
  servers: Servers;
  newVendor(name?: string): Promise<TestVendor>;
  /** No goodbye: the process is gone at once. */
  kill9(part: PartName): Promise<void>;
  /** Starts a killed or stopped part again on the same data; resolves when it answers. */
  restart(part: PartName): Promise<void>;
  isRunning(part: PartName): boolean;
  stop(): Promise<void>;
};

/** Servers of the test's own, for stories in which they die. Stop them in `afterAll`. */
export async function ownStack(): Promise<OwnStack> {
  const home = await mkdtemp(join(tmpdir(), 'perennial-own-'));
  const { servers, stack, stop } = await startTestStack(home, () => {});
  const part = (name: PartName) => {
    const found = stack.parts[name];
    if (!found) throw new Error(`there is no ${name} in this stack`);
    return found;
  };
  return {
    servers,
    newVendor: (name) => newVendor(name, servers),
    kill9: (name) => part(name).kill(),
    restart: (name) => part(name).start(),
    isRunning: (name) => part(name).isRunning(),
    stop: async () => {
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
