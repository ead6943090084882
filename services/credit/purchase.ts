import { configurationOf } from '../../billing/contract/terms/sign.ts';
import type { Configuration } from '../../billing/contract/types.ts';
import { purchaseInvoice } from '../../billing/credit/purchase.ts';
import type { Line, NewInvoice } from '../../billing/invoice/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Tx } from '../../db/connect.ts';
import { Invoice, InvoiceItem } from '../../db/entities/invoice.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';
import { termsOfVendor } from '../../db/sql/vendor/configuration.ts';
import { insertMany } from '../../db/sql/write-many.ts';
import { sendLast } from '../../db/transaction.ts';
import type { LockedCustomer } from '../customer/lock.ts';
import { issueInvoices, lineRow } from '../invoice/issue.ts';
import { settleWallets } from '../wallet/settle.ts';
import { grantBought } from './bought.ts';

/** Credits that are sold, and for how much. */
export interface Sale {
  grantId: string;
  currency: Currency;
  amount: string;
  price: string;
  /** a top-up asks for money now, whatever holds for other invoices: its credits are needed */
  topUpId?: string | null;
}

/** The invoice of a sale, which isn't written yet, with the settings that it follows. */
export interface PlannedSale {
  invoice: NewInvoice;
  line: Line;
  configuration: Configuration;
}

const AT_ONCE = { automaticPayment: true, invoiceTrigger: 'immediate', netDays: 0 } as const;

/** An invoice of bought credits follows the settings of its customer, then those of the vendor. */
export async function planSale(tx: Tx, customer: LockedCustomer, sale: Sale): Promise<PlannedSale> {
  const { id: customerId, vendorId, now, configuration: customerConfiguration } = customer;
  const { invoicing: vendorConfiguration } = await termsOfVendor(tx, vendorId);
  const { taxPolicy } = await tx.em.findOneOrFail(Vendor, { id: vendorId }, { fields: ['taxPolicy'] });
  const ofCustomer = configurationOf({ configuration: {}, customerConfiguration, vendorConfiguration });
  const configuration: Configuration = sale.topUpId == null ? ofCustomer : { ...ofCustomer, ...AT_ONCE };
  return { ...purchaseInvoice({ ...sale, customerId, at: now, configuration, taxPolicy }, newId), configuration };
}

/**
 * Makes the invoice of a sale; its grant is written. Where the wallet pays it at once, the credits are granted, and pay
 * what is open.
 */
export async function issueSale(tx: Tx, customer: LockedCustomer, { invoice, line, configuration }: PlannedSale): Promise<void> {
  const { id: customerId, vendorId, clockId, now, status } = customer;
  const owner = { vendorId, customerId, clockId, configuration };
  await insertMany(tx, InvoiceItem, [lineRow(line, owner, now, 0, invoice.id)]);
  await issueInvoices(tx, [{ invoice, contract: owner, pays: status !== 'inactive' }], [], new Set([line.id]));
  await sendLast(tx);
  const { status: made } = await tx.em.findOneOrFail(Invoice, { id: invoice.id }, { fields: ['status'], disableIdentityMap: true });
  if (made === 'paid') await settleWallets(tx, await grantBought(tx, [invoice.id], now));
}
