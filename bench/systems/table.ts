import { median } from '../compare/report.ts';
import { sumOf } from '../compare/system.ts';
import type { Turn } from '../compare/turn.ts';
import type { BillRun } from './bill-run.ts';
import type { Empty } from './empty.ts';

export interface Outcome {
  names: readonly string[];
  turns: readonly Turn[];
  billRuns: ReadonlyMap<string, BillRun>;
  empty: Empty;
}

interface Row {
  name: string;
  /** processor milliseconds a request; not a number where a system's processes are not known */
  cost: number;
  perSecond: number;
  p50: number | null;
  p99: number | null;
}

const READS = new Set(['contract read', 'entitlement']);
/** Whose response is not the end of the work. */
const LEADS_ON = new Set(['sign', 'upgrade']);
const OTHER = 'Kill Bill';
const digits = (value: number | null): string =>
  value === null || Number.isNaN(value) ? '' : value.toFixed(Math.abs(value) < 1 ? 2 : Math.abs(value) < 100 ? 1 : 0);

/** A row for each kind of work and each system; the last columns compare ours with Kill Bill where it ran. */
export function print({ names, turns, billRuns, empty }: Outcome): void {
  console.log(`an empty handler: ${digits(empty.GET)} ms of a processor a GET, ${digits(empty.POST)} a POST\n`);
  console.log(
    '| work | system | processor ms | × empty handler | per second | p50 ms | p99 ms | Kill Bill ÷ ours, processor | ours ÷ Kill Bill, per second |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  const rows = new Map(
    names.map((name) => [
      name,
      rowsOf(
        turns.filter(({ checkout }) => checkout === name),
        billRuns.get(name),
      ),
    ]),
  );
  for (const { name: work } of rows.get(names[0] ?? '') ?? []) {
    const other = rows.get(OTHER)?.find(({ name }) => name === work);
    for (const name of names) {
      const row = rows.get(name)?.find((one) => one.name === work);
      if (row !== undefined) console.log(line(name, row, name === OTHER ? undefined : other, empty));
    }
  }
}

function line(system: string, row: Row, other: Row | undefined, empty: Empty): string {
  const times = row.cost / (READS.has(row.name) ? empty.GET : empty.POST);
  const compared = other === undefined ? ['', ''] : [digits(other.cost / row.cost), digits(row.perSecond / other.perSecond)];
  return `| ${[row.name, system, digits(row.cost), digits(times), digits(row.perSecond), digits(row.p50), digits(row.p99), ...compared].join(' | ')} |`;
}

function rowsOf(turns: readonly Turn[], billRun: BillRun | undefined): Row[] {
  const rows = (turns[0]?.results ?? []).flatMap(({ name }) => {
    const results = turns.flatMap((turn) => turn.results.filter((result) => result.name === name));
    const of = (figure: (result: (typeof results)[number]) => number): number => median(results.map(figure));
    const cost = of((result) => sumOf(result.cost));
    const row = { name, cost, perSecond: of(({ perSecond }) => perSecond), p50: of(({ p50 }) => p50), p99: of(({ p99 }) => p99) };
    const done = {
      name: `${name}, until all is done`,
      cost,
      perSecond: of(({ requests, doneSeconds }) => requests / doneSeconds),
      p50: null,
      p99: null,
    };
    return LEADS_ON.has(name) ? [row, done] : [row];
  });
  return billRun === undefined ? rows : [...rows, ...rowsOfBillRun(billRun)];
}

function rowsOfBillRun({ size, burst, runs }: BillRun): Row[] {
  const { perSecond, p50, p99, done } = burst;
  const name = `burst of ${size} signings`;
  const cost = (done.cost * 1000) / size;
  return [
    { name, cost, perSecond, p50, p99 },
    { name: `${name}, until all is done`, cost, perSecond: size / done.seconds, p50: null, p99: null },
    ...runs.map((run) => ({
      ...{ name: `bill run of ${size}, ${run.name}`, cost: (run.cost * 1000) / run.invoices },
      ...{ perSecond: run.invoices / run.seconds, p50: null, p99: null },
    })),
  ];
}
