import { DAY } from '../../billing/calendar/instant.ts';
import { moveRecognised } from '../../db/sql/figure/move-recognised.ts';
import { recogniseCreditNote } from '../../db/sql/figure/recognised.ts';
import { bookStoredInvoices } from '../../db/sql/ledger/book-invoices.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const OTHERS = 3_000;
const TABLES = ['contract', 'invoice', 'invoice_item', 'credit_note', 'credit_note_item', 'customer', 'customer_pause'];

/** The same customer, contract, invoice and line so many times, and a credit of each of these lines. */
const OF_OTHERS = [
  `insert into customer
   select (jsonb_populate_record(o, jsonb_build_object('id', 'Cust_' || n))).*
   from contract c join customer o on o.id = c.customer_id, generate_series(1, $2::int) n where c.id = $1`,
  `insert into contract
   select (jsonb_populate_record(c, jsonb_build_object('id', c.id || '_' || n, 'root_id', c.id || '_' || n, 'customer_id', 'Cust_' || n))).*
   from contract c, generate_series(1, $2::int) n where c.id = $1`,
  `insert into invoice
   select (jsonb_populate_record(i, jsonb_build_object('id', i.id || '_' || n, 'number', 1 + n, 'printed_number', (1 + n)::text,
     'customer_id', 'Cust_' || n, 'contract_id', i.contract_id || '_' || n))).*
   from invoice i, generate_series(1, $2::int) n where i.contract_id = $1`,
  `insert into invoice_item
   select (jsonb_populate_record(l, jsonb_build_object('id', l.id || '_' || n, 'invoice_id', l.invoice_id || '_' || n, 'customer_id', 'Cust_' || n,
     'contract_id', l.contract_id || '_' || n))).*
   from invoice_item l, generate_series(1, $2::int) n where l.contract_id = $1`,
  `insert into invoice_item
   select (jsonb_populate_record(l, jsonb_build_object('id', l.id || '_credit', 'kind', 'credit', 'charge_key', 'credit:' || l.id, 'credit_of', l.id,
     'derivation', jsonb_build_object('until', jsonb_build_object('at', 0))))).*
   from invoice_item l where l.contract_id like $1 || '%' and l.contract_id <> $1 and $2 > 0`,
  `insert into credit_note (id, vendor_id, customer_id, invoice_id, number, printed_number, series, created, currency, target, total, tax_amount, reduced,
     to_credits, to_credits_ended, to_wallet, to_payment)
   select 'Note_' || l.id, i.vendor_id, c.customer_id, i.id, row_number() over (), row_number() over (), '', i.date, i.currency, 'wallet', 3.10, 0, 0,
     0, 0, 3.10, 0
   from invoice i join invoice_item l on l.invoice_id = i.id and l.kind = 'recurring' cross join contract c where c.id = $1 and $2 > 0`,
  `insert into credit_note_item
   select n.id, l.id, 3.10, 3.10, 0 from credit_note n join invoice_item l on 'Note_' || l.id = n.id and $1 <> '' and $2 > 0`,
];

let own: OwnDatabase;
let customerId: string;
let noteId: string;
let invoiceId: string;

beforeAll(async () => {
  own = await ownDatabase();
  const { db } = own;
  const { vendorId } = await createVendor(db, 'Of many lines');
  const customer = { ...blankCustomer(vendorId, null, Date.now()), name: 'Acme', status: 'active' as const };
  const plan = flatPlan('31.00');
  customerId = customer.id;
  const contractId = await db.transaction(async (tx) => {
    await savePlan(tx, vendorId, plan, Date.now());
    await insertCustomer(tx, customer, Date.now());
    return signContract(tx, signInput(vendorId, customer.id, plan.id));
  });
  await db.query('delete from figure_sum_change');
  for (const rows of OF_OTHERS) await db.query(rows, [contractId, OTHERS]);
  const [line] = await db.query<{ id: string; invoice: string }>(
    `select id, invoice_id as invoice from invoice_item where contract_id = $1`,
    [contractId],
  );
  noteId = `Note_${line?.id}`;
  invoiceId = line?.invoice ?? '';
}, 120_000);

afterAll(() => own?.drop());

describe(`what is earned, beside ${OTHERS} lines and credit notes of others`, () => {
  it.each([
    ['a new database', 1, ''],
    ['one whose rows are counted', 2, `vacuum analyze ${TABLES.join(', ')}`],
  ])(
    'is moved by a freeze, lowered by a credit note, and booked behind a freeze with a look at its own lines alone: by the plans of %s',
    async (_, n, before) => {
      if (before) await own.db.query(before);
      const counting = countingReads(own.db, TABLES);
      const began = Date.now();
      await moveRecognised(counting, { customerId, began, ended: began + 10 * DAY, since: began });
      expect(await noted()).toEqual([{ months: expect.any(Number), amount: '0.00' }]);
      await recogniseCreditNote(counting, noteId);
      // the plan that is read carries each statement out once more
      expect(await noted()).toEqual([{ months: expect.any(Number), amount: '-6.20' }]);
      expect(counting.read).toBeLessThanOrEqual(12);
      await own.db.query('delete from figure_sum_change');
      await own.db.query('insert into customer_pause values ($1, $2, $3)', [`Cust_${n}`, new Date(began + DAY), new Date(began + 2 * DAY)]);
      const booking = countingReads(own.db, TABLES);
      await bookStoredInvoices(booking, [{ invoiceId: `${invoiceId}_${n}`, transactionId: `Txn_${n}` }]);
      expect(await noted()).toEqual([{ months: expect.any(Number), amount: '62.00' }]);
      expect(booking.read).toBeLessThanOrEqual(14);
      for (const table of ['figure_sum_change', 'customer_pause']) await own.db.query(`delete from ${table}`);
    },
  );
});

const noted = () =>
  own.db.query<{ months: number; amount: string }>(
    `select count(*)::int as months, sum(amount)::text as amount from figure_sum_change where figure = 'recognised'`,
  );
