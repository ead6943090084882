import { dec } from '../../../billing/money/decimal.ts';
import type { PeriodUsage, RunningUsage } from '../../../services/portal/usage.ts';
import type { Reader } from '../../messages/language.ts';
import { type Html, html } from '../../parts/html.ts';
import { barPlot } from '../../parts/plot.ts';
import { table } from '../../parts/table.ts';

/** Features that one page shows plots of. */
const MOST_PLOTS = 12;

type Cycle = 'once' | 'constant' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const STEPS: Record<Cycle, 'hour' | 'day' | 'year'> = {
  once: 'day',
  constant: 'day',
  hour: 'hour',
  day: 'day',
  week: 'day',
  month: 'day',
  quarter: 'year',
  year: 'year',
};

/** The usage of the last periods, a plot for each feature; the same numbers as a table below it. */
export function usagePlots(reader: Reader, cycle: Cycle, usage: readonly RunningUsage[], periods: readonly PeriodUsage[]): Html | null {
  if (usage.length === 0 || periods.length < 2) return null;
  return html`${usage.slice(0, MOST_PLOTS).map((feature) => featurePlot(reader, cycle, feature, periods))}`;
}

function featurePlot(
  { t, format }: Reader,
  cycle: Cycle,
  { slug, name, unitName: unit }: RunningUsage,
  periods: readonly PeriodUsage[],
): Html {
  const units = periods.map((period) => dec(period.units.get(slug) ?? '0').toFixed());
  const values = units.map(Number);
  const [first, last] = [periods[0], periods.at(-1)];
  const days = (period: PeriodUsage | undefined): string => (period === undefined ? '' : format.moment(period.from));
  const said = t('contract.plot_text', {
    count: periods.length,
    first: days(first),
    last: days(last),
    least: format.number(String(Math.min(...values))),
    most: format.number(String(Math.max(...values))),
    unit,
  });
  const running = last?.isRunning ? ` ${t('contract.plot_running')}` : '';
  const plot = barPlot({
    id: `plot-${slug}`,
    title: t('contract.plot_title', { feature: name }),
    description: `${said}${running}`,
    bars: periods.map((period, at) => ({
      short: format.brief(period.from, STEPS[cycle]),
      value: units[at] ?? '0',
      isRunning: period.isRunning,
    })),
    axis: format.compact,
  });
  const columns = [{ title: t('contract.period') }, { title: name, number: true }];
  const rows = periods.map((period, at) => [periodWords({ t, format }, period), `${format.number(units[at] ?? '0')} ${unit}`]).reverse();
  return html`<figure><figcaption id="plot-of-${slug}">${t('contract.plot_title', { feature: name })}</figcaption>${plot}
<details><summary>${t('contract.plot_table')}</summary>${table({ labelledBy: `plot-of-${slug}`, columns, rows })}</details></figure>
`;
}

function periodWords({ t, format }: Pick<Reader, 't' | 'format'>, { from, until, isTrial, isRunning }: PeriodUsage): string {
  const period = until === null ? t('contract.since', { start: format.moment(from) }) : `${format.moment(from)} – ${format.moment(until)}`;
  if (isTrial) return t('contract.period_trial', { period });
  return isRunning ? t('contract.period_current', { period }) : period;
}
