import { lockOpenInvoices } from '../../db/sql/wallet/lock-open-invoices.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { readStanding } from '../../services/payment/standing.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { grant } from '../../services/wallet/grant.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const OPEN = 400;

/** Open invoices of 10.00, each due an hour before the last, and the oldest two at one instant. */
const COPIES = `
  insert into invoice
  select (jsonb_populate_record(i, jsonb_build_object('id', 'Inv_copy_' || lpad(n::text, 4, '0'), 'number', i.number + n, 'date', i.date - n * interval '1 hour',
    'due_date', i.due_date - least(n, $2::int - 1) * interval '1 hour'))).*
  from invoice i, generate_series(1, $2::int) n where i.customer_id = $1`;

let own: OwnDatabase;
let vendorId: string;
let customerId: string;
beforeAll(async () => {
  own = await ownDatabase();
  ({ vendorId } = await createVendor(own.db, 'Many open'));
  const customer = { ...blankCustomer(vendorId, null, Date.now()), name: 'Acme', status: 'active' as const };
  customerId = customer.id;
  const plan = flatPlan('10.00');
  await own.db.transaction(async (tx) => {
    await savePlan(tx, vendorId, plan, Date.now());
    await insertCustomer(tx, customer, Date.now());
    await signContract(tx, signInput(vendorId, customerId, plan.id));
  });
  await own.db.query(COPIES, [customerId, OPEN]);
});
afterAll(() => own?.drop());

const copy = (n: number): string => `Inv_copy_${String(n).padStart(4, '0')}`;

it.each([
  ['5.00', [OPEN, OPEN - 1]],
  ['20.00', [OPEN, OPEN - 1]],
  ['20.01', [OPEN, OPEN - 1, OPEN - 2]],
  ['35.00', [OPEN, OPEN - 1, OPEN - 2, OPEN - 3]],
])(`of ${OPEN} open invoices %s lock the oldest due that it pays, and hardly another is read`, async (money, copies) => {
  const { found, read } = await own.db.transaction(async (tx) => {
    const counting = countingReads(tx, ['invoice']);
    return { found: await lockOpenInvoices(counting, [{ customerId, currency: 'usd', money }], OPEN + 1), read: counting.read };
  });
  expect(found.map(({ id }) => id).toSorted()).toEqual(copies.map(copy).toSorted());
  // each once to find it, once to lock it; and the one behind them, which might be due with the last
  expect(read).toBe(2 * copies.length + 1);
});

it('of prepaid credits, as many as asked for, the oldest due first: they may pay a part of any', async () => {
  const locks = (most: number, after: number | null = null) =>
    own.db.transaction(async (tx) => {
      const [place] = await tx.query<{ id: string; date: number; dueDate: number }>(
        'select id, date, due_date as "dueDate" from invoice where id = $1',
        [copy(after ?? 0)],
      );
      const counting = countingReads(tx, ['invoice']);
      const found = await lockOpenInvoices(counting, [{ customerId, currency: 'usd', money: null, after: place ?? null }], most);
      return { ids: found.map(({ id }) => id).toSorted(), read: counting.read };
    });
  const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => copy(to + n));
  expect(await locks(50)).toEqual({ ids: down(OPEN, OPEN - 49), read: 101 });
  // of the oldest two, which are due together, the one that was made first is first
  expect((await locks(1)).ids).toEqual([copy(OPEN)]);
  expect((await locks(2, OPEN)).ids).toEqual(down(OPEN - 1, OPEN - 2));
  expect((await locks(50, OPEN - 49)).ids).toEqual(down(OPEN - 50, OPEN - 99));
});

it('of prepaid credits, all that is open where it isn’t more', async () => {
  const found = await own.db.transaction((tx) => lockOpenInvoices(tx, [{ customerId, currency: 'usd', money: null }], OPEN + 1));
  expect(found).toHaveLength(OPEN + 1);
});

it.each([
  [1, OPEN + 1],
  [3, 334],
  [400, 3],
])('what is owed is shown with %i contracts: with each the %i earliest due, and the sum of all', async (contracts, named) => {
  const { unpaid, earliestDue } = await readStanding(own.db, vendorId, customerId, { contracts });
  expect(unpaid.map(({ total, invoices }) => [total, invoices.length])).toEqual([[`${10 * (OPEN + 1)}.00`, named]]);
  expect(unpaid[0]?.invoices.slice(0, 3).map(({ id }) => id)).toEqual([OPEN - 1, OPEN, OPEN - 2].map(copy));
  expect(unpaid[0]?.invoices[0]?.dueDate).toBe(earliestDue);
});

it('of what is owed, what is due before an instant is counted alone', async () => {
  const { earliestDue } = await readStanding(own.db, vendorId, customerId, { contracts: 400 });
  const { unpaid } = await readStanding(own.db, vendorId, customerId, { contracts: 400, dueBefore: (earliestDue ?? 0) + 1 });
  expect(unpaid.map(({ total, invoices }) => [total, invoices.length])).toEqual([['20.00', 2]]);
});

it('money that is given pays the oldest due while a later one is locked by others', async () => {
  await own.db.transaction(async (tx) => {
    await tx.query('select from invoice where id = $1 for update', [copy(1)]);
    await own.db.transaction(async (other) => {
      await other.query(`set local lock_timeout = '1s'`);
      await grant(other, { vendorId, customerId, currency: 'usd', amount: '25.00', description: 'Paid by hand', at: Date.now() });
    });
  });
  const rows = await own.db.query(
    'select id, status, amount_due::text as due from invoice where customer_id = $1 and amount_due < total order by id',
    [customerId],
  );
  expect(rows).toEqual([
    { id: copy(OPEN - 2), status: 'ready_for_payment', due: '5.00' },
    { id: copy(OPEN - 1), status: 'paid', due: '0.00' },
    { id: copy(OPEN), status: 'paid', due: '0.00' },
  ]);
});
