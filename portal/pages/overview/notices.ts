import type { PortalOverview } from '../../../services/portal/overview.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { noteBox } from '../../parts/note.ts';
import { reasonKey } from '../../parts/reason.ts';
import { payLink } from '../invoices/standing.ts';

/**
 * What needs the customer: an invoice that failed or is overdue, with the way to pay it; several are counted, of more
 * than the page shows only those that it shows.
 */
export function invoiceNotice(visit: Visit, { invoices, more }: PortalOverview['open']): Html | null {
  const { t, format } = visit;
  const urgent = invoices.filter(
    ({ standing, isOverdue }) => standing === 'failed' || standing === 'unconfirmed' || (isOverdue && standing === 'open'),
  );
  const [first] = urgent;
  if (first === undefined) return null;
  if (urgent.length > 1) {
    const see = html`<a href="#open">${t('overview.notice_see')}</a>`;
    return noteBox('bad', html`${t.html(more ? 'overview.notice_at_least' : 'overview.notice_many', { count: urgent.length })} ${see}`);
  }
  const { number, standing, reason, amountDue, currency, dueDate } = first;
  const said =
    standing === 'unconfirmed'
      ? t.html('overview.notice_unconfirmed', { number })
      : standing === 'failed'
        ? t.html('overview.notice_failed', { number, reason: t(`reasons.${reasonKey(reason)}`) })
        : t.html('overview.notice_overdue', { number, amount: format.money(amountDue, currency), day: format.day(dueDate) });
  return noteBox('bad', html`${said} ${payLink(visit, first)}`);
}
