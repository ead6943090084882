import { isFrozen, isLive } from '../../../billing/contract/period/time.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { lineWords } from '../../../portal/pages/change/line-words.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { section } from '../../../portal/parts/section.ts';
import { table } from '../../../portal/parts/table.ts';
import type { ContractView } from '../../../services/console/contract.ts';
import type { Visit } from '../../http/visit.ts';
import { dueWords } from '../kind-words.ts';

/** Lines of a foreseen invoice that a page shows. */
const MOST_LINES = 50;

/** What is due and when, and the next invoice line by line. */
export function nextSection(visit: Visit, view: ContractView): Html {
  const { t } = visit;
  return section('next', t('contract.next_title'), html`${dueTable(visit, view)}${upcoming(visit, view)}`);
}

/** What doesn't come by itself, but when somebody does something. */
function waitsFor({ t }: Visit, view: ContractView): string[] {
  const { due, unclosedIdx, isUninvoiced, draftNumber } = view;
  const { contract, pauses } = view.detail;
  const isPaused = isFrozen(pauses) && isLive(contract) && !due.some(({ kind }) => kind === 'freeze_end');
  const isPending = contract.status === 'pending' && contract.gate === null;
  return [
    ...(isPaused ? [t('contract.waits_frozen')] : []),
    ...(isPending ? [t('contract.waits_pending')] : []),
    ...(unclosedIdx === null ? [] : [t('contract.waits_unclosed', { number: unclosedIdx })]),
    ...(draftNumber === null ? [] : [t('contract.waits_draft', { number: draftNumber })]),
    ...(isUninvoiced ? [t('contract.waits_uninvoiced')] : []),
  ];
}

function dueTable(visit: Visit, view: ContractView): Html {
  const { t, format } = visit;
  const { due } = view;
  const waits = waitsFor(visit, view);
  const notes = due.length === 0 && waits.length === 0 ? [t('contract.nothing_due')] : waits;
  const noted = notes.map((text) => html`<p class="soft">${text}</p>`);
  if (due.length === 0) return html`${noted}`;
  const columns = [{ title: t('contract.due_what') }, { title: t('contract.due_at') }];
  const rows = due.map(({ kind, dueAt, held }) => [
    html`${dueWords(visit, kind)}${held ? html`<p class="small soft">${t('contract.due_held')}</p>` : null}`,
    format.moment(dueAt),
  ]);
  return html`${table({ labelledBy: 'next', columns, rows })}${noted}`;
}

function upcoming(visit: Visit, { upcoming: found }: ContractView): Html | null {
  const { t, format } = visit;
  if (found === 'late') return html`<p class="soft">${t('contract.next_late')}</p>`;
  const { first, others } = found;
  if (first === null) return null;
  const columns = [{ title: t('invoice.line') }, { title: t('invoice.amount'), number: true }];
  return html`${[first, ...others].map(({ invoice, lines, amountDue }, at) => {
    const id = `upcoming-${at}`;
    const day = format.moment(invoice.date);
    const total = format.money(invoice.total, invoice.currency);
    const tax = format.money(sum(lines.map(({ taxAmount }) => dec(taxAmount))).toFixed(), invoice.currency);
    const further = Math.max(0, lines.length - MOST_LINES);
    const rows = lines.slice(0, MOST_LINES).map((line) => {
      const { text, amount } = lineWords(visit.portal, line);
      return [text, format.money(amount, line.currency)];
    });
    return html`<h3 id="${id}">${t('contract.next_invoice', { day })}</h3>${table({ labelledBy: id, columns, rows })}
${further === 0 ? null : html`<p class="soft">${t('contract.further_lines', { count: further })}</p>`}
<dl class="sums"><dt>${t('invoice.tax')}</dt><dd>${tax}</dd><dt class="total">${t('invoice.total')}</dt><dd class="total">${total}</dd><dt>${t('invoice.due')}</dt><dd>${format.money(amountDue, invoice.currency)}</dd></dl>`;
  })}`;
}
