import type { PartName } from '../../local-stack/part.ts';
import type { TestVendor } from '../support/vendor.ts';
import type { Kit } from '../workflows/kit.ts';

/** What a path is played on. */
export interface Stage {
  kit: Kit;
  newVendor(): Promise<TestVendor>;
  /** Kills a part, and starts it again when something has been seen in its absence. */
  restart(part: PartName, meanwhile: () => Promise<void>): Promise<void>;
  /** While a worker with workflow code of this name asks a task queue. */
  withWorker<T>(taskQueue: string, bundle: string, work: () => Promise<T>): Promise<T>;
}

/** A workflow whose history is kept; an activity that must stand in it. */
export interface Recorded {
  workflowId: string;
  runId?: string;
  mustHold?: string;
  /** of an endpoint: it ends */
  hasEnded?: boolean;
}

/** Plays a story; gives workflows by the name of the file their history goes to. */
export type Path = (stage: Stage) => Promise<Record<string, string | Recorded>>;
