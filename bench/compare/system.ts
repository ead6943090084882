import { setTimeout as pause } from 'node:timers/promises';
import { signalProcess } from '../../local-stack/process-identity.ts';
import { cpuSecondsOf, familyOf } from '../api/cpu.ts';

export const PARTS = ['api', 'worker', 'postgres', 'temporal'] as const;
type Part = (typeof PARTS)[number];
const IDLE_MS = 3_000;
const IDLE_LOOKS = 3;
const LOOK_MS = 500;
/** Wake-ups behind a test clock begin a second after its last batch: at rest is what is quiet for longer than that. */
const QUIET_LOOKS = 3;
const LONGEST_REST_MS = 120_000;
/** Quiet is what uses little more than it does idle, in processors. */
const NOISE = 0.1;
const SHARE = 1.25;

/** Processor seconds by part. */
export type Used = Record<Part, number>;

/** What is measured: some programs that stand still while another system is. */
export interface System {
  name: string;
  port: number;
  /** of every request */
  headers: Record<string, string>;
  used(): Promise<Used>;
  /** Processors that its parts use when nobody sends a request; measured again by each call. */
  idle(): Promise<Used>;
  /**
   * Resolves when what was asked for has been done to its end: workflows too are at rest. Gives the seconds of waiting
   * before it was.
   */
  rest(): Promise<number>;
  halt(): Promise<void>;
  proceed(): Promise<void>;
  stop(): Promise<void>;
}

/** Meters and switches of programs known by the first process of each, by part. */
export function programsOf(pids: Partial<Record<Part, number>>): Omit<System, 'name' | 'port' | 'headers' | 'stop'> {
  const used = async (): Promise<Used> => {
    const seconds = await cpuSecondsOf(PARTS.map((part) => pids[part] ?? 0));
    return Object.fromEntries(PARTS.map((part, at) => [part, pids[part] === undefined ? 0 : (seconds[at] ?? Number.NaN)])) as Used;
  };
  const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
    for (const pid of Object.values(pids)) for (const one of await familyOf(pid)) signalProcess(one, signal);
  };
  return { used, ...metersOf(used), halt: () => signalAll('SIGSTOP'), proceed: () => signalAll('SIGCONT') };
}

export const sumOf = (used: Used): number => Object.values(used).reduce((sum, part) => sum + part, 0);

export function spentBetween(before: Used, after: Used): Used {
  return Object.fromEntries(PARTS.map((part) => [part, after[part] - before[part]])) as Used;
}

function metersOf(used: () => Promise<Used>): Pick<System, 'idle' | 'rest'> {
  let quiet = Number.POSITIVE_INFINITY;
  const over = async (ms: number): Promise<Used> => {
    const [before, began] = [await used(), performance.now()];
    await pause(ms);
    const seconds = (performance.now() - began) / 1000;
    const spent = spentBetween(before, await used());
    return Object.fromEntries(PARTS.map((part) => [part, spent[part] / seconds])) as Used;
  };
  return {
    idle: async () => {
      const looks: Used[] = [];
      // what was asked for before may still go on in the first
      while (looks.length < IDLE_LOOKS) looks.push(await over(IDLE_MS));
      const least = looks.reduce((found, look) => (sumOf(look) < sumOf(found) ? look : found));
      quiet = sumOf(least) * SHARE + NOISE;
      return least;
    },
    rest: async () => {
      const began = performance.now();
      let [rested, quietLooks] = [began, 0];
      while (quietLooks < QUIET_LOOKS && rested < began + LONGEST_REST_MS) {
        const isQuiet = sumOf(await over(LOOK_MS)) <= quiet;
        quietLooks = isQuiet ? quietLooks + 1 : 0;
        if (!isQuiet) rested = performance.now();
      }
      return (rested - began) / 1000;
    },
  };
}
