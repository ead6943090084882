import type { Figure } from './measure.ts';

const digits = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

/**
 * A row for each case: p50 / p99 and processor milliseconds at every size, and how much dearer the largest is than the
 * smallest.
 */
export function tableOf(figures: readonly Figure[]): string {
  const sizes = [...new Set(figures.map(({ contracts }) => contracts))];
  const headings = sizes.map((size) => headingOf(figures.find(({ contracts }) => contracts === size)));
  const lines = [
    `| case | ${headings.join(' | ')} | p50, last ÷ first | processor, last ÷ first |`,
    `| --- |${' --- |'.repeat(sizes.length + 2)}`,
  ];
  for (const name of new Set(figures.map((figure) => figure.name))) lines.push(rowOf(figures.filter((figure) => figure.name === name)));
  return lines.join('\n');
}

const headingOf = (figure: Figure | undefined): string =>
  figure === undefined ? '' : `${figure.contracts.toLocaleString('en')} contracts, ${figure.events.toLocaleString('en')} open events`;

function rowOf(some: readonly Figure[]): string {
  const [first, last] = [some[0], some.at(-1)];
  const cells = some.map(
    ({ p50, p99, cost, failures }) => `${digits(p50)} / ${digits(p99)} (${digits(cost)})${failures > 0 ? `, ${failures} failed` : ''}`,
  );
  const times = (figure: (of: Figure) => number): string => (first && last ? (figure(last) / figure(first)).toFixed(2) : '');
  return `| ${[first?.name, ...cells, times(({ p50 }) => p50), times(({ cost }) => cost)].join(' | ')} |`;
}
