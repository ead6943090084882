import type { InvoiceState } from '../lifecycle/invoice.ts';
import { dec } from '../money/decimal.ts';

interface Settled {
  status: InvoiceState;
  total: string;
  /** of its last payment */
  depositTransactionStatus: string;
}

/** Whether credit notes covered the whole invoice: nothing is left to pay, although there was no payment. */
export function isCredited({ status, total, depositTransactionStatus }: Settled): boolean {
  return status === 'paid' && depositTransactionStatus === 'not_processed' && !dec(total).isZero();
}
