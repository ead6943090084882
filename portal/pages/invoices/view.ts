import type { DocumentFilter, PortalDocument } from '../../../services/portal/documents.ts';
import { type PortalPage, placeText } from '../../../services/portal/place.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { badge } from '../../parts/note.ts';
import { addressWith, pager } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { standing } from './standing.ts';
import { documentTabs } from './tabs.ts';

const INVOICES = '/portal/invoices';

/** A customer's documents, newest first. */
export function documentsContent(visit: Visit, show: DocumentFilter, { rows, next }: PortalPage<PortalDocument>, isFirst: boolean): Html {
  const { t } = visit;
  const query = { show: show === 'all' ? null : show };
  const older = next === null ? null : addressWith(INVOICES, { ...query, after: placeText(next) });
  const titles = { older: t('documents.older'), newest: t('documents.newest') };
  const list = rows.length === 0 ? html`<p class="soft">${t('documents.none')}</p>` : documentTable(visit, 'documents', rows);
  return html`<div class="title"><h1 id="documents">${t('documents.title')}</h1></div>
${documentTabs(visit, show)}
<section>${list}${pager({ older, newest: isFirst ? null : addressWith(INVOICES, query), titles })}</section>`;
}

/**
 * Documents with date, amount and how they stand; unless `brief`, with why a payment failed and a way to pay what is
 * open.
 */
export function documentTable(visit: Visit, labelledBy: string, documents: readonly PortalDocument[], brief = false): Html {
  const { t, format } = visit;
  const columns = [
    { title: t('documents.document') },
    { title: t('documents.date') },
    { title: t('documents.total'), number: true },
    { title: t('documents.status') },
  ];
  const rows = documents.map((document) => [
    documentLink(visit, document),
    html`<span class="together">${format.shortDay(document.at)}</span>`,
    format.money(document.total, document.currency),
    document.kind === 'invoice' ? standing(visit, document, brief) : noteWords(visit, document.invoiceNumber),
  ]);
  return table({ labelledBy, columns, rows });
}

const noteWords = ({ t }: Visit, number: string): Html =>
  html`<div>${badge('plain', t('documents.standing_credited'))}<p class="small soft">${t('documents.of_invoice', { number })}</p></div>`;

const documentLink = ({ t }: Visit, { kind, id, number }: PortalDocument): Html =>
  html`<a class="together" href="/portal/${kind}/${id}">${t(`documents.${kind}`, { number })} <span class="small soft">PDF</span></a>`;
