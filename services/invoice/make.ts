import type { Contract } from '../../billing/contract/types.ts';
import { assembleInvoice } from '../../billing/invoice/assemble.ts';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import { initialState } from '../../billing/lifecycle/machine.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { waitingLines } from '../../db/contract/lines.ts';
import { contractRows } from '../../db/contract/lock.ts';
import { newId } from '../../db/id.ts';
import { toContract } from '../../db/mapping/contract.ts';
import { fromLine } from '../../db/mapping/line.ts';
import { insertRows } from '../../db/rows.ts';
import { lockCustomer } from '../customer/lock.ts';
import { type Issue, issueInvoices } from './issue.ts';

/**
 * Which waiting items to invoice: those of a contract, of a customer, or named one by one; what is given must all hold.
 */
interface MakeRequest {
  contractId: string | null;
  customerId: string | null;
  itemIds: readonly string[] | null;
}

/**
 * Makes invoices of items that wait: one for each contract, so that automatic and manual ones never mix. They await
 * their validation.
 *
 * @returns their ids; none when nothing waits
 * @throws Refusal `contract_not_found`, `customer_not_found`, `invoice_item_not_found`, `invoice_state`,
 * `customer_frozen`, `clock_advancing`
 */
export async function makeInvoices(tx: Tx, vendorId: string, request: MakeRequest): Promise<string[]> {
  const named = await requireKnown(tx, vendorId, request);
  const places = await waitingPlaces(tx, vendorId, request);
  const times = new Map<string, number>();
  for (const customerId of [...new Set([...named, ...places.map((place) => place.customerId)])].sort()) {
    times.set(customerId, (await lockCustomer(tx, vendorId, customerId)).now);
  }
  const contracts = (
    await contractRows(
      tx,
      places.map((place) => place.contractId),
      'wait',
    )
  ).map(toContract);
  const wanted = request.itemIds === null ? null : new Set(request.itemIds);
  const lines = (
    await waitingLines(
      tx,
      contracts.map(({ id }) => id),
    )
  ).filter((line) => wanted === null || wanted.has(line.id));
  const issues: Issue[] = [];
  for (const contract of contracts) {
    const own = lines.filter((line) => line.contractId === contract.id);
    const issue = await assemble(tx, contract, own, times.get(contract.customerId) ?? 0);
    if (issue !== null) issues.push(issue);
  }
  await issueInvoices(tx, issues);
  return issues.map(({ draft }) => draft.id);
}

async function assemble(tx: Tx, contract: Contract, lines: readonly ChargedLine[], date: number): Promise<Issue | null> {
  const automatic = contract.configuration.automaticPayment;
  const status = initialState(invoiceMachine, 'issue_for_review');
  const made = assembleInvoice(lines, { contract, date, status, automatic, newId });
  if (made === null) return null;
  if (made.closing !== null) await insertRows(tx, 'invoice_item', [fromLine(made.closing, contract, date, lines.length)]);
  return { draft: made.invoice, contract, pays: true };
}

function waitingPlaces(tx: Tx, vendorId: string, request: MakeRequest): Promise<{ contractId: string; customerId: string }[]> {
  return tx.query(
    `select distinct contract_id as "contractId", customer_id as "customerId" from invoice_item
     where vendor_id = $1 and invoice_id is null and not dead and ($2::text is null or contract_id = $2) and ($3::text is null or customer_id = $3)
       and ($4::text[] is null or id = any($4)) order by customer_id, contract_id`,
    [vendorId, request.contractId, request.customerId, request.itemIds],
  );
}

/** The customers the request names, who are held even where nothing waits. */
async function requireKnown(tx: Tx, vendorId: string, request: MakeRequest): Promise<string[]> {
  const { contractId, customerId } = request;
  const customers = customerId === null ? [] : [customerId];
  if (contractId !== null) {
    const sql = 'select customer_id from contract where id = $1 and vendor_id = $2';
    const [contract] = await tx.query<{ customer_id: string }>(sql, [contractId, vendorId]);
    if (contract === undefined) throw new Refusal('contract_not_found', 'there is no such contract');
    customers.push(contract.customer_id);
  }
  await requireFree(tx, vendorId, request.itemIds);
  return customers;
}

async function requireFree(tx: Tx, vendorId: string, itemIds: MakeRequest['itemIds']): Promise<void> {
  if (itemIds === null) return;
  const found = await tx.query<{ id: string; free: boolean }>(
    'select id, invoice_id is null and not dead as free from invoice_item where vendor_id = $1 and id = any($2::text[])',
    [vendorId, itemIds],
  );
  const known = new Map(found.map((row) => [row.id, row.free]));
  for (const id of itemIds) {
    if (!known.has(id)) throw new Refusal('invoice_item_not_found', `there is no invoice item ${id}`, { [id]: 'is not known' });
    if (known.get(id) === false)
      throw new Refusal('invoice_state', `the item ${id} stands on an invoice already`, { [id]: 'stands on an invoice' });
  }
}
