import { dec } from '../../../billing/money/decimal.ts';
import { lineWords } from '../../../portal/pages/change/line-words.ts';
import { methodName } from '../../../portal/pages/methods/name.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { badge } from '../../../portal/parts/note.ts';
import { addressWith, pager } from '../../../portal/parts/pager.ts';
import { reasonKey } from '../../../portal/parts/reason.ts';
import { section } from '../../../portal/parts/section.ts';
import type { InvoiceView } from '../../../services/console/invoice.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Visit } from '../../http/visit.ts';
import { readerOf } from '../../messages/reader.ts';
import { contractAddress, customerAddress, invoiceAddress, linkTo, objectLink } from '../links.ts';
import { tableSection } from '../list-page.ts';
import { invoiceBadge } from '../words.ts';

/** An invoice with its lines explained, its payments, credit notes and disputes. */
export function invoiceContent(visit: Visit, view: InvoiceView): Html {
  const { t } = visit;
  const { invoice } = view;
  return html`<a class="up" href="${CONSOLE_PREFIX}/invoices">${t('invoice.list_title')}</a>
<div class="title"><h1>${t('invoice.title', { number: invoice.number })}</h1>${invoiceBadge(visit, invoice)}<p class="id">${invoice.id}</p></div>
<div class="columns"><div>
${lines(visit, view)}
${payments(visit, view)}
${notes(visit, view)}
${disputes(visit, view)}
</div><div>
${facts(visit, view)}
</div></div>`;
}

function lines(visit: Visit, view: InvoiceView): Html {
  const { t, format, portal } = visit;
  const rows = view.lines.map(({ line, sentences }) => {
    const { text, notes: words, amount } = lineWords(portal, line);
    return [
      html`<div>${text}${words.map((word) => html`<p class="small soft">${word}</p>`)}${explained(visit, sentences)}</div>`,
      format.money(line.taxAmount, line.currency),
      format.money(amount, line.currency),
    ];
  });
  const columns = [{ title: t('invoice.line') }, { title: t('invoice.tax'), number: true }, { title: t('invoice.amount'), number: true }];
  return tableSection(visit, 'lines', t('invoice.lines_title'), {
    columns,
    rows,
    foot: html`${otherLines(visit, view)}${sums(visit, view)}`,
  });
}

/** How many lines there are in all, and links to them; nothing where all are shown. */
function otherLines({ t, path, query }: Visit, { nextLine, sums: { count } }: InvoiceView): Html | null {
  const isFirst = query('after') === '';
  if (nextLine === null && isFirst) return null;
  const titles = { older: t('invoice.next_lines'), newest: t('invoice.first_lines') };
  const older = nextLine === null ? null : addressWith(path, { after: nextLine });
  return html`<p class="soft">${t('invoice.all_lines', { count })}</p>${pager({ older, newest: isFirst ? null : path, titles })}`;
}

const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z/g;
const english = readerOf('en').format;

/** A sentence of the API, which has its instants as they are stored, with instants as they are read. */
const readable = (sentence: string): string => sentence.replaceAll(INSTANT, (instant) => english.moment(Date.parse(instant)));

/** How the amount came about, step by step, as the API says it. */
const explained = ({ t }: Visit, sentences: readonly string[]): Html | null =>
  sentences.length === 0
    ? null
    : html`<details><summary>${t('invoice.explain')}</summary><ul class="words" lang="en">${sentences.map((sentence) => html`<li>${readable(sentence)}</li>`)}</ul></details>`;

function sums({ t, format }: Visit, { invoice, sums: { tax } }: InvoiceView): Html {
  const money = (amount: string): string => format.money(amount, invoice.currency);
  const due = invoice.status === 'ready_for_payment' ? invoice.amountDue : '0';
  return html`<dl class="sums"><dt>${t('invoice.tax')}</dt><dd>${money(tax)}</dd>
<dt class="total">${t('invoice.total')}</dt><dd class="total">${money(invoice.total)}</dd><dt>${t('invoice.due')}</dt><dd>${money(due)}</dd></dl>`;
}

function payments(visit: Visit, { invoice, payments: found, methods, grants }: InvoiceView): Html {
  const { t, format, portal } = visit;
  return tableSection(visit, 'payments', t('invoice.payments_title'), {
    columns: [
      { title: t('invoice.paid_with') },
      { title: t('invoice.status') },
      { title: t('log.at') },
      { title: t('invoice.amount'), number: true },
    ],
    rows: found.map(({ method, status, reason, reference, at, amount }) => [
      html`${paidWith(visit, method, { methods, grants })}${reference === null ? null : html`<p class="small soft">${reference}</p>`}`,
      html`${badge(status === 'succeeded' ? 'good' : status === 'failed' ? 'bad' : 'wait', t(`words.payment_${status}`))}${
        status === 'failed'
          ? html`<p class="small soft">${portal.t(`reasons.${reasonKey(reason)}`)}${reason === null ? null : html` (${reason})`}</p>`
          : null
      }`,
      format.moment(at),
      format.money(amount, invoice.currency),
    ]),
  });
}

function paidWith({ t, portal }: Visit, method: string, { methods, grants }: Pick<InvoiceView, 'methods' | 'grants'>): Html | string {
  if (method === 'wallet' || method === 'manual') return t(`invoice.by_${method}`);
  const grant = grants.get(method);
  if (grant !== undefined) return html`<div>${grant ?? t('customer.grants_title')}<br><span class="id">${method}</span></div>`;
  const known = methods.get(method);
  return known === undefined ? objectLink(method) : methodName(portal, known);
}

function notes(visit: Visit, { notes: found }: InvoiceView): Html | null {
  if (found.length === 0) return null;
  const { t, format } = visit;
  return tableSection(visit, 'notes', t('invoice.notes_title'), {
    columns: [
      { title: t('invoice.number') },
      { title: t('log.at') },
      { title: t('invoice.note_reason') },
      { title: t('invoice.total'), number: true },
    ],
    rows: found.map((note) => [
      linkTo(`${CONSOLE_PREFIX}/credit_note/${note.id}/pdf`, t('invoice.note_pdf', { number: note.number })),
      format.moment(note.created),
      html`<div>${note.notes}${whereTo(visit, note)}</div>`,
      format.money(note.total, note.currency),
    ]),
  });
}

/** Where the money of a credit note went, part by part. */
function whereTo({ t, format }: Visit, note: InvoiceView['notes'][number]): Html[] {
  const { reduced, toCredits, toCreditsEnded, toWallet, toPayment, currency } = note;
  const parts = [
    [reduced, t('give_back.lowers')],
    [dec(toCredits).minus(toCreditsEnded).toFixed(), t('give_back.back_to_credits')],
    [toCreditsEnded, t('give_back.back_to_ended')],
    [toWallet, t('give_back.back_to_wallet')],
    [toPayment, t('give_back.to_payment')],
  ] as const;
  return parts.flatMap(([amount, place]) =>
    dec(amount).gt(0) ? [html`<p class="small soft">${place}: ${format.money(amount, currency)}</p>`] : [],
  );
}

function disputes(visit: Visit, { disputes: found }: InvoiceView): Html | null {
  if (found.length === 0) return null;
  const { t, format } = visit;
  return tableSection(visit, 'disputes', t('invoice.disputes_title'), {
    columns: [
      { title: t('invoice.reference') },
      { title: t('invoice.status') },
      { title: t('log.at') },
      { title: t('invoice.amount'), number: true },
    ],
    rows: found.map(({ reference, state, opened, amount, currency }) => [
      reference,
      state,
      format.moment(opened),
      format.money(amount, currency),
    ]),
  });
}

function facts({ t, format, visitor }: Visit, { invoice, customerName, planName, collectedAt }: InvoiceView): Html {
  const fact = (term: string, value: Html | string): Html => html`<dt>${term}</dt><dd>${value}</dd>`;
  const { id, date, dueDate, automatic, externalReference } = invoice;
  const canPay = visitor.scope === 'full' && invoice.status === 'ready_for_payment' && invoice.depositTransactionStatus !== 'processing';
  return section(
    'facts',
    t('invoice.facts_title'),
    html`<p class="figure">${format.money(invoice.total, invoice.currency)}</p><dl class="narrow">
${fact(t('customer.one'), linkTo(customerAddress(invoice.customerId), customerName || t('customer.no_name')))}
${planName === null || invoice.contractId === null ? null : fact(t('contract.one'), linkTo(contractAddress(invoice.contractId), planName))}
${fact(t('invoice.date'), format.moment(date))}${fact(t('invoice.due_date'), format.moment(dueDate))}
${collectedAt === null ? null : fact(t('invoice.collected_at'), format.moment(collectedAt))}
${fact(t('contract.automatic'), t(automatic ? 'words.yes' : 'words.no'))}
${externalReference === null ? null : fact(t('invoice.reference'), externalReference)}</dl>
<div class="actions"><a class="button" href="${invoiceAddress(id)}/pdf">${t('invoice.pdf')}</a>${canPay ? html`<a class="button" href="${invoiceAddress(id)}/pay">${t('act.pay')}</a>` : null}</div>
${visitor.scope === 'full' ? giveBackLinks(t, invoice) : null}
<p class="links">${linkTo(addressWith(`${CONSOLE_PREFIX}/events`, { object: id }), t('log.events_title'))} ${linkTo(addressWith(`${CONSOLE_PREFIX}/audit`, { object: id }), t('log.audit_title'))}</p>`,
  );
}

/** A draft is voided instead. */
const giveBackLinks = (t: Visit['t'], { id, status }: InvoiceView['invoice']): Html | null =>
  status !== 'ready_for_payment' && status !== 'paid'
    ? null
    : html`<div class="actions"><a class="button" href="${invoiceAddress(id)}/refund">${t('give_back.refund')}</a>
<a class="button" href="${invoiceAddress(id)}/credit_note">${t('give_back.credit_note')}</a>
<a class="button" href="${invoiceAddress(id)}/send">${t('act.send')}</a></div>`;
