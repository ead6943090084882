import { statusOf } from '../../../pdf/status.ts';
import type { WrittenCreditNote } from '../../../services/credit-note/read.ts';
import type { Receipt } from '../../../services/document/read.ts';
import { AT, contractLine, invoiceDocumentOf } from './documents.ts';

const DAY = 86_400_000;
const receipt = (amount: string, days: number): Receipt => ({ at: AT + days * DAY, amount, by: 'card', details: null, reference: null });
const note = { number: '1', reduced: '100.00' } as WrittenCreditNote;
const account = (amountDue: string, receipts: Receipt[] = [], notes: WrittenCreditNote[] = []) => ({
  receipts,
  notes,
  surplus: '0',
  amountDue,
});
const statusText = (given: Parameters<typeof invoiceDocumentOf>[1]): string => {
  const { word, more } = statusOf(invoiceDocumentOf([contractLine()], { dueDate: AT + 14 * DAY, ...given }));
  return more === null ? word : `${word} – ${more}`;
};

describe('the status at the top of an invoice', () => {
  it('is the amount due with its date, and the total once a part is paid', () => {
    expect(statusText({})).toBe('Amount due USD 100.00 – by 14 February 2026');
    expect(statusText({ account: account('70.00', [receipt('30.00', 1)]) })).toBe(
      'Amount due USD 70.00 – by 14 February 2026, of USD 100.00 in all',
    );
  });

  it('is PAID with the day of the last payment, without the total after a credit note', () => {
    expect(statusText({ account: account('0.00', [receipt('30.00', 1), receipt('70.00', 3)]) })).toBe(
      'PAID – USD 100.00 on 3 February 2026',
    );
    expect(statusText({ account: account('0.00', [receipt('30.00', 1)], [note]) })).toBe('PAID – on 1 February 2026');
  });

  it('is CREDITED after credit notes, NOTHING TO PAY for a total of zero', () => {
    expect(statusText({ account: account('0.00', [], [note]) })).toBe('CREDITED – Nothing is left to pay.');
    expect(statusText({ total: '0.00', account: account('0.00') })).toBe('NOTHING TO PAY');
  });

  it('is DRAFT or VOID for an invoice that is not final', () => {
    expect(statusText({ state: 'draft' })).toBe('DRAFT – USD 100.00, not to be paid yet');
    expect(statusText({ state: 'void', account: account('0.00') })).toBe('VOID – Nothing is to be paid.');
  });
});
