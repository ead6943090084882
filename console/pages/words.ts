import type { ContractStatus } from '../../billing/contract/types.ts';
import { isOverdue } from '../../billing/invoice/overdue.ts';
import type { CustomerState } from '../../billing/lifecycle/customer.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Caller } from '../../db/connect.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import type { Html } from '../../portal/parts/html.ts';
import { badge, type Tone } from '../../portal/parts/note.ts';
import type { Reader } from '../messages/reader.ts';

const CONTRACT_TONES: Readonly<Record<ContractStatus, Tone>> = {
  not_ready: 'wait',
  scheduled: 'wait',
  pending: 'wait',
  active: 'good',
  moved: 'plain',
  canceled: 'plain',
};

/** How a contract stands, in a word. */
export const contractBadge = ({ t }: Reader, { status, start }: { status: ContractStatus; start: number | null }): Html =>
  status === 'active' && start === null
    ? badge('good', t('words.contract_trial'))
    : badge(CONTRACT_TONES[status], t(`words.contract_${status}`));

export const customerBadge = ({ t }: Reader, { status }: { status: CustomerState }): Html =>
  badge(status === 'active' ? 'good' : 'wait', t(`words.customer_${status}`));

/** How an invoice stands, in a word. What is overdue or was declined stands out. */
export function invoiceBadge({ t }: Reader, invoice: InvoiceRecord): Html {
  const { status, depositTransactionStatus: payment } = invoice;
  if (status === 'paid') return badge('good', t(isCredited(invoice) ? 'words.invoice_credited' : 'words.invoice_paid'));
  if (status !== 'ready_for_payment') return badge(status === 'voided' ? 'plain' : 'wait', t(`words.invoice_${status}`));
  if (payment === 'failed') return badge('bad', t('words.invoice_failed'));
  if (payment === 'processing') return badge('wait', t('words.invoice_processing'));
  return isOverdue(invoice.dueDate, invoice.now) ? badge('bad', t('words.invoice_overdue')) : badge('wait', t('words.invoice_open'));
}

/** Credit notes covered the whole invoice: nothing is left to pay, although there was no payment. */
const isCredited = ({ total, depositTransactionStatus }: InvoiceRecord): boolean =>
  depositTransactionStatus === 'not_processed' && !dec(total).isZero();

/** Who did something. */
export const callerWords = ({ t }: Reader, type: Caller['type']): string => t(`words.caller_${type}`);
