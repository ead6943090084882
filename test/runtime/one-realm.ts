import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { keepProcess } from './keep-process.ts';

type ProjectConfig = ConstructorParameters<typeof ModernFakeTimers>[0]['config'];

/**
 * Tests run in the realm of the worker process itself, with the globals and the modules of Node: what a package gives
 * them is an instance of the same classes as in production. A file gets the process as the one before it got it.
 */
export class OneRealm {
  readonly global = globalThis;
  readonly fakeTimers = null;
  readonly moduleMocker = new ModuleMocker(globalThis);
  fakeTimersModern: ModernFakeTimers | null;
  readonly #giveBack = keepProcess();

  constructor({ projectConfig }: { projectConfig: ProjectConfig }) {
    Object.assign(globalThis, projectConfig.globals);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern?.dispose();
    this.fakeTimersModern = null;
    this.#giveBack();
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  /** There is no other realm. */
  getVmContext(): null {
    return null;
  }
}
