import { sumOf, type Used } from './system.ts';
import type { Result, Turn } from './turn.ts';

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
};
const digits = (value: number): string => value.toFixed(Math.abs(value) < 1 ? 3 : Math.abs(value) < 100 ? 1 : 0);
const spread = (values: readonly number[]): string => `${digits(Math.min(...values))}–${digits(Math.max(...values))}`;
const change = (before: number, after: number): string =>
  `${after >= before ? '+' : '−'}${Math.abs(Math.round((after / before - 1) * 100))} %`;

/** Medians of all turns, the processor time with its least and most. */
export function print(turns: readonly Turn[]): void {
  const of = (name: string): Turn[] => turns.filter(({ checkout }) => checkout === name);
  const [before, after] = [of('before'), of('after')];
  console.log(
    '\n| case | processor ms a request, before | after | change | per second, before | after | p50 ms, before | after | refused |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const { name } of turns[0]?.results ?? []) {
    const [old, now] = [resultsOf(before, name), resultsOf(after, name)];
    const costs = [old, now].map((results) => results.map(({ cost }) => sumOf(cost)));
    const [from = [], to = []] = costs;
    const cells = costs.map((some) => `${digits(median(some))} (${spread(some)})`);
    const both = (figure: (result: Result) => number) => [old, now].map((results) => digits(median(results.map(figure))));
    const refused = [...old, ...now].reduce((sum, { failures }) => sum + failures, 0);
    const figures = [...both(({ perSecond }) => perSecond), ...both(({ p50 }) => p50)];
    console.log(`| ${[name, ...cells, change(median(from), median(to)), ...figures, refused].join(' | ')} |`);
  }
  console.log('\n| case | | api | worker | postgres | temporal |\n| --- | --- | --- | --- | --- | --- |');
  for (const { name } of turns[0]?.results ?? []) {
    for (const [when, some] of [
      ['before', before],
      ['after', after],
    ] as const)
      console.log(`| ${name} | ${when} | ${partsOf(resultsOf(some, name).map(({ cost }) => cost))} |`);
  }
  console.log(`| idle, per mille of a core | before | ${partsOf(before.map(({ idle }) => thousandth(idle)))} |`);
  console.log(`| idle, per mille of a core | after | ${partsOf(after.map(({ idle }) => thousandth(idle)))} |`);
}

const resultsOf = (turns: readonly Turn[], name: string): Result[] =>
  turns.flatMap(({ results }) => results.filter((result) => result.name === name));

function partsOf(all: readonly Used[]): string {
  return (['api', 'worker', 'postgres', 'temporal'] as const).map((part) => digits(median(all.map((used) => used[part])))).join(' | ');
}

const thousandth = (used: Used): Used => Object.fromEntries(Object.entries(used).map(([part, value]) => [part, value * 1000])) as Used;
