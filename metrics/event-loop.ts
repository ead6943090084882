import { Counter, type Registry } from 'prom-client';

/** The event loop did nothing for some time: nobody was answered. Milliseconds. */
export interface Standstill {
  ms: number;
  /** the thread's own processor time: about `ms` where code ran, little where the process was stopped or had no turn */
  busy_ms: number;
}

/** A look at the loop: when, and how long its thread had run by then. */
interface Look {
  at: number;
  busy: number;
}

/** What the log says of one. */
export const STOOD_STILL = 'the event loop stood still';

const LOOK_EVERY_MS = 250;
/** A shorter standstill is left to the delay of the event loop that every scrape shows. */
const LONG_MS = 1_000;
const MICROSECONDS = 1_000;

/**
 * Looks again and again how late the look itself is, and tells of each standstill of a second or more once the loop
 * goes on. It costs four short looks a second and keeps no process alive.
 *
 * @returns ends it
 */
export function watchEventLoop(registry: Registry, onStandstill: (standstill: Standstill) => void): () => void {
  const seconds = new Counter({
    name: 'perennial_event_loop_standstill_seconds_total',
    help: 'Time in which the event loop of this process stood still for a second or more',
    registers: [registry],
  });
  let last = look();
  const timer = setInterval(() => {
    const now = look();
    const standstill = standstillBetween(last, now);
    last = now;
    if (standstill === null) return;
    seconds.inc(standstill.ms / 1_000);
    onStandstill(standstill);
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** How long the loop stood still before a look; null when it was no second. */
export function standstillBetween(last: Look, now: Look): Standstill | null {
  const ms = Math.round(now.at - last.at - LOOK_EVERY_MS);
  return ms < LONG_MS ? null : { ms, busy_ms: Math.round(now.busy - last.busy) };
}

function look(): Look {
  const { user, system } = process.threadCpuUsage();
  return { at: performance.now(), busy: (user + system) / MICROSECONDS };
}
