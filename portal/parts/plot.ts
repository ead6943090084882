import { scaleBand, scaleLinear } from 'd3-scale';
import { stack, stackOffsetDiverging } from 'd3-shape';
import { type Html, html } from './html.ts';

/** A place of a plot: an instant or a span of time. */
export interface PlotPlace {
  /** under its bars, where there is space for it */
  short: string;
  /** hatched: its values may still grow */
  isRunning?: boolean;
}

/** One bar of a plot. */
export interface PlotBar extends PlotPlace {
  /** decimal text of what the bar measures */
  value: string;
}

interface PlotParts {
  /** unique on the page; the plot's elements are named after it */
  id: string;
  title: string;
  /** what the bars say, in a sentence, for readers who don't see them */
  description: string;
  /** a value of the axis as text of few letters: "12K" */
  axis: (value: number) => string;
}

/** A plot of bars over time, oldest first. */
export interface BarPlot extends PlotParts {
  bars: readonly PlotBar[];
}

/** Bars of one kind, with a value for each place. */
export interface PlotSeries {
  name: string;
  /** the colour, by what it means */
  tone: 'main' | 'second' | 'third' | 'less' | 'loss';
  /** decimal texts */
  values: readonly string[];
}

/** A plot of several kinds of bars over time, oldest first: beside each other, or on top of each other from zero. */
export interface SeriesPlot extends PlotParts {
  places: readonly PlotPlace[];
  series: readonly PlotSeries[];
  layout: 'beside' | 'stacked';
  /** what a bar says under the pointer */
  words: (value: string) => string;
}

/** Pixels; the width is the space that the plot is given. */
const HEIGHT = 176;
const TOP = 14;
const BOTTOM = 24;
const AREA = HEIGHT - TOP - BOTTOM;
/** Percent of the width: the labels of the axis stand on the left. */
const LEFT = 13;
const BAR_SHARE = 0.62;
/** Bars beside each other keep this part of their width apart. */
const APART = 0.12;
/** More labels than these don't fit side by side on a phone, which leaves the others out. */
const LABELS_ON_A_PHONE = 4;
const LEAST_HEIGHT = 2;
/** About so many lines of the axis; d3 chooses round values. */
const LINES = 4;

/**
 * Bars with an axis as SVG, made on the server. Widths are percent, heights are pixels: text keeps its size on a phone.
 * The values stand in a table beside it, which the page makes; here they are for the eye.
 */
export function barPlot({ bars, ...parts }: BarPlot): Html {
  const one: PlotSeries = { name: parts.title, tone: 'main', values: bars.map(({ value }) => value) };
  return drawn({ ...parts, places: bars, series: [one], layout: 'beside' });
}

/** The same for several kinds of bars, with what each colour means above them. */
export function seriesPlot(plot: SeriesPlot): Html {
  return html`<ul class="legend">${plot.series.map(({ name, tone }) => html`<li><svg class="plot-${tone}" width="12" height="12" aria-hidden="true"><rect class="plot-bar" width="12" height="12" rx="2"/></svg> ${name}</li>`)}</ul>
${drawn(plot)}`;
}

/**
 * The values at the lines of an axis: in equal round steps from the last at or below the least value up to the first at
 * or above the largest, with zero among them.
 *
 * @example axisSteps(1234) // [0, 500, 1000, 1500]
 */
export function axisSteps(largest: number, least = 0): number[] {
  const [from, to] = [Math.min(0, least), Math.max(0, largest)];
  return from === to ? [0, 1] : scaleLinear().domain([from, to]).nice(LINES).ticks(LINES);
}

type Drawn = Omit<SeriesPlot, 'words'> & Partial<Pick<SeriesPlot, 'words'>>;

function drawn({ id, title, description, places, series, layout, axis, words }: Drawn): Html {
  const pieces = layout === 'stacked' ? stackedPieces(series, places.length) : series.map(({ values }) => values.map(fromZero));
  const ends = pieces.flat(2);
  const steps = axisSteps(Math.max(0, ...ends), Math.min(0, ...ends));
  const y = scaleLinear()
    .domain([steps[0] ?? 0, steps.at(-1) ?? 1])
    .range([TOP + AREA, TOP]);
  const padding = 1 - BAR_SHARE;
  const x = scaleBand(places.keys(), [LEFT, 100])
    .paddingInner(padding)
    .paddingOuter(padding / 2);
  const columns = layout === 'beside' ? series.length : 1;
  const beside = scaleBand([...series.keys()].slice(0, columns), [0, x.bandwidth()]).paddingInner(columns === 1 ? 0 : APART);
  const bars = series.flatMap(({ name, tone, values }, kind) =>
    places.map(({ short, isRunning }, at) => {
      const [from, to] = pieces[kind]?.[at] ?? [0, 0];
      const value = values[at] ?? '0';
      const column = { x: (x(at) ?? 0) + (layout === 'beside' ? (beside(kind) ?? 0) : 0), width: beside.bandwidth() };
      const said = words === undefined ? null : html`<title>${short}, ${name}: ${words(value)}</title>`;
      const look = { tone, rx: layout === 'beside' ? 2 : 0, hatch: isRunning === true ? `${id}-hatch-${kind}` : null };
      return barOf(column, { from: y(from), to: y(to), isNegative: Number(value) < 0 }, look, said);
    }),
  );
  return html`<svg class="plot" width="100%" height="${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>
<defs>${series.map(({ tone }, kind) => hatchOf(`${id}-hatch-${kind}`, tone))}</defs>
<g aria-hidden="true">${steps.map((step) => gridLine(step, y(step), axis(step)))}
${bars}
${places.map(({ short }, at) => labelOf(short, at, places.length, (x(at) ?? 0) + x.bandwidth() / 2))}</g></svg>`;
}

/** Least and largest value of a bar. */
type Piece = readonly [number, number];

const fromZero = (text: string): Piece => [Math.min(0, Number(text)), Math.max(0, Number(text))];

/** What is above zero goes up from it, and what is below zero goes down, one kind behind the other. */
function stackedPieces(series: readonly PlotSeries[], places: number): Piece[][] {
  const rows = Array.from({ length: places }, (_, at) => series.map(({ values }) => Number(values[at] ?? '0')));
  const stacked = stack<number[], number>()
    .keys(series.keys())
    .value((row, kind) => row[kind] ?? 0)
    .offset(stackOffsetDiverging)(rows);
  return stacked.map((kind) => kind.map(([from, to]): Piece => [from, to]));
}

const text = (position: number): string => String(Number(position.toFixed(2)));

const hatchOf = (id: string, tone: PlotSeries['tone']): Html =>
  html`<pattern id="${id}" class="plot-hatch plot-${tone}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6"/><line x1="0" y1="0" x2="0" y2="6"/></pattern>`;

function gridLine(step: number, place: number, label: string): Html {
  const y = text(place);
  const kind = step === 0 ? 'plot-base' : 'plot-line';
  return html`<line class="${kind}" x1="${LEFT}%" x2="100%" y1="${y}" y2="${y}"/><text class="plot-axis" x="${LEFT - 2}%" y="${y}" dy="4" text-anchor="end">${label}</text>`;
}

interface BarLook {
  tone: PlotSeries['tone'];
  rx: number;
  /** id of its pattern; null: it is filled */
  hatch: string | null;
}

/** A value that is too small to be seen still gets a line, on its side of zero; a value of zero gets none. */
function barOf(
  { x, width }: { x: number; width: number },
  { from, to, isNegative }: { from: number; to: number; isNegative: boolean },
  { tone, rx, hatch }: BarLook,
  said: Html | null,
): Html | null {
  if (from === to) return null;
  const height = Math.max(LEAST_HEIGHT, from - to);
  const y = isNegative ? to : from - height;
  const fill = hatch === null ? null : html` fill="url(#${hatch})"`;
  return html`<rect class="plot-bar plot-${tone}${fill === null ? '' : ' plot-running'}" x="${text(x)}%" y="${text(y)}" width="${text(width)}%" height="${text(height)}" rx="${rx}"${fill}>${said}</rect>`;
}

/** On a phone only some labels at equal distances are shown, with the last. */
function labelOf(label: string, at: number, count: number, middle: number): Html {
  const isMinor = (count - 1 - at) % Math.ceil(count / LABELS_ON_A_PHONE) !== 0;
  return html`<text class="plot-axis${isMinor ? ' plot-minor' : ''}" x="${text(middle)}%" y="${HEIGHT - 6}" text-anchor="middle">${label}</text>`;
}

/** What is used of a limit, for the eye; the numbers stand beside it as text. What is above the limit is hatched. */
export function usageBar({ id, used, limit }: { id: string; used: string; limit: string }): Html {
  const [units, most] = [Math.max(0, Number(used)), Number(limit)];
  const whole = Math.max(units, most);
  const percent = (part: number): string => (whole === 0 ? '0' : text((100 * part) / whole));
  const over = Math.max(0, units - most);
  const inside = html`<rect class="usage-used" width="${percent(units - over)}%" height="10" rx="5"/>`;
  const beyond =
    over === 0
      ? null
      : html`<defs><pattern id="${id}-over" class="plot-hatch plot-main" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6"/><line x1="0" y1="0" x2="0" y2="6"/></pattern></defs><rect class="usage-over" x="${percent(most)}%" width="${percent(over)}%" height="10" fill="url(#${id}-over)"/>`;
  return html`<svg class="usage-bar" width="100%" height="10" aria-hidden="true"><rect class="usage-whole" width="100%" height="10" rx="5"/>${inside}${beyond}</svg>`;
}
