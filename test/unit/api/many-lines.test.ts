import { setImmediate as atNextTurn } from 'node:timers';
import { explanationToWire } from '../../../api/wire/explanation.ts';
import { hitsToWire } from '../../../api/wire/invoice.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import type { ChargedLine } from '../../../billing/invoice/types.ts';
import type { InvoiceRecord } from '../../../db/sql/invoice/columns.ts';
import { inRounds } from '../../../services/contract/in-rounds.ts';
import { charge, context, priceOf } from '../../billing/invoice/build.ts';

const [LINES, ON_PAGE] = [1_000, 40];
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
  const shown = inRounds(hitsToWire([invoice], new Map([[invoice.id, lines]])));
  expect(await turnsDuring(shown)).toBeGreaterThanOrEqual(15);
  expect((await shown)[0]?.invoice_items.map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
  const explained = inRounds(explanationToWire(invoice, lines, []));
  expect(await turnsDuring(explained)).toBeGreaterThanOrEqual(15);
  expect((await explained).lines.map(({ subtotal }) => subtotal)).toEqual(lines.map(({ subtotal }) => subtotal));
});

it(`they get it too while a page of ${ON_PAGE} invoices is made ready, each of which has few lines`, async () => {
  const page = Array.from({ length: ON_PAGE }, (_, n) => ({ ...invoice, id: `Inv_${n}` }));
  const few = lines.slice(0, LINES / ON_PAGE);
  const shown = inRounds(hitsToWire(page, new Map(page.map(({ id }) => [id, few]))));
  expect(await turnsDuring(shown)).toBeGreaterThanOrEqual(15);
  expect((await shown).map((hit) => [hit.invoice.id, hit.invoice_items.length])).toEqual(page.map(({ id }) => [id, few.length]));
});
