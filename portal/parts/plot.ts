import { type Html, html } from './html.ts';

/** One bar of a plot. */
export interface PlotBar {
  /** under the bar, where there is space for it */
  short: string;
  /** decimal text of what the bar measures */
  value: string;
  /** hatched: the value may still grow */
  isRunning?: boolean;
}

/** A plot of bars over time, oldest first. */
export interface BarPlot {
  /** unique on the page; the plot's elements are named after it */
  id: string;
  title: string;
  /** what the bars say, in a sentence, for who doesn't see them */
  description: string;
  bars: readonly PlotBar[];
  /** a value of the axis as text of few letters: "12K" */
  axis: (value: number) => string;
}

/** Pixels; the width is the space that the plot is given. */
const HEIGHT = 176;
const TOP = 14;
const BOTTOM = 24;
const AREA = HEIGHT - TOP - BOTTOM;
/** Percent of the width: the labels of the axis stand on the left. */
const LEFT = 13;
const BAR_SHARE = 0.62;
/** More labels than these don't fit side by side on a phone, which leaves the others out. */
const LABELS_ON_A_PHONE = 4;
const LEAST_HEIGHT = 2;

/**
 * Bars with an axis as SVG, made on the server. Widths are percent, heights are pixels: text keeps its size on a phone.
 * The values stand in a table beside it, which the page makes; here they are for the eye.
 */
export function barPlot({ id, title, description, bars, axis }: BarPlot): Html {
  const values = bars.map(({ value }) => Math.max(0, Number(value)));
  const steps = axisSteps(Math.max(0, ...values));
  const top = steps.at(-1) ?? 1;
  const slot = (100 - LEFT) / Math.max(1, bars.length);
  return html`<svg class="plot" width="100%" height="${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>
<defs><pattern id="${id}-hatch" class="plot-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6"/><line x1="0" y1="0" x2="0" y2="6"/></pattern></defs>
<g aria-hidden="true">${steps.map((step) => gridLine(step, top, axis(step)))}
${bars.map((bar, at) => barOf(bar, values[at] ?? 0, top, LEFT + slot * (at + 0.5), slot, `${id}-hatch`))}
${bars.map((bar, at) => labelOf(bar.short, at, bars.length, slot))}</g></svg>`;
}

/**
 * The values at the lines of an axis: from zero in equal round steps up to the first at or above the largest value.
 *
 * @example axisSteps(1234) // [0, 500, 1000, 1500]
 */
export function axisSteps(largest: number): number[] {
  if (largest <= 0) return [0, 1];
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const count = Math.ceil(largest / step);
  // a sum of steps such as 0.1 would not be exact
  return Array.from({ length: count + 1 }, (_, n) => Number((n * step).toPrecision(12)));
}

const yOf = (value: number, top: number): number => TOP + AREA * (1 - value / top);
const text = (position: number): string => String(Number(position.toFixed(2)));

function gridLine(step: number, top: number, label: string): Html {
  const y = text(yOf(step, top));
  const kind = step === 0 ? 'plot-base' : 'plot-line';
  return html`<line class="${kind}" x1="${LEFT}%" x2="100%" y1="${y}" y2="${y}"/><text class="plot-axis" x="${LEFT - 2}%" y="${y}" dy="4" text-anchor="end">${label}</text>`;
}

/** A value too small to be seen still gets a line; nothing gets none. */
function barOf({ isRunning }: PlotBar, value: number, top: number, middle: number, slot: number, hatch: string): Html | null {
  if (value === 0) return null;
  const height = Math.max(LEAST_HEIGHT, (AREA * value) / top);
  const width = slot * BAR_SHARE;
  const place = { x: text(middle - width / 2), y: text(TOP + AREA - height), width: text(width), height: text(height) };
  const fill = isRunning === true ? html` fill="url(#${hatch})"` : null;
  return html`<rect class="plot-bar${fill === null ? '' : ' plot-running'}" x="${place.x}%" y="${place.y}" width="${place.width}%" height="${place.height}" rx="2"${fill}/>`;
}

/** On a phone only some labels at equal distances are shown, with the last. */
function labelOf(label: string, at: number, count: number, slot: number): Html {
  const isMinor = (count - 1 - at) % Math.ceil(count / LABELS_ON_A_PHONE) !== 0;
  return html`<text class="plot-axis${isMinor ? ' plot-minor' : ''}" x="${text(LEFT + slot * (at + 0.5))}%" y="${HEIGHT - 6}" text-anchor="middle">${label}</text>`;
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
      : html`<defs><pattern id="${id}-over" class="plot-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6"/><line x1="0" y1="0" x2="0" y2="6"/></pattern></defs><rect class="usage-over" x="${percent(most)}%" width="${percent(over)}%" height="10" fill="url(#${id}-over)"/>`;
  return html`<svg class="usage-bar" width="100%" height="10" aria-hidden="true"><rect class="usage-whole" width="100%" height="10" rx="5"/>${inside}${beyond}</svg>`;
}
