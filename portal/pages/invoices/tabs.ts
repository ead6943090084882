import type { DocumentFilter } from '../../../services/portal/documents.ts';
import type { Reader } from '../../messages/language.ts';
import { type Html, html } from '../../parts/html.ts';

type Tab = DocumentFilter | 'payments';

const TABS: readonly { tab: Tab; to: string }[] = [
  { tab: 'all', to: '/portal/invoices' },
  { tab: 'open', to: '/portal/invoices?show=open' },
  { tab: 'paid', to: '/portal/invoices?show=paid' },
  { tab: 'payments', to: '/portal/payments' },
];

/** Links between the lists of documents and that of payments. */
export const documentTabs = ({ t }: Reader, current: Tab): Html =>
  html`<nav class="tabs" aria-label="${t('documents.filters')}"><ul>${TABS.map(
    ({ tab, to }) => html`<li><a href="${to}"${tab === current ? html` aria-current="page"` : null}>${t(`documents.${tab}`)}</a></li>`,
  )}</ul></nav>
`;
