import type { Case, Stage } from '../compare/cases.ts';
import type { System } from '../compare/system.ts';

/** A system with its way to do the same work. */
export interface Peer extends System {
  cases: readonly Case[];
  /** what the cases work on */
  stage(): Promise<Stage>;
  /** Bills so many contracts twice, the second time right behind the first. */
  billRun(size: number, callers: number): Promise<BillRun>;
}

export interface BillRun {
  /** signing them in one burst */
  burst: { perSecond: number; p50: number; p99: number; doneSeconds: number; size: number };
  /** seconds until the last invoice, of each run */
  runs: readonly { seconds: number; invoices: number; cost: number }[];
}

/** The seconds and processor seconds that some work takes until the last of its invoices is there. */
export async function timed(system: System, work: () => Promise<number>): Promise<BillRun['runs'][number]> {
  const [before, began] = [await total(system), performance.now()];
  const invoices = await work();
  return { seconds: (performance.now() - began) / 1000, invoices, cost: (await total(system)) - before };
}

async function total(system: System): Promise<number> {
  return Object.values(await system.used()).reduce((sum, part) => sum + part, 0);
}
