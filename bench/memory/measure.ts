import { readFile } from 'node:fs/promises';
import { metricsAt, samplesOf, seriesValue } from '../../test/support/metrics.ts';
import { familyOf } from '../api/cpu.ts';

export const PARTS = ['api', 'worker', 'temporal', 'postgres'] as const;
type Part = (typeof PARTS)[number];

export type Programs = Record<Part, { pid: number; metricsPort?: number }>;

/** Megabytes. */
export interface PartMemory {
  /** the proportional share: pages that several processes share count once */
  resident: number;
  /** used of Node's heap, null for other programs */
  heap: number | null;
}

export type Memory = Record<Part, PartMemory>;

const KB_PER_MB = 1024;
const BYTES_PER_MB = 1024 * 1024;

export async function memoryOf(programs: Programs): Promise<Memory> {
  const parts = await Promise.all(
    PARTS.map(async (part) => {
      const { pid, metricsPort } = programs[part];
      return [part, { resident: await residentOf(pid), heap: metricsPort === undefined ? null : await heapAt(metricsPort) }] as const;
    }),
  );
  return Object.fromEntries(parts) as Memory;
}

async function residentOf(root: number): Promise<number> {
  let all = 0;
  for (const pid of await familyOf(root)) {
    const shares = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''); // it may have ended meanwhile
    all += Number(/^Pss:\s+(\d+)/m.exec(shares)?.[1] ?? 0);
  }
  return all / KB_PER_MB;
}

async function heapAt(port: number): Promise<number> {
  return seriesValue(samplesOf(await metricsAt(port)), 'nodejs_heap_size_used_bytes') / BYTES_PER_MB;
}
