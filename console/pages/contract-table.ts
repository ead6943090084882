import { amountOf } from '../../billing/contract/charge/views.ts';
import { planName } from '../../billing/contract/period/sources.ts';
import type { ListedContract } from '../../db/sql/contract/list.ts';
import { html } from '../../portal/parts/html.ts';
import { badge } from '../../portal/parts/note.ts';
import type { TableColumn } from '../../portal/parts/table.ts';
import type { Visit } from '../http/visit.ts';
import { contractAddress, customerAddress, linkTo } from './links.ts';
import { contractBadge } from './words.ts';

/** Columns and rows of a table of contracts; `named`: with their customers. */
export function contractTable(visit: Visit, contracts: readonly ListedContract[], named: boolean) {
  const { t, format, portal } = visit;
  const columns: TableColumn[] = [
    { title: t('contract.plan') },
    ...(named ? [{ title: t('customer.one') }] : []),
    { title: t('contract.status') },
    { title: t('contract.created') },
    { title: t('contract.price'), number: true },
  ];
  const rows = contracts.map(({ contract, customerName }) => [
    linkTo(contractAddress(contract.id), planName(contract.terms)),
    ...(named ? [linkTo(customerAddress(contract.customerId), customerName || t('customer.no_name'))] : []),
    html`<span class="badges">${contractBadge(visit, contract)}${contract.parkedReason === null ? null : badge('bad', t('words.contract_parked'))}</span>`,
    format.shortDay(contract.created),
    portal.t('prices.per_cycle', { price: format.money(amountOf(contract), contract.terms.currency), cycle: contract.terms.cycle }),
  ]);
  return { columns, rows };
}
