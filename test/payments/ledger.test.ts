import { newId } from '../../db/id.ts';
import { post } from '../../services/ledger/post.ts';
import { withTestDatabase } from '../support/database.ts';
import { plan, story } from '../support/story.ts';
import { addsMethod, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

const run = (sql: string, params: unknown[] = []) => withTestDatabase((db) => db.query(sql, params));

describe('the database keeps', () => {
  story('the ledger append-only and each transaction in balance', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100')));
    const { invoice } = await invoiceOf(acme, '2025-01-01');
    const [booked] = await run(`select id from ledger_transaction where kind = 'invoice' and invoice_id = $1`, [invoice.id]);
    const id = booked?.id;
    await expect(run('update ledger_posting set amount = amount + 1 where transaction_id = $1', [id])).rejects.toThrow('append-only');
    await expect(run('delete from ledger_posting where transaction_id = $1', [id])).rejects.toThrow('append-only');
    await expect(run('update ledger_transaction set at = now() where id = $1', [id])).rejects.toThrow('append-only');
    const customer = await acme.id();
    const entry = (debit: string, credit: string) => ({
      ...{
        id: newId('Txn'),
        vendorId: 'Wbc_x',
        customerId: customer,
        kind: 'test',
        occasion: newId('Txn'),
        invoiceId: null,
        currency: 'usd',
        at: 0,
      },
      postings: [
        { kind: 'grants' as const, owner: '', amount: debit },
        { kind: 'losses' as const, owner: '', amount: credit },
      ],
    });
    await expect(withTestDatabase((db) => db.transaction((tx) => post(tx, [entry('5.00', '-4.99')])))).rejects.toThrow('does not balance');
    const among = [entry('1.00', '-1.00'), entry('2.00', '-2.01'), entry('3.01', '-3.00')];
    await expect(withTestDatabase((db) => db.transaction((tx) => post(tx, among)))).rejects.toThrow('does not balance');
    await withTestDatabase((db) => db.transaction((tx) => post(tx, [entry('5.00', '-5.00'), entry('6.00', '-6.00')])));
    const kept = await run('select account_id from ledger_posting where transaction_id = $1', [id]);
    const lone = 'insert into ledger_posting (transaction_id, account_id, amount) values ($1, $2, 1)';
    await expect(run(lone, [newId('Txn'), kept[0]?.account_id])).rejects.toThrow('does not balance');
    const nobodys = `insert into ledger_posting select $1, account_id, amount from ledger_posting where transaction_id = $2`;
    await expect(run(nobodys, [newId('Txn'), id])).rejects.toThrow('does not balance');
  });

  story('a validated invoice and its items as they are', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100')));
    const { invoice, invoice_items } = await invoiceOf(acme, '2025-01-01');
    for (const change of ['total = 1', `due_date = now()`, `number = 999999`, 'validated_at = null', `status = 'pending_validation'`]) {
      await expect(run(`update invoice set ${change} where id = $1`, [invoice.id])).rejects.toThrow(/validated/);
    }
    await expect(run('delete from invoice where id = $1', [invoice.id])).rejects.toThrow('cannot be deleted');
    for (const change of ['subtotal = 1', `name = 'x'`, 'invoice_id = null', 'voided = true', 'due_date = now()']) {
      await expect(run(`update invoice_item set ${change} where id = $1`, [invoice_items[0].id])).rejects.toThrow('cannot be changed');
    }
    await expect(run('delete from invoice_item where id = $1', [invoice_items[0].id])).rejects.toThrow('cannot be deleted');
  });

  story('every balance explained: 119.00 with 19.00 tax, 20.00 of it from a grant, 99.00 by card', async ({ on, vendor }) => {
    const germany = { line_1: 'Hauptstr. 1', city: 'Berlin', zip: '10115', country: 'DE' as const };
    const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates: [{ country: 'DE', rate: '0.19' }], policy: 'tax_included' });
    await on('2025-01-01', async () => {
      await addsMethod(buyer, 'sandbox_ok');
      await buyer.grants('20.00');
      await buyer.signs(plan('pro', '119'));
    });
    await expectsState(buyer, '2025-01-01', 'paid succeeded 0.00');
    const balances = await run(
      `select a.kind, round(sum(p.amount), 2)::text as balance from ledger_posting p join ledger_account a on a.id = p.account_id
       join ledger_transaction t on t.id = p.transaction_id where t.customer_id = $1 group by a.kind order by a.kind`,
      [await buyer.id()],
    );
    expect(Object.fromEntries(balances.map(({ kind, balance }) => [kind, balance]))).toEqual({
      ...{ clearing: '99.00', grants: '20.00', receivable: '0.00', revenue: '-100.00', tax: '-19.00', wallet: '0.00' },
    });
    await expectsSoundLedger(vendor);
  });
});
