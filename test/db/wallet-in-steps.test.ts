import { DAY, HOUR } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { createClock } from '../../services/clock/create.ts';
import { advanceBatch } from '../../services/contract/advance.ts';
import { carryOutExpiry } from '../../services/credit/carry-out-expiry.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { collectDueOf } from '../../services/payment/collect-due.ts';
import { selectDefault } from '../../services/payment/method.ts';
import { payOnRequest } from '../../services/payment/pay.ts';
import { toCollect } from '../../services/payment-gate/open.ts';
import { foreseePayments } from '../../services/wallet/foresee.ts';
import { grant } from '../../services/wallet/grant.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { ManyOpen } from './many-open-kit.ts';

const own = countedVendor('Many open');
const shop = new ManyOpen(own);
afterEach(async () => expect(await checkLedger(own.db)).toEqual([]));

const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing refused',
    (error: unknown) => (error instanceof Refusal ? [error.code, error.message] : error),
  );

describe('what is shown ahead', () => {
  it('of money for 1,050 open invoices of 10.00: it pays all of them, and 5.00 of one that comes', async () => {
    const id = await shop.customer();
    for (const hours of [350, 350, 350]) await shop.owes(id, hours);
    const last = { id: 'Inv_z', date: Date.now() + DAY, dueDate: Date.now() + DAY, remaining: '10.00' };
    const owner = { customerId: id, currency: 'usd' as const };
    const foreseen = await foreseePayments(own.db, owner, { surplus: '10505.00', newInvoices: [last] });
    expect([foreseen.size, foreseen.get('Inv_z')]).toEqual([1_051, { fromCredits: '0.00', fromWallet: '5.00', remaining: '5.00' }]);
    const less = await foreseePayments(own.db, owner, { surplus: '9000.00', newInvoices: [last] });
    expect(less.get('Inv_z')).toEqual({ fromCredits: '0.00', fromWallet: '0.00', remaining: '10.00' });
  });
});

describe('money that is given', () => {
  it('pays 200 open invoices in its own transaction, as long as there are no more', async () => {
    const id = await shop.customer();
    await shop.owes(id, 200);
    await shop.money(id, '2100.00');
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 200', '100.00']);
  });

  it('pays the oldest 200 of 450 at once, and leaves the rest to the customer’s workflow: 200, then 50', async () => {
    const id = await shop.customer();
    await shop.owes(id, 250);
    await shop.owes(id, 200);
    const messages = await shop.inOne(async (tx) => {
      await grant(tx, {
        vendorId: own.vendorId,
        customerId: id,
        currency: 'usd',
        amount: '5000.00',
        description: 'By hand',
        at: Date.now(),
      });
      return tx.outbox.map(({ workflowId }) => workflowId);
    });
    expect(messages).toContain(`customer:${id}`);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 200, open 250, to go on', '3000.00']);
    await shop.goesOn(id);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 400, open 50, to go on', '1000.00']);
    await shop.goesOn(id);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 450', '500.00']);
    await shop.goesOn(id);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 450', '500.00']);
  });

  it('sends and reads as much with 450 open as with 250', async () => {
    const [some, more] = [await shop.customer(), await shop.customer()];
    for (const [id, hours] of [
      [some, 150],
      [some, 100],
      [more, 250],
      [more, 200],
    ] as const)
      await shop.owes(id, hours);
    const one = await own.during(() => shop.money(some, '9000.00'));
    expect(await own.during(() => shop.money(more, '9000.00'))).toEqual(one);
  });

  it('ends in the middle of an invoice, and what is left is charged then, not before', async () => {
    const id = await shop.customer();
    await shop.owes(id, 300);
    await shop.money(id, '2505.00');
    await shop.card(id);
    expect(await shop.standing(id)).toBe('paid 200, open 100, to go on');
    await shop.goesOn(id);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 250, charged in part 1, charged 49', '0.00']);
  });

  it('of which 200 take all leaves nothing to go on with', async () => {
    const id = await shop.customer();
    await shop.owes(id, 201);
    await shop.money(id, '2000.00');
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 200, open 1', '0.00']);
  });

  it('is the customer’s once: what has yet to pay is neither taken back nor held for a change', async () => {
    const id = await shop.customer();
    await shop.owes(id, 300);
    await shop.money(id, '3040.00');
    expect(await shop.balance(id)).toBe('1040.00');
    expect(await refusalOf(shop.money(id, '-50.00'))).toEqual(['wallet_insufficient', "the wallet has 40.00 usd that isn't held"]);
    const terms = { currency: 'usd' } as never;
    const made = [{ id: 'Inv_new', total: '100.00', status: 'ready_for_payment' }] as never;
    const effects = { invoices: made, wallet: [], lines: [], takenUp: [], contracts: [] } as never;
    const gate = await shop.inOne((tx) => toCollect(tx, { customerId: id, terms }, effects));
    expect(gate?.amounts).toMatchObject({ fromWallet: '40.00', toPay: '60.00' });
    await shop.money(id, '-40.00');
    await shop.goesOn(id);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 300', '0.00']);
  });

  it('has no invoice paid otherwise meanwhile', async () => {
    const id = await shop.customer();
    await shop.owes(id, 201);
    await shop.money(id, '2010.00');
    const [last] = await own.db.query<{ id: string }>(`select id from invoice where customer_id = $1 and status = 'ready_for_payment'`, [
      id,
    ]);
    const pays = shop.inOne((tx) =>
      payOnRequest(tx, own.vendorId, last?.id ?? '', { method: 'manual', reference: 'cash' }, () => undefined),
    );
    expect(await refusalOf(pays)).toEqual(['payment_in_progress', expect.stringContaining('send it again')]);
    await shop.goesOn(id);
    expect(await shop.standing(id)).toBe('paid 201');
  });

  it('ends no contract whose dunning ends meanwhile', async () => {
    const id = await shop.customer();
    const { contractId } = await shop.owes(id, 300);
    await own.db.query(`update contract set configuration = configuration || '{"onDunningEnd": "cancel"}' where id = $1`, [contractId]);
    await own.db.query(
      `insert into dunning (invoice_id, customer_id, method_id, first_failure, failures, retry_days, given_up)
       select id, customer_id, $2, $3, 2, '[1]', false from invoice where customer_id = $1`,
      [id, await shop.method(id), new Date(Date.now() - 30 * DAY)],
    );
    await shop.money(id, '2995.00');
    await shop.inOne((tx) => selectDefault(tx, own.vendorId, id, 'none'));
    const ends = `select count(*)::int as n from agenda where customer_id = $1 and kind = 'dunning_end'`;
    expect(await own.db.query(ends, [id])).toEqual([{ n: 50 }]);
    const status = async () => (await own.db.query('select status from contract where id = $1', [contractId]))[0];
    for (let tried = 0; tried < 50; tried += 20) await shop.inOne((tx) => collectDueOf(tx, contractId, Date.now()));
    expect([await own.db.query(ends, [id]), await status()]).toEqual([[{ n: 0 }], { status: 'active' }]);
    await shop.goesOn(id);
    expect([await shop.standing(id), await own.db.query(ends, [id])]).toEqual(['paid 299, open in part 1', [{ n: 1 }]]);
    await shop.inOne((tx) => collectDueOf(tx, contractId, Date.now()));
    expect(await status()).toEqual({ status: 'canceled' });
  });

  it('that comes a second time begins again, and pays the same', async () => {
    const id = await shop.customer();
    await shop.owes(id, 399);
    for (const amount of ['2500.00', '1500.00']) await shop.money(id, amount);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 399, to go on', '10.00']);
    await shop.goesOn(id);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 399', '10.00']);
  });

  it('pays an invoice that is made meanwhile in its turn', async () => {
    const id = await shop.customer();
    await shop.owes(id, 250);
    const { contractId } = await shop.owes(id, 200);
    await shop.money(id, '4505.00');
    await shop.card(id);
    await shop.inOne((tx) => advanceBatch(tx, [contractId], Date.now() + HOUR));
    // what makes an invoice takes the next step itself
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 400, open 51, to go on', '505.00']);
    await shop.goesOn(id);
    // it falls due later
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 450, open in part 1', '0.00']);
  });

  it('pays nothing in a freeze, and goes on from the beginning when that ends', async () => {
    const id = await shop.customer();
    await shop.owes(id, 300);
    await shop.money(id, '3000.00');
    await shop.inOne((tx) => freezeCustomer(tx, own.vendorId, id, { notes: null }));
    expect(await shop.standing(id)).toBe('paid 200, open 100');
    await shop.goesOn(id);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 200, open 100', '1000.00']);
    await shop.inOne((tx) => activateCustomer(tx, own.vendorId, id, null));
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 300', '0.00']);
  });

  it('goes on where a step has failed: nothing of it is written', async () => {
    const id = await shop.customer();
    await shop.owes(id, 300);
    await shop.money(id, '3000.00');
    const [last] = await own.db.query<{ id: string }>('select id from invoice where customer_id = $1 order by due_date desc limit 1', [id]);
    await own.db.query(`create function fails() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$`);
    await own.db.query(`create trigger fails before update on invoice for each row when (new.id = '${last?.id}') execute function fails()`);
    await expect(shop.goesOn(id)).rejects.toThrow('out of order');
    await own.db.query('drop function fails cascade');
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 200, open 100, to go on', '1000.00']);
    await shop.goesOn(id);
    expect([await shop.standing(id), await shop.balance(id)]).toEqual(['paid 300', '0.00']);
  });

  it('pays in steps on a test clock that stands still', async () => {
    const clockId = await shop.inOne((tx) => createClock(tx, { vendorId: own.vendorId, name: null, now: Date.now() }));
    const id = await shop.customer(clockId);
    await shop.owes(id, 300);
    await shop.money(id, '3000.00');
    expect(await shop.standing(id)).toBe('paid 200, open 100, to go on');
    await shop.goesOn(id);
    expect(await shop.standing(id)).toBe('paid 300');
  });
});

describe('credits that are granted', () => {
  it('pay the oldest 200 of 300 at once, and then the rest', async () => {
    const id = await shop.customer();
    await shop.owes(id, 300);
    await shop.credits(id, '2995.00');
    expect(await shop.standing(id)).toBe('paid 200, open 100, to go on');
    await shop.goesOn(id);
    expect(await shop.standing(id)).toBe('paid 299, open in part 1');
  });

  it('pay before the wallet, in each step as they would have in one', async () => {
    const id = await shop.customer();
    const first = await shop.owes(id, 225);
    const second = await shop.owes(id, 225);
    await shop.credits(id, '2000.00', [second.planId]);
    expect(await shop.standing(id, second.contractId)).toBe('paid 100, open 125, to go on');
    await shop.money(id, '2005.00');
    expect(await shop.standing(id, first.contractId)).toBe('paid 150, open 75, to go on');
    await shop.goesOn(id);
    expect([await shop.standing(id, first.contractId), await shop.standing(id, second.contractId)]).toEqual([
      'paid 200, open in part 1, open 24',
      'paid 200, open 25',
    ]);
  });

  it('that pay none of the oldest 200 come to those behind them', async () => {
    const id = await shop.customer();
    const first = await shop.owes(id, 250, Date.now() - 50 * HOUR);
    const second = await shop.owes(id, 40);
    await shop.credits(id, '1000.00', [second.planId]);
    expect(await shop.standing(id)).toBe('open 290, to go on');
    await shop.goesOn(id);
    expect([await shop.standing(id, first.contractId), await shop.standing(id, second.contractId)]).toEqual(['open 250', 'paid 40']);
  });

  it('whose life ends meanwhile pay what they would have paid at once; what is left then expires', async () => {
    const id = await shop.customer();
    await shop.owes(id, 300);
    const grantId = await shop.credits(id, '3100.00', null, Date.now() + HOUR);
    await own.db.query('update credit_grant set expires_at = now() where id = $1', [grantId]);
    await own.db.query('update agenda set due_at = now() where subject = $1', [grantId]);
    await own.db.transaction((tx) => carryOutExpiry(tx, id, Date.now()), { by: 'timer' });
    const left = () => own.db.query('select balance, expired_at is not null as expired from credit_grant where id = $1', [grantId]);
    expect([await shop.standing(id), await left()]).toEqual(['paid 200, open 100, to go on', [{ balance: '1100.00', expired: false }]]);
    await shop.goesOn(id);
    expect([await shop.standing(id), await left()]).toEqual(['paid 300', [{ balance: '0.00', expired: true }]]);
  });

  it('that pay nothing of an invoice whose charge fails meanwhile leave it its retry', async () => {
    const id = await shop.customer();
    await shop.owes(id, 300);
    await shop.card(id);
    const other = await shop.owes(await shop.customer(), 1);
    await shop.credits(id, '1000.00', [other.planId]);
    expect(await shop.standing(id)).toBe('charged 50, open 250, to go on');
    const invoice = await shop.fails(id, 0);
    const failed = `select data from event where object_id = $1 and type = 'v1.payment.failed'`;
    const [event] = await own.db.query<{ data: unknown }>(failed, [invoice]);
    expect(event?.data).toMatchObject({ reason: 'declined', final: false });
    const rows = await own.db.query('select kind from agenda where subject = $1', [invoice]);
    expect(rows).toEqual([{ kind: 'payment_retry' }]);
    for (let step = 0; step < 2; step += 1) await shop.goesOn(id);
    expect(await shop.standing(id)).toBe('open 1, charged 99, open 200');
  });

  it('of which something is left pay a new invoice at once, without a walk over all that is open', async () => {
    const id = await shop.customer();
    await shop.owes(id, 250);
    const second = await shop.owes(id, 1);
    await shop.credits(id, '1000.00', [second.planId]);
    await shop.goesOnToTheEnd(id);
    expect(await shop.standing(id, second.contractId)).toBe('paid 1');
    await shop.inOne((tx) => advanceBatch(tx, [second.contractId], Date.now() + HOUR));
    expect(await shop.standing(id, second.contractId)).toBe('paid 2');
    expect(await shop.standing(id)).not.toMatch(/to go on$/);
  });
});
