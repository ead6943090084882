import { type Request, sendEach } from '../api/load.ts';
import { type System, spentBetween, sumOf, type Used } from '../compare/system.ts';

/** Contracts that are signed in one burst and then billed month by month. */
export interface Herd {
  /** makes the customers; gives the request that signs the contract of each */
  signings(): Promise<Request[]>;
  /**
   * Sends the clock to the n-th month. Resolves with the number of its invoices when the last is there, and with the
   * seconds it waited in vain for more.
   */
  bill(month: number): Promise<{ invoices: number; inVain: number }>;
}

/** Some work and the seconds and processor seconds that it took, without what the system uses when it idles. */
interface Spent {
  seconds: number;
  cost: number;
}

export interface BillRun {
  size: number;
  burst: { perSecond: number; p50: number; p99: number; done: Spent };
  /** of the first run, of the second, and of both with all that they led to */
  runs: readonly (Spent & { name: string; invoices: number })[];
}

export interface BillRunOptions {
  size: number;
  callers: number;
  idle: Used;
}

/** Three months: the first warms up, the second has calm before it, the third follows it at once. */
export async function playBillRun(system: System, herd: Herd, { size, callers, idle }: BillRunOptions): Promise<BillRun> {
  const signings = await herd.signings();
  await system.rest();
  const burst = await playBurst(system, signings, { callers, idle });
  await herd.bill(1);
  await system.rest();
  const whole = await startMeter(system, idle);
  const months = [];
  for (const [month, name] of [
    [2, 'calm before'],
    [3, 'right behind it'],
  ] as const) {
    const read = await startMeter(system, idle);
    const { invoices, inVain } = await herd.bill(month);
    if (invoices !== size) console.error(`${system.name}: ${invoices} invoices of ${size} contracts`);
    const { seconds, cost } = await read();
    months.push({ name, invoices, cost, seconds: seconds - inVain });
  }
  const waited = await system.rest();
  const all = await whole();
  const invoices = months.reduce((sum, month) => sum + month.invoices, 0);
  return {
    size,
    burst,
    runs: [...months, { name: 'both, until all is done', invoices, cost: all.cost, seconds: secondsOf(months) + waited }],
  };
}

async function playBurst(
  system: System,
  signings: readonly Request[],
  { callers, idle }: Omit<BillRunOptions, 'size'>,
): Promise<BillRun['burst']> {
  const [read, began] = [await startMeter(system, idle), performance.now()];
  const { perSecond, p50, p99, answers } = await sendEach(system.port, callers, signings);
  const refused = answers.find(({ status }) => status >= 300);
  if (refused !== undefined) throw new Error(`${system.name} answered a signing ${refused.status}: ${refused.body}`);
  const answered = (performance.now() - began) / 1000;
  const seconds = answered + (await system.rest());
  return { perSecond, p50, p99, done: { ...(await read()), seconds } };
}

const secondsOf = (spent: readonly Spent[]): number => spent.reduce((sum, { seconds }) => sum + seconds, 0);

/** Starts to count; what it returns reads the count. */
async function startMeter(system: System, idle: Used): Promise<() => Promise<Spent>> {
  const [before, began] = [await system.used(), performance.now()];
  return async () => {
    const seconds = (performance.now() - began) / 1000;
    return { seconds, cost: sumOf(spentBetween(before, await system.used())) - sumOf(idle) * seconds };
  };
}
