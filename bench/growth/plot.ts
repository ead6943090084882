import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure } from './measure.ts';

// `node bench/growth/plot.ts FIGURES.json --to docs/growth`: one picture for each kind of case, p50 over the size,
// both axes by powers of ten

const [WIDTH, HEIGHT] = [860, 420];
const FRAME = { left: 60, top: 30, right: 330, bottom: 45 };
const COLOURS = [
  '#1b6ca8',
  '#c0392b',
  '#1e8449',
  '#7d3c98',
  '#b9770e',
  '#117864',
  '#5d6d7e',
  '#943126',
  '#2e4053',
  '#6c3483',
  '#0e6655',
  '#873600',
  '#4d5656',
];

interface Line {
  name: string;
  points: readonly { x: number; y: number }[];
}

interface Axis {
  from: number;
  to: number;
  /** the place of a value on the picture */
  at(value: number): number;
}

/** A picture of lines with its axes, as SVG text. */
function plotOf(title: string, across: string, lines: readonly Line[]): string {
  const all = lines.flatMap(({ points }) => points);
  const x = axisOf(
    all.map((point) => point.x),
    FRAME.left,
    WIDTH - FRAME.right,
  );
  const y = axisOf(
    all.map((point) => point.y),
    HEIGHT - FRAME.bottom,
    FRAME.top,
  );
  const parts = [
    `<text x="${FRAME.left}" y="18" font-weight="bold">${escaped(title)}</text>`,
    ...powersIn(x).map((value) => tick(x.at(value), HEIGHT - FRAME.bottom + 18, 'middle', value)),
    ...powersIn(y).flatMap((value) => [
      `<line x1="${FRAME.left}" x2="${WIDTH - FRAME.right}" y1="${y.at(value)}" y2="${y.at(value)}" stroke="#ddd"/>`,
      tick(FRAME.left - 8, y.at(value) + 4, 'end', value),
    ]),
    `<text x="${(FRAME.left + WIDTH - FRAME.right) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escaped(across)}</text>`,
    ...lines.flatMap((line, at) => drawn(line, at, x, y)),
  ];
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`;
  return `${open}\n<title>${escaped(title)}</title>\n<rect width="100%" height="100%" fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`;
}

function axisOf(values: readonly number[], start: number, end: number): Axis {
  const [from, to] = [10 ** Math.floor(Math.log10(Math.min(...values))), 10 ** Math.ceil(Math.log10(Math.max(...values)))];
  const share = (value: number): number => (Math.log10(value) - Math.log10(from)) / (Math.log10(to) - Math.log10(from) || 1);
  return { from, to, at: (value) => Math.round((start + (end - start) * share(value)) * 10) / 10 };
}

function powersIn({ from, to }: Axis): number[] {
  const powers: number[] = [];
  for (let value = from; value <= to * 1.0001; value *= 10) powers.push(value);
  return powers;
}

const tick = (x: number, y: number, anchor: string, value: number): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#555">${value < 1 ? String(Number(value.toPrecision(2))) : value.toLocaleString('en')}</text>`;

function drawn({ name, points }: Line, at: number, x: Axis, y: Axis): string[] {
  const colour = COLOURS[at % COLOURS.length] ?? '#000';
  const places = points.map((point) => `${x.at(point.x)},${y.at(point.y)}`);
  const legend = FRAME.top + 12 + at * 20;
  const beside = WIDTH - FRAME.right + 20;
  return [
    `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...points.map((point) => `<circle cx="${x.at(point.x)}" cy="${y.at(point.y)}" r="3" fill="${colour}"/>`),
    `<rect x="${beside}" y="${legend - 9}" width="12" height="10" fill="${colour}"/>`,
    `<text x="${beside + 18}" y="${legend}">${escaped(name)}</text>`,
  ];
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The two pictures of a run's figures, by the names of their files. */
function picturesOf(figures: readonly Figure[]): Record<string, string> {
  const lines = (plot: Figure['plot'], size: (figure: Figure) => number): Line[] => {
    const some = figures.filter((figure) => figure.plot === plot);
    return [...new Set(some.map(({ name }) => name))].map((name) => ({
      name,
      points: some.filter((figure) => figure.name === name).map((figure) => ({ x: size(figure), y: figure.p50 })),
    }));
  };
  return {
    'calls.svg': plotOf(
      'Milliseconds to the response, median',
      'open events of one feature',
      lines('calls', ({ events }) => events),
    ),
    'lists.svg': plotOf(
      'Milliseconds to a page of 50, median',
      'contracts of the vendor',
      lines('lists', ({ contracts }) => contracts),
    ),
  };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { to: { type: 'string', default: '.' } } });
  const figures = JSON.parse(await readFile(positionals[0] ?? '', 'utf8')) as Figure[];
  for (const [name, picture] of Object.entries(picturesOf(figures))) await writeFile(join(values.to, name), picture);
}
