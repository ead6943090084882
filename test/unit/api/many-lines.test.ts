import { setImmediate as atNextTurn } from 'node:timers';
import { explanationToWire } from '../../../api/wire/explanation.ts';
import { hitToWire } from '../../../api/wire/invoice.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import type { ChargedLine } from '../../../billing/invoice/types.ts';
import type { InvoiceRecord } from '../../../db/sql/invoice/columns.ts';
import { inRounds } from '../../../services/contract/in-rounds.ts';
import { charge, context, priceOf } from '../../billing/invoice/build.ts';

const LINES = 1_000;
const lines = Array.from({ length: LINES }, (_, n): ChargedLine[] => {
  const made = chargeLines([charge(priceOf(String(n)))], context());
  return made.map((line) => ({ ...line, id: `Item_${n}`, invoiceId: 'Inv_1' }));
}).flat();
const invoice = {
  ...{ id: 'Inv_1', currency: 'usd', customerId: 'Cust_1', contractId: 'Cont_1', date: 0, dueDate: 0, number: '1' },
  ...{ status: 'ready_for_payment', customerStatus: 'active', total: '1', amountDue: '1', now: 0 },
  ...{ depositTransactionStatus: 'not_processed', depositTransactionId: null, externalReference: null },
} as InvoiceRecord;

/** How many turns of its event loop the process had meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, goesOn] = [0, true];
  const count = () => {
    turns += 1;
    if (goesOn) atNextTurn(count);
  };
  atNextTurn(count);
  await work;
  goesOn = false;
  return turns;
}

it(`other requests get their turn while an invoice of ${LINES} lines is made ready, and while it is explained`, async () => {
  const shown = inRounds(hitToWire(invoice, lines));
  expect(await turnsDuring(shown)).toBeGreaterThanOrEqual(15);
  expect((await shown).invoice_items.map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
  const explained = inRounds(explanationToWire(invoice, lines, []));
  expect(await turnsDuring(explained)).toBeGreaterThanOrEqual(15);
  expect((await explained).lines.map(({ subtotal }) => subtotal)).toEqual(lines.map(({ subtotal }) => subtotal));
});
