import type { Case, Stage } from '../compare/cases.ts';
import type { System } from '../compare/system.ts';
import type { Herd } from './bill-run.ts';

/** A system with its way to do the same work. */
export interface Peer extends System {
  cases: readonly Case[];
  /** what the cases work on */
  stage(): Promise<Stage>;
  herd(size: number, callers: number): Herd;
}
