import { setTimeout as pause } from 'node:timers/promises';
import type { Perennial, TestClock } from '../client/src/index.ts';
import { type Log, withProgress } from '../local-stack/log.ts';
import { allOf, answer, vendorApi } from './connection/api.ts';
import { untilAnswered } from './connection/until-answered.ts';
import { CommandError, type RunCommand } from './run.ts';
import { tableLines } from './table.ts';
import { untilStopped } from './until-stopped.ts';

export const runClockCreate: RunCommand = async ({ args: [now = ''], options, say, printResult }) => {
  const { api } = vendorApi();
  const id = await answer(api.createTestClock({ now, name: (options.name as string | undefined) ?? null }));
  say(id);
  printResult({ id });
  return 0;
};

/** All test clocks of the vendor, the oldest first. */
export const runClockList: RunCommand = async ({ say, printResult }) => {
  const { api } = vendorApi();
  const clocks = await answer(allOf(api.listTestClocks({ limit: 100 })));
  const due = ({ next_due, reason }: TestClock): string => reason ?? (next_due === null ? 'nothing is due later' : `next due: ${next_due}`);
  for (const line of tableLines(clocks.map((clock) => [clock.id, clock.now, clock.status, clock.name ?? '', due(clock)]))) say(line);
  if (clocks.length === 0) say('There is no test clock yet: clock create makes one.');
  printResult({ clocks });
  return 0;
};

/** Starts the advance of a clock and waits until all that was due on the way has happened. */
export const runClockAdvance: RunCommand = async ({ args: [id = '', to = ''], say, printResult, progress }) => {
  const { api } = vendorApi();
  const before = await answer(api.getTestClock(id));
  let clock = await answer(api.advanceTestClock(id, { now: to }));
  const arrived = await untilStopped(({ stopped }) => {
    const see = (seen: TestClock): void => {
      clock = seen;
    };
    const text = (): string => onItsWay({ from: before.now, to, clock }, progress);
    return withProgress(progress, text, arrival(api, id, { stopped, progress, see }));
  });
  if (arrived === null) throw new CommandError(`Stopped waiting at ${clock.now}: the clock advances on by itself.`);
  if (arrived.status === 'failed') throw new CommandError(`the clock stopped at ${arrived.now}: ${arrived.reason}`);
  if (Date.parse(arrived.now) < Date.parse(to)) throw new CommandError(`the clock was stopped at ${arrived.now} by a call of stop`);
  say(`${id} is at ${arrived.now}; ${arrived.next_due === null ? 'nothing is due later' : `next due: ${arrived.next_due}`}`);
  printResult(arrived);
  return 0;
};

interface Waiting {
  stopped: AbortSignal;
  progress: Log;
  see(clock: TestClock): void;
}

const FIRST_LOOK = 50;
const LOOKS_EVERY = 500;

/** The clock as soon as it no longer advances. */
async function arrival(api: Perennial, id: string, { stopped, progress, see }: Waiting): Promise<TestClock> {
  const read = () => answer(api.getTestClock(id, { signal: stopped, maxRetries: 0 }));
  for (let wait = FIRST_LOOK; ; wait = Math.min(2 * wait, LOOKS_EVERY)) {
    const clock = await untilAnswered(read, { stopped, progress });
    see(clock);
    if (clock.status !== 'advancing') return clock;
    await pause(wait, undefined, { signal: stopped });
  }
}

const BAR_WIDTH = 24;

interface Way {
  from: string;
  to: string;
  clock: TestClock;
}

/** A bar where the line can be rewritten in place; else how far it is, in words. */
function onItsWay({ from, to, clock }: Way, progress: Log): string {
  const [begin, now, end] = [from, clock.now, to].map((text) => Date.parse(text)) as [number, number, number];
  const share = end <= begin ? 1 : Math.min(1, Math.max(0, (now - begin) / (end - begin)));
  const text = `Advancing to ${to.slice(0, 10)}: ${clock.now.slice(0, 10)}, ${Math.floor(100 * share)} %`;
  if (progress.renew === undefined) return text;
  const filled = Math.floor(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${text}`;
}
