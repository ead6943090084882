import { dec } from '../../../billing/money/decimal.ts';
import type { PortalPayment } from '../../../services/portal/payments.ts';
import { type PortalPage, placeText } from '../../../services/portal/place.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { badge, type Tone } from '../../parts/note.ts';
import { addressWith, pager } from '../../parts/pager.ts';
import { reasonKey } from '../../parts/reason.ts';
import { table } from '../../parts/table.ts';
import { documentTabs } from '../invoices/tabs.ts';
import { methodName } from '../methods/name.ts';

const TONES: Record<PortalPayment['status'], Tone> = { succeeded: 'good', processing: 'plain', failed: 'bad' };

/** Every try to pay, newest first: when, with what, how much, and what became of it. */
export function paymentsContent(visit: Visit, { rows, next }: PortalPage<PortalPayment>, isFirst: boolean): Html {
  const { t, format } = visit;
  const columns = [
    { title: t('payments.date') },
    { title: t('payments.invoice') },
    { title: t('payments.method') },
    { title: t('payments.amount'), number: true },
    { title: t('payments.outcome') },
  ];
  const cells = rows.map((payment) => [
    format.moment(payment.at),
    payment.invoiceId === null
      ? t('payments.no_invoice')
      : html`<a href="/portal/invoice/${payment.invoiceId}">${payment.invoiceNumber}</a>`,
    payment.method === null ? t('payments.recorded', { vendor: visit.look.name }) : methodName(visit, payment.method),
    format.money(payment.amount, payment.currency),
    outcome(visit, payment),
  ]);
  const list =
    rows.length === 0 ? html`<p class="soft">${t('payments.none')}</p>` : table({ labelledBy: 'payments', columns, rows: cells });
  const older = next === null ? null : addressWith('/portal/payments', { after: placeText(next) });
  const titles = { older: t('documents.older'), newest: t('documents.newest') };
  return html`<div class="title"><h1 id="payments">${t('payments.title')}</h1></div>
${documentTabs(visit, 'payments')}
<section>${list}${pager({ older, newest: isFirst ? null : '/portal/payments', titles })}</section>`;
}

/** In words; a reason is shown where the try failed, and where it waits for the customer. */
function outcome({ t, format }: Visit, { status, reason, refunded, currency }: PortalPayment): Html {
  const isExplained = status === 'failed' || (status === 'processing' && reason === 'needs_action');
  const why = isExplained ? html`<p class="small soft">${t(`reasons.${reasonKey(reason)}`)}</p>` : null;
  const back = dec(refunded).isZero()
    ? null
    : html`<p class="small soft">${t('payments.refunded', { amount: format.money(refunded, currency) })}</p>`;
  return html`<div>${badge(TONES[status], t(`payments.${status}`))}${why}${back}</div>`;
}
