import { expiryText, methodName } from '../../../portal/pages/methods/name.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { badge } from '../../../portal/parts/note.ts';
import type { CustomerView } from '../../../services/console/customer.ts';
import { statusOf } from '../../../services/credit/read.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress, invoiceAddress, linkTo } from '../links.ts';
import { tableSection } from '../list-page.ts';

/** What a customer pays with. */
export function methodsSection(visit: Visit, { methods }: CustomerView): Html {
  const { t, portal } = visit;
  return tableSection(visit, 'methods', t('customer.methods_title'), {
    columns: [{ title: t('customer.method') }, { title: t('customer.provider') }, { title: t('customer.card_until') }],
    rows: methods.map((method) => [
      html`${methodName(portal, method)} ${method.isDefault ? badge('good', t('customer.default')) : null}${method.status === 'active' ? null : badge('bad', method.status)}`,
      method.provider,
      expiryText(method),
    ]),
  });
}

/** Prepaid credits; nothing where there were never any. */
export function grantsSection(visit: Visit, { grants, now }: CustomerView): Html | null {
  if (grants.length === 0) return null;
  const { t, format } = visit;
  return tableSection(visit, 'grants', t('customer.grants_title'), {
    columns: [
      { title: t('customer.grant') },
      { title: t('customer.grant_source') },
      { title: t('customer.status') },
      { title: t('customer.grant_until') },
      { title: t('customer.grant_amount'), number: true },
      { title: t('customer.grant_left'), number: true },
    ],
    rows: grants.map((grant) => [
      html`<div>${grant.description ?? t('customer.grant')}<br><span class="id">${grant.id}</span>${voidLink(visit, grant, now)}</div>`,
      sourceOf(visit, grant),
      badge(statusOf(grant, now) === 'active' ? 'good' : 'plain', t(`words.grant_${statusOf(grant, now)}`)),
      grant.expiresAt === null ? '–' : format.moment(grant.expiresAt),
      format.money(grant.amount, grant.currency),
      format.money(grant.balance, grant.currency),
    ]),
  });
}

/** What is used up, has expired or was voided can't be taken away. */
function voidLink({ t, visitor }: Visit, grant: CustomerView['grants'][number], now: number): Html | null {
  const isOpen = ['active', 'scheduled', 'awaiting_payment'].includes(statusOf(grant, now));
  if (visitor.scope !== 'full' || !isOpen) return null;
  return html`<br><a href="${CONSOLE_PREFIX}/credit_grant/${grant.id}/void">${t('gift.void')}</a>`;
}

/** Where credits come from: what gave or sold them. */
function sourceOf({ t }: Visit, { kind, contractId, topUpId, invoiceId, rolledFrom }: CustomerView['grants'][number]): Html | string {
  if (contractId !== null)
    return linkTo(contractAddress(contractId), t(rolledFrom === null ? 'customer.from_plan' : 'customer.from_rollover'));
  const bought = t(topUpId === null ? 'customer.from_purchase' : 'customer.from_top_up');
  if (kind === 'promotional') return t('customer.from_gift');
  return invoiceId === null ? bought : linkTo(invoiceAddress(invoiceId), bought);
}
