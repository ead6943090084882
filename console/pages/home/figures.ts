import { MRR_MOVES } from '../../../billing/contract/mrr/moves.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { barPlot } from '../../../portal/parts/plot.ts';
import { section } from '../../../portal/parts/section.ts';
import { table } from '../../../portal/parts/table.ts';
import type { CurrencyFigures, FigureMonth } from '../../../services/console/figures.ts';
import type { Visit } from '../../http/visit.ts';

const FIGURES = ['mrr', 'invoiced', 'collected'] as const;
type Figure = (typeof FIGURES)[number];

/** MRR with its moves, what was invoiced and what was collected, for each currency: a plot each, with its table. */
export function figuresContent(visit: Visit, figures: readonly CurrencyFigures[]): Html {
  if (figures.length === 0)
    return section('figures', visit.t('home.figures_title'), html`<p class="soft">${visit.t('home.no_figures')}</p>`);
  return html`${figures.map((own) => html`<div class="records">${FIGURES.map((figure) => figureSection(visit, own, figure))}</div>`)}`;
}

function figureSection(visit: Visit, { currency, months }: CurrencyFigures, figure: Figure): Html {
  const { t, format } = visit;
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return html``;
  const id = `${figure}-${currency}`;
  const money = (amount: string): string => format.money(amount, currency);
  const title = t(`home.${figure}_title`, { currency: currency.toUpperCase() });
  const said = {
    first: format.brief(first.month, 'year'),
    last: format.brief(last.month, 'year'),
    from: money(first[figure]),
    to: money(last[figure]),
  };
  const plot = barPlot({
    id: `plot-${id}`,
    title,
    description: t('home.plot_text', said),
    bars: months.map((month, at) => ({
      short: format.brief(month.month, 'year'),
      value: month[figure],
      isRunning: at === months.length - 1,
    })),
    axis: format.compact,
  });
  return section(
    id,
    title,
    html`<p class="figure">${money(last[figure])}</p><p class="small soft">${t(figure === 'mrr' ? 'home.mrr_now' : 'home.this_month')}</p>
<figure>${plot}</figure><details><summary>${t('home.table')}</summary>${figureTable(visit, id, figure, months, money)}</details>`,
  );
}

/** The numbers of the plot, newest first; of MRR with the moves that led there. */
function figureTable(
  { t, format }: Visit,
  id: string,
  figure: Figure,
  months: readonly FigureMonth[],
  money: (amount: string) => string,
): Html {
  const moves = figure === 'mrr' ? MRR_MOVES : [];
  const columns = [
    { title: t('home.month') },
    ...moves.map((move) => ({ title: t(`home.move_${move}`), number: true })),
    { title: t(`home.${figure}`), number: true },
  ];
  const rows = months.map((month) => [format.brief(month.month, 'year'), ...moves.map((move) => money(month[move])), money(month[figure])]);
  return table({ labelledBy: id, columns, rows: rows.toReversed() });
}
