import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks a second on Linux; the same wherever Node runs there. */
const TICKS = 100;
const PARENT = 1;
const USER = 11;
const SYSTEM = 12;
/** Of children that have ended and were waited for. */
const REAPED_USER = 13;
const REAPED_SYSTEM = 14;

interface Process {
  parent: number;
  ticks: number;
}

/**
 * Processor seconds that each of some processes and its children have used, also those that have ended. Unlike rates
 * they hardly depend on what else the machine is doing. Null where there is no /proc.
 */
export async function cpuSecondsOf(roots: readonly number[]): Promise<(number | null)[]> {
  const processes = await readProcesses();
  const ticksOf = (root: number): number => familyIn(processes, root).reduce((sum, pid) => sum + (processes.get(pid)?.ticks ?? 0), 0);
  return roots.map((root) => (processes.has(root) ? ticksOf(root) / TICKS : null));
}

export async function cpuSeconds(root: number): Promise<number | null> {
  const [seconds = null] = await cpuSecondsOf([root]);
  return seconds;
}

/** A process and all that descend from it, parents first. */
export async function familyOf(root: number): Promise<number[]> {
  return familyIn(await readProcesses(), root);
}

function familyIn(processes: ReadonlyMap<number, Process>, root: number): number[] {
  const family = [root];
  for (const member of family) for (const [pid, { parent }] of processes) if (parent === member) family.push(pid);
  return family;
}

async function readProcesses(): Promise<Map<number, Process>> {
  const processes = new Map<number, Process>();
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null); // it may have ended meanwhile
    if (stat === null) continue;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = [USER, SYSTEM, REAPED_USER, REAPED_SYSTEM].reduce((sum, at) => sum + Number(fields[at]), 0);
    processes.set(Number(name), { parent: Number(fields[PARENT]), ticks });
  }
  return processes;
}
