import { MRR_MOVES, type MrrMoveKind } from '../../../billing/contract/mrr/moves.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { barPlot, type PlotSeries, seriesPlot } from '../../../portal/parts/plot.ts';
import { section } from '../../../portal/parts/section.ts';
import { table } from '../../../portal/parts/table.ts';
import type { CurrencyFigures, FigureMonth } from '../../../services/console/figures.ts';
import type { Visit } from '../../http/visit.ts';

/** What grows stands above zero, what is lost below it; each kind has the same colour everywhere. */
const MOVE_TONES: Record<MrrMoveKind, PlotSeries['tone']> = {
  new: 'main',
  expansion: 'second',
  reactivation: 'third',
  contraction: 'less',
  churn: 'loss',
};
/** What is plotted together, each with its colour. */
const SUBJECTS = {
  money: [
    { figure: 'invoiced', tone: 'second' },
    { figure: 'collected', tone: 'main' },
  ],
  failures: [
    { figure: 'failed', tone: 'loss' },
    { figure: 'recovered', tone: 'second' },
  ],
  usage: [{ figure: 'usage', tone: 'main' }],
} as const;
type Subject = keyof typeof SUBJECTS;

/** The figures of the last twelve months, for each currency: a plot each, with its table. */
export function figuresContent(visit: Visit, figures: readonly CurrencyFigures[]): Html {
  if (figures.length === 0)
    return section('figures', visit.t('home.figures_title'), html`<p class="soft">${visit.t('home.no_figures')}</p>`);
  return html`${figures.map((own) => html`<div class="records">${mrrSection(visit, own)}${subjectsOf(own).map((subject) => moneySection(visit, own, subject))}</div>`)}`;
}

/** Kinds that never happened in these months get no plot: an axis without bars says nothing. */
const subjectsOf = ({ months }: CurrencyFigures): Subject[] => {
  const happened = (subject: Subject): boolean =>
    SUBJECTS[subject].some(({ figure }) => months.some((month) => !dec(month[figure]).isZero()));
  return ['money', ...(['failures', 'usage'] as const).filter(happened)];
};

function mrrSection(visit: Visit, own: CurrencyFigures): Html {
  const { t, format } = visit;
  const { months, currency } = own;
  const id = `mrr-${currency}`;
  const title = t('home.mrr_title', { currency: currency.toUpperCase() });
  const money = (amount: string): string => format.money(amount, currency);
  const plot = barPlot({
    ...{ id: `plot-${id}`, title, axis: format.compact },
    description: said(visit, own, ({ mrr }) => mrr),
    bars: months.map((month, at) => ({ ...placeOf(visit, own, at), value: month.mrr })),
  });
  const moves = MRR_MOVES.map((kind) => ({
    ...{ name: t(`home.move_${kind}`), tone: MOVE_TONES[kind] },
    values: months.map((month) => month[kind]),
  }));
  const columns = [t('home.month'), ...moves.map(({ name }) => name), t('home.mrr')];
  const rows = months.map((month) => [format.brief(month.month, 'year'), ...MRR_MOVES.map((kind) => money(month[kind])), money(month.mrr)]);
  return section(
    id,
    title,
    html`<div class="plots"><div>${figureNow(money(months.at(-1)?.mrr ?? '0'), t('home.mrr_now'))}<figure>${plot}</figure></div>${movesFigure(visit, own, moves)}</div>
${tableOf(visit, id, columns, rows)}`,
  );
}

function movesFigure(visit: Visit, own: CurrencyFigures, series: readonly PlotSeries[]): Html {
  const { t, format } = visit;
  const { months, currency } = own;
  const title = t('home.moves_title', { currency: currency.toUpperCase() });
  const plot = seriesPlot({
    ...{ id: `plot-moves-${currency}`, title, series, layout: 'stacked', axis: format.compact },
    description: said(visit, own, (month) => sum(MRR_MOVES.map((kind) => dec(month[kind]))).toFixed()),
    places: months.map((_, at) => placeOf(visit, own, at)),
    words: (amount) => format.money(amount, currency),
  });
  return html`<figure><figcaption>${title}</figcaption>${plot}</figure>`;
}

/** Money of one or more kinds, month by month. */
function moneySection(visit: Visit, own: CurrencyFigures, subject: Subject): Html {
  const { t, format } = visit;
  const { months, currency } = own;
  const id = `${subject}-${currency}`;
  const title = t(`home.${subject}_title`, { currency: currency.toUpperCase() });
  const money = (amount: string): string => format.money(amount, currency);
  const kinds = SUBJECTS[subject];
  const series = kinds.map(({ figure, tone }) => ({ name: t(`home.${figure}`), tone, values: months.map((month) => month[figure]) }));
  const plot = seriesPlot({
    ...{ id: `plot-${id}`, title, series, layout: 'beside', axis: format.compact, words: money },
    description: kinds.map(({ figure }) => `${t(`home.${figure}`)}: ${said(visit, own, (month) => month[figure])}`).join(' '),
    places: months.map((_, at) => placeOf(visit, own, at)),
  });
  const rows = months.map((month) => [format.brief(month.month, 'year'), ...kinds.map(({ figure }) => money(month[figure]))]);
  const now = kinds.map(({ figure }) => html`<div>${figureNow(money(months.at(-1)?.[figure] ?? '0'), t(`home.${figure}_month`))}</div>`);
  return section(
    id,
    title,
    html`<div class="figures">${now}</div><figure>${plot}</figure>
${tableOf(visit, id, [t('home.month'), ...series.map(({ name }) => name)], rows)}`,
  );
}

const figureNow = (amount: string, words: string): Html => html`<p class="figure">${amount}</p><p class="small soft">${words}</p>`;

const placeOf = ({ format }: Visit, { months }: CurrencyFigures, at: number): { short: string; isRunning: boolean } => ({
  short: format.brief(months[at]?.month ?? 0, 'year'),
  isRunning: at === months.length - 1,
});

/** What a plot says in a sentence. */
function said({ t, format }: Visit, { currency, months }: CurrencyFigures, amountOf: (month: FigureMonth) => string): string {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return '';
  return t('home.plot_text', {
    first: format.brief(first.month, 'year'),
    last: format.brief(last.month, 'year'),
    from: format.money(amountOf(first), currency),
    to: format.money(amountOf(last), currency),
  });
}

/** The numbers of a plot, newest first. */
function tableOf({ t }: Visit, labelledBy: string, titles: readonly string[], rows: readonly (readonly string[])[]): Html {
  const columns = titles.map((title, at) => ({ title, number: at > 0 }));
  return html`<details><summary>${t('home.table')}</summary>${table({ labelledBy, columns, rows: rows.toReversed() })}</details>`;
}
