import type { PortalInvoice } from '../../../services/portal/invoice-standing.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { badge, type Tone } from '../../parts/note.ts';
import { reasonKey } from '../../parts/reason.ts';

/** How an invoice stands, in a word, and unless `brief` what a customer wants to know then, and the way to pay. */
export function standing(visit: Visit, invoice: PortalInvoice, brief: boolean): Html {
  const details = (brief ? [] : detailsOf(visit, invoice)).map((text) => html`<p class="small soft">${text}</p>`);
  return html`<div><div class="badges">${badges(visit, invoice).map(([tone, text]) => badge(tone, text))}</div>${details}${brief ? null : payLink(visit, invoice)}</div>`;
}

function badges({ t, format }: Pick<Visit, 't' | 'format'>, { standing, isOverdue, dueDate }: PortalInvoice): [Tone, string][] {
  const day = format.shortDay(dueDate);
  if (standing === 'paid') return [['good', t('documents.standing_paid')]];
  if (standing === 'credited') return [['plain', t('documents.standing_credited')]];
  if (standing === 'unconfirmed') return [['wait', t('documents.standing_unconfirmed')]];
  if (standing === 'processing') return [['plain', t('documents.standing_processing')]];
  const late: [Tone, string][] = isOverdue ? [['bad', t('documents.standing_overdue', { day })]] : [];
  if (standing === 'failed') return [['bad', t('documents.standing_failed')], ...late];
  return isOverdue ? late : [['wait', t('documents.standing_open', { day })]];
}

function detailsOf({ t, format }: Pick<Visit, 't' | 'format'>, invoice: PortalInvoice): string[] {
  const { standing, reason, collectedAt, amountDue, total, currency } = invoice;
  if (standing === 'paid' || standing === 'credited') return [];
  const partly = format.money(amountDue, currency) === format.money(total, currency) ? null : format.money(amountDue, currency);
  const collected = standing === 'failed' ? 'documents.tried_again_at' : 'documents.collected_at';
  return [
    standing === 'failed' ? t(`reasons.${reasonKey(reason)}`) : null,
    collectedAt === null ? null : t(collected, { day: format.day(collectedAt) }),
    partly === null ? null : t('documents.partly_paid', { amount: partly }),
  ].filter((text) => text !== null);
}

const NOT_PAYABLE: readonly PortalInvoice['standing'][] = ['paid', 'credited', 'processing'];

/** The way to pay an invoice; nothing where it can't be paid now. */
export function payLink({ t, customer }: Visit, { id, number, standing }: PortalInvoice): Html | null {
  if (NOT_PAYABLE.includes(standing) || customer.status === 'inactive') return null;
  const what = standing === 'unconfirmed' ? 'confirm' : 'pay';
  return html`<a class="button small main" href="/portal/invoice/${id}/pay" aria-label="${t(`documents.${what}_invoice`, { number })}">${t(`documents.${what}`)}</a>`;
}
