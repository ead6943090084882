import type { Queryable } from '../connect.ts';
import { raiseCounter, type TakenNumber } from '../sql/invoice/raise-counter.ts';

/** The next number of a vendor's credit notes, which count apart from invoices, without gaps as well. */
export const takeCreditNoteNumber = (tx: Queryable, vendorId: string, clockId: string | null): Promise<TakenNumber> =>
  raiseCounter(tx, vendorId, `credit-note:${clockId ?? ''}`);
