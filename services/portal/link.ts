import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PortalPreferences } from '../../db/entities/portal.ts';
import { requireNotErased } from '../customer/lock.ts';
import { maySeeInvoice } from './overview.ts';
import { allowedReturnUrl } from './return-url.ts';
import { createPortalToken, type PortalEntry, type PortalVisitor } from './token.ts';

/**
 * A token that opens the portal at the page it is made for.
 *
 * @throws Refusal `customer_erased`; `invoice_not_found`, `contract_not_found` for what isn't this customer's
 */
export async function createPortalLink(tx: Tx, visitor: PortalVisitor, entry: PortalEntry): Promise<string> {
  requireNotErased(await tx.em.findOneOrFail(Customer, { id: visitor.customerId }));
  const { invoiceId, contractId } = entry;
  if (invoiceId !== null && !(await maySeeInvoice(tx.em, visitor, invoiceId)))
    throw new Refusal('invoice_not_found', `The customer has no invoice ${invoiceId}.`, 'invoice');
  if (contractId !== null && (await tx.em.count(ContractRecord, { id: contractId, ...visitor })) === 0)
    throw new Refusal('contract_not_found', `The customer has no contract ${contractId}.`, 'contract');
  return createPortalToken(tx, visitor, entry);
}

/** Where a customer may be sent back to, of the sites that the vendor has listed; null for any other. */
export async function listedReturnUrl(em: EntityManager, vendorId: string, url: string): Promise<string | null> {
  const set = await em.findOne(PortalPreferences, { vendorId });
  return allowedReturnUrl(url, set?.returnUrls ?? []);
}
