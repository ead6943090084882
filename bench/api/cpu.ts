import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks a second on Linux; the same wherever Node runs there. */
const TICKS = 100;
const PARENT = 1;
const USER = 11;
const SYSTEM = 12;

/**
 * Processor seconds a process and its children have used. Unlike rates they hardly depend on what else the machine is doing. Null where there is
 * no /proc.
 */
export async function cpuSeconds(root: number): Promise<number | null> {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null); // it may have ended meanwhile
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    if (stat !== null)
      processes.set(Number(name), { parent: Number(fields[PARENT]), ticks: Number(fields[USER]) + Number(fields[SYSTEM]) });
  }
  if (!processes.has(root)) return null;
  const belongs = (pid: number): boolean => pid === root || (processes.has(pid) && belongs(processes.get(pid)?.parent ?? 0));
  let ticks = 0;
  for (const [pid, found] of processes) if (belongs(pid)) ticks += found.ticks;
  return ticks / TICKS;
}
