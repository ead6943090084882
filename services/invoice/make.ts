import { dueOnInvoice } from '../../billing/contract/charge/charges.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { assembleInvoice } from '../../billing/invoice/assemble.ts';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import { initialState } from '../../billing/lifecycle/machine.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { InvoiceItem, type InvoiceItemRecord } from '../../db/entities/invoice.ts';
import { newId } from '../../db/id.ts';
import { lockContracts } from '../../db/sql/contract/lock-contracts.ts';
import { waitingLines } from '../../db/sql/contract/waiting-lines.ts';
import { type WaitingFilter, type WaitingPlace, waitingPlaces } from '../../db/sql/invoice/waiting-places.ts';
import { insertMany } from '../../db/sql/write-many.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { lockCustomer } from '../customer/lock.ts';
import { type CustomerTime, placesOf, voidedItems, waitAgain } from './again.ts';
import { type Issue, issueInvoices, lineRow } from './issue.ts';

/**
 * Makes invoices of items that wait: one for each contract, so that automatic and manual ones never mix. They await
 * their validation. Items of a voided invoice are invoiced again only where they are named: it was voided because
 * something was wrong with it.
 *
 * @returns their ids; none when nothing waits
 * @throws Refusal `contract_not_found`, `customer_not_found`, `invoice_item_not_found`, `invoice_state`,
 * `customer_frozen`, `clock_advancing`
 */
export async function makeInvoices(tx: Tx, vendorId: string, request: WaitingFilter): Promise<string[]> {
  const named = await requireKnown(tx, vendorId, request);
  const voided = matching(await voidedItems(tx, vendorId, request.itemIds ?? []), request);
  const places = distinct([...(await waitingPlaces(tx, vendorId, request)), ...placesOf(voided)]);
  const times = new Map<string, CustomerTime>();
  for (const customerId of [...new Set([...named, ...places.map((place) => place.customerId)])].sort()) {
    times.set(customerId, await lockCustomer(tx, vendorId, customerId));
  }
  const contractIds = places.map(({ contractId }) => contractId);
  const contracts = await lockContracts(tx, contractIds, 'wait');
  // what another request has invoiced meanwhile
  await requireFree(tx, vendorId, request.itemIds);
  const again = await waitAgain(tx, voided, contracts, times);
  const wanted = request.itemIds === null ? null : new Set([...request.itemIds, ...again]);
  const waiting = await waitingLines(tx, contractIds);
  const lines = waiting.filter((line) => wanted === null || wanted.has(line.id));
  const issues: Issue[] = [];
  for (const contract of contracts) {
    const own = lines.filter((line) => line.contractId === contract.id);
    const issue = await assemble(tx, contract, own, times.get(contract.customerId)?.now ?? 0);
    if (issue === null) continue;
    issues.push(issue);
    // its workflow says what waits for a call
    enqueue(tx, 'contract', contract.rootId);
  }
  await issueInvoices(tx, issues);
  return issues.map(({ invoice }) => invoice.id);
}

async function assemble(tx: Tx, contract: Contract, lines: readonly ChargedLine[], date: number): Promise<Issue | null> {
  const automatic = contract.configuration.automaticPayment;
  const status = initialState(invoiceMachine, 'issue_for_review');
  const takenUp = dueOnInvoice(contract, lines, date);
  const made = assembleInvoice(takenUp, { contract, date, status, automatic, newId });
  if (made === null) return null;
  if (made.closing !== null) await insertMany(tx, InvoiceItem, [lineRow(made.closing, contract, date, lines.length, null)]);
  return { invoice: made.invoice, contract, pays: true, takenUp };
}

/** Those of the contract and customer that the request names too. */
const matching = (items: readonly InvoiceItemRecord[], { contractId, customerId }: WaitingFilter): InvoiceItemRecord[] =>
  items.filter((item) => (contractId ?? item.contractId) === item.contractId && (customerId ?? item.customerId) === item.customerId);

/** Ordered by customer, as they are locked. */
const distinct = (places: readonly WaitingPlace[]): WaitingPlace[] => [
  ...new Map(places.map((place) => [place.contractId, place])).values(),
];

/** The customers the request names, who are locked even where nothing waits. */
async function requireKnown(tx: Tx, vendorId: string, request: WaitingFilter): Promise<string[]> {
  const { contractId, customerId } = request;
  const customers = customerId === null ? [] : [customerId];
  if (contractId !== null) {
    const contract = await tx.em.findOne(ContractRecord, { id: contractId, vendorId }, { fields: ['customerId'] });
    if (contract === null) throw new Refusal('contract_not_found', 'there is no such contract');
    customers.push(contract.customerId);
  }
  await requireFree(tx, vendorId, request.itemIds);
  return customers;
}

async function requireFree(tx: Tx, vendorId: string, itemIds: WaitingFilter['itemIds']): Promise<void> {
  if (itemIds === null) return;
  const named = { vendorId, id: { $in: [...itemIds] } };
  const found = await tx.em.find(InvoiceItem, named, { fields: ['invoiceId', 'voided', 'elsewhere'], disableIdentityMap: true });
  const again = new Set((await voidedItems(tx, vendorId, itemIds)).map(({ id }) => id));
  const known = new Map(
    found.map(({ id, invoiceId, voided, elsewhere }) => [id, again.has(id) || (invoiceId === null && !voided && !elsewhere)]),
  );
  for (const id of itemIds) {
    if (!known.has(id)) throw new Refusal('invoice_item_not_found', `there is no invoice item ${id}`, { [id]: 'is not known' });
    if (known.get(id) === false)
      throw new Refusal('invoice_state', `the item ${id} stands on an invoice already`, { [id]: 'stands on an invoice' });
  }
}
