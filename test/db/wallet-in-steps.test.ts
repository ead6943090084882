import { DAY, HOUR } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { createClock } from '../../services/clock/create.ts';
import { advanceBatch } from '../../services/contract/advance.ts';
import { signContract } from '../../services/contract/sign.ts';
import { carryOutExpiry } from '../../services/credit/carry-out-expiry.ts';
import { grantCredits } from '../../services/credit/grant.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { collectDueOf, collectDueOfCustomer } from '../../services/payment/collect-due.ts';
import { insertMethod, selectDefault } from '../../services/payment/method.ts';
import { payOnRequest } from '../../services/payment/pay.ts';
import { recordOutcome } from '../../services/payment/record.ts';
import { toCollect } from '../../services/payment-gate/open.ts';
import { savePlan } from '../../services/plan/save.ts';
import { grant } from '../../services/wallet/grant.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const own = countedVendor('Many open');
afterEach(async () => expect(await checkLedger(own.db)).toEqual([]));

const inOne = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => own.db.transaction(work);

async function customer(clockId: string | null = null): Promise<string> {
  const made = { ...blankCustomer(own.vendorId, clockId, Date.now()), name: 'Acme', status: 'active' as const };
  await inOne((tx) => insertCustomer(tx, made, Date.now()));
  return made.id;
}

/** An hourly contract of 10.00 whose last hours are invoiced, and that nobody has paid. */
async function owes(customerId: string, hours: number, ends: number | null = null): Promise<{ contractId: string; planId: string }> {
  const plan = flatPlan('10.00', { cycle: 'hour' });
  const now = Date.now();
  const activation = (ends ?? now + HOUR / 2) - hours * HOUR;
  const contractId = await inOne(async (tx) => {
    await savePlan(tx, own.vendorId, plan, now);
    return signContract(tx, { ...signInput(own.vendorId, customerId, plan.id), activation, expiration: ends });
  });
  for (let done = 0; done < hours; done += 50) await inOne((tx) => advanceBatch(tx, [contractId], now));
  return { contractId, planId: plan.id };
}

const money = (customerId: string, amount: string): Promise<string> =>
  inOne((tx) => grant(tx, { vendorId: own.vendorId, customerId, currency: 'usd', amount, description: 'By hand', at: Date.now() }));

const credits = (customerId: string, amount: string, plans: string[] | null = null, expiresAt: number | null = null): Promise<string> => {
  const given = {
    vendorId: own.vendorId,
    customerId,
    currency: 'usd' as const,
    kind: 'promotional' as const,
    amount,
    price: null,
    priority: 50,
    plans,
  };
  return inOne((tx) => grantCredits(tx, { ...given, effectiveAt: 0, expiresAt, features: null, description: null }));
};

/** Does what the customer's workflow does next. */
const goesOn = (customerId: string): Promise<void> => collectDueOfCustomer(own.db, customerId);

/** Runs of invoices that stand alike, the first due first, as "paid 200", and whether there is more to do. */
async function standing(customerId: string, contractId: string | null = null): Promise<string> {
  const rows = await own.db.query<{ status: string }>(
    `select case when status = 'ready_for_payment' then case when deposit_transaction_status = 'processing' then 'charged' else 'open' end else status end
     || case when amount_due > 0 and amount_due < total then ' in part' else '' end as status
     from invoice where customer_id = $1 and ($2::text is null or contract_id = $2) order by due_date, date, id`,
    [customerId, contractId],
  );
  const runs: { status: string; n: number }[] = [];
  for (const { status } of rows) {
    const last = runs.at(-1);
    if (last?.status === status) last.n += 1;
    else runs.push({ status, n: 1 });
  }
  const [left] = await own.db.query<{ n: number }>(
    `select count(*)::int as n from agenda where customer_id = $1 and kind = 'wallet_rest'`,
    [customerId],
  );
  return [...runs.map(({ status, n }) => `${status} ${n}`), ...(left?.n === 0 ? [] : ['to go on'])].join(', ');
}

async function balance(customerId: string): Promise<string> {
  const [wallet] = await own.db.query<{ balance: string }>(`select balance from wallet where customer_id = $1 and currency = 'usd'`, [
    customerId,
  ]);
  return wallet?.balance ?? '';
}

/** A card that is no default method. */
const method = (customerId: string): Promise<string | null> => {
  const details = { brand: 'visa', last4: '4242', expMonth: null, expYear: null };
  const shown = { type: 'card' as const, details, holderName: null, reference: `sandbox_ok.${customerId}`, customerReference: null };
  const whose = { vendorId: own.vendorId, customerId, clockId: null, provider: 'sandbox' as const };
  return inOne((tx) => insertMethod(tx, whose, shown, Date.now()));
};

async function card(customerId: string): Promise<void> {
  const id = await method(customerId);
  await inOne((tx) => selectDefault(tx, own.vendorId, customerId, id ?? ''));
}

const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing refused',
    (error: unknown) => (error instanceof Refusal ? [error.code, error.message] : error),
  );

describe('money that is given', () => {
  it('pays 200 open invoices in its own transaction, as long as there are no more', async () => {
    const id = await customer();
    await owes(id, 200);
    await money(id, '2100.00');
    expect([await standing(id), await balance(id)]).toEqual(['paid 200', '100.00']);
  });

  it('pays the oldest 200 of 450 at once, and leaves the rest to the customer’s workflow: 200, then 50', async () => {
    const id = await customer();
    await owes(id, 250);
    await owes(id, 200);
    const messages = await inOne(async (tx) => {
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
    expect([await standing(id), await balance(id)]).toEqual(['paid 200, open 250, to go on', '3000.00']);
    await goesOn(id);
    expect([await standing(id), await balance(id)]).toEqual(['paid 400, open 50, to go on', '1000.00']);
    await goesOn(id);
    expect([await standing(id), await balance(id)]).toEqual(['paid 450', '500.00']);
    await goesOn(id);
    expect([await standing(id), await balance(id)]).toEqual(['paid 450', '500.00']);
  });

  it('sends and reads as much with 450 open as with 250', async () => {
    const [some, more] = [await customer(), await customer()];
    for (const [id, hours] of [
      [some, 150],
      [some, 100],
      [more, 250],
      [more, 200],
    ] as const)
      await owes(id, hours);
    const one = await own.during(() => money(some, '9000.00'));
    expect(await own.during(() => money(more, '9000.00'))).toEqual(one);
  });

  it('ends in the middle of an invoice, and what is left is charged then, not before', async () => {
    const id = await customer();
    await owes(id, 300);
    await money(id, '2505.00');
    await card(id);
    expect(await standing(id)).toBe('paid 200, open 100, to go on');
    await goesOn(id);
    expect([await standing(id), await balance(id)]).toEqual(['paid 250, charged in part 1, charged 49', '0.00']);
  });

  it('of which 200 take all leaves nothing to go on with', async () => {
    const id = await customer();
    await owes(id, 201);
    await money(id, '2000.00');
    expect([await standing(id), await balance(id)]).toEqual(['paid 200, open 1', '0.00']);
  });

  it('is the customer’s once: what has yet to pay is neither taken back nor held for a change', async () => {
    const id = await customer();
    await owes(id, 300);
    await money(id, '3040.00');
    expect(await balance(id)).toBe('1040.00');
    expect(await refusalOf(money(id, '-50.00'))).toEqual(['wallet_insufficient', "the wallet has 40.00 usd that isn't held"]);
    const terms = { currency: 'usd' } as never;
    const made = [{ id: 'Inv_new', total: '100.00', status: 'ready_for_payment' }] as never;
    const effects = { invoices: made, wallet: [], lines: [], takenUp: [], contracts: [] } as never;
    const gate = await inOne((tx) => toCollect(tx, { customerId: id, terms }, effects));
    expect(gate?.amounts).toMatchObject({ fromWallet: '40.00', toPay: '60.00' });
    await money(id, '-40.00');
    await goesOn(id);
    expect([await standing(id), await balance(id)]).toEqual(['paid 300', '0.00']);
  });

  it('has no invoice paid otherwise meanwhile', async () => {
    const id = await customer();
    await owes(id, 201);
    await money(id, '2010.00');
    const [last] = await own.db.query<{ id: string }>(`select id from invoice where customer_id = $1 and status = 'ready_for_payment'`, [
      id,
    ]);
    const pays = inOne((tx) => payOnRequest(tx, own.vendorId, last?.id ?? '', { method: 'manual', reference: 'cash' }, () => undefined));
    expect(await refusalOf(pays)).toEqual(['payment_in_progress', expect.stringContaining('send it again')]);
    await goesOn(id);
    expect(await standing(id)).toBe('paid 201');
  });

  it('ends no contract whose dunning ends meanwhile', async () => {
    const id = await customer();
    const { contractId } = await owes(id, 300);
    await own.db.query(`update contract set configuration = configuration || '{"onDunningEnd": "cancel"}' where id = $1`, [contractId]);
    await own.db.query(
      `insert into dunning (invoice_id, customer_id, method_id, first_failure, failures, retry_days, given_up)
       select id, customer_id, $2, $3, 2, '[1]', false from invoice where customer_id = $1`,
      [id, await method(id), new Date(Date.now() - 30 * DAY)],
    );
    await money(id, '2995.00');
    await inOne((tx) => selectDefault(tx, own.vendorId, id, 'none'));
    const ends = `select count(*)::int as n from agenda where customer_id = $1 and kind = 'dunning_end'`;
    expect(await own.db.query(ends, [id])).toEqual([{ n: 50 }]);
    const status = async () => (await own.db.query('select status from contract where id = $1', [contractId]))[0];
    for (let tried = 0; tried < 50; tried += 20) await inOne((tx) => collectDueOf(tx, contractId, Date.now()));
    expect([await own.db.query(ends, [id]), await status()]).toEqual([[{ n: 0 }], { status: 'active' }]);
    await goesOn(id);
    expect([await standing(id), await own.db.query(ends, [id])]).toEqual(['paid 299, open in part 1', [{ n: 1 }]]);
    await inOne((tx) => collectDueOf(tx, contractId, Date.now()));
    expect(await status()).toEqual({ status: 'canceled' });
  });

  it('that comes a second time begins again, and pays the same', async () => {
    const id = await customer();
    await owes(id, 399);
    for (const amount of ['2500.00', '1500.00']) await money(id, amount);
    expect([await standing(id), await balance(id)]).toEqual(['paid 399, to go on', '10.00']);
    await goesOn(id);
    expect([await standing(id), await balance(id)]).toEqual(['paid 399', '10.00']);
  });

  it('pays an invoice that is made meanwhile in its turn', async () => {
    const id = await customer();
    await owes(id, 250);
    const { contractId } = await owes(id, 200);
    await money(id, '4505.00');
    await card(id);
    await inOne((tx) => advanceBatch(tx, [contractId], Date.now() + HOUR));
    // what makes an invoice takes the next step itself
    expect([await standing(id), await balance(id)]).toEqual(['paid 400, open 51, to go on', '505.00']);
    await goesOn(id);
    // it falls due later
    expect([await standing(id), await balance(id)]).toEqual(['paid 450, open in part 1', '0.00']);
  });

  it('pays nothing in a freeze, and goes on from the beginning when that ends', async () => {
    const id = await customer();
    await owes(id, 300);
    await money(id, '3000.00');
    await inOne((tx) => freezeCustomer(tx, own.vendorId, id, { notes: null }));
    expect(await standing(id)).toBe('paid 200, open 100');
    await goesOn(id);
    expect([await standing(id), await balance(id)]).toEqual(['paid 200, open 100', '1000.00']);
    await inOne((tx) => activateCustomer(tx, own.vendorId, id, null));
    expect([await standing(id), await balance(id)]).toEqual(['paid 300', '0.00']);
  });

  it('goes on where a step has failed: nothing of it is written', async () => {
    const id = await customer();
    await owes(id, 300);
    await money(id, '3000.00');
    const [last] = await own.db.query<{ id: string }>('select id from invoice where customer_id = $1 order by due_date desc limit 1', [id]);
    await own.db.query(`create function fails() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$`);
    await own.db.query(`create trigger fails before update on invoice for each row when (new.id = '${last?.id}') execute function fails()`);
    await expect(goesOn(id)).rejects.toThrow('out of order');
    await own.db.query('drop function fails cascade');
    expect([await standing(id), await balance(id)]).toEqual(['paid 200, open 100, to go on', '1000.00']);
    await goesOn(id);
    expect([await standing(id), await balance(id)]).toEqual(['paid 300', '0.00']);
  });

  it('pays in steps on a test clock that stands still', async () => {
    const clockId = await inOne((tx) => createClock(tx, { vendorId: own.vendorId, name: null, now: Date.now() }));
    const id = await customer(clockId);
    await owes(id, 300);
    await money(id, '3000.00');
    expect(await standing(id)).toBe('paid 200, open 100, to go on');
    await goesOn(id);
    expect(await standing(id)).toBe('paid 300');
  });
});

describe('credits that are granted', () => {
  it('pay the oldest 200 of 300 at once, and then the rest', async () => {
    const id = await customer();
    await owes(id, 300);
    await credits(id, '2995.00');
    expect(await standing(id)).toBe('paid 200, open 100, to go on');
    await goesOn(id);
    expect(await standing(id)).toBe('paid 299, open in part 1');
  });

  it('pay before the wallet, in each step as they would have in one', async () => {
    const id = await customer();
    const first = await owes(id, 225);
    const second = await owes(id, 225);
    await credits(id, '2000.00', [second.planId]);
    expect(await standing(id, second.contractId)).toBe('paid 100, open 125, to go on');
    await money(id, '2005.00');
    expect(await standing(id, first.contractId)).toBe('paid 150, open 75, to go on');
    await goesOn(id);
    expect([await standing(id, first.contractId), await standing(id, second.contractId)]).toEqual([
      'paid 200, open in part 1, open 24',
      'paid 200, open 25',
    ]);
  });

  it('that pay none of the oldest 200 come to those behind them', async () => {
    const id = await customer();
    const first = await owes(id, 250, Date.now() - 50 * HOUR);
    const second = await owes(id, 40);
    await credits(id, '1000.00', [second.planId]);
    expect(await standing(id)).toBe('open 290, to go on');
    await goesOn(id);
    expect([await standing(id, first.contractId), await standing(id, second.contractId)]).toEqual(['open 250', 'paid 40']);
  });

  it('whose life ends meanwhile pay what they would have paid at once; what is left then expires', async () => {
    const id = await customer();
    await owes(id, 300);
    const grantId = await credits(id, '3100.00', null, Date.now() + HOUR);
    await own.db.query('update credit_grant set expires_at = now() where id = $1', [grantId]);
    await own.db.query('update agenda set due_at = now() where subject = $1', [grantId]);
    await own.db.transaction((tx) => carryOutExpiry(tx, id, Date.now()), { by: 'timer' });
    const left = () => own.db.query('select balance, expired_at is not null as expired from credit_grant where id = $1', [grantId]);
    expect([await standing(id), await left()]).toEqual(['paid 200, open 100, to go on', [{ balance: '1100.00', expired: false }]]);
    await goesOn(id);
    expect([await standing(id), await left()]).toEqual(['paid 300', [{ balance: '0.00', expired: true }]]);
  });

  it('that pay nothing of an invoice whose charge fails meanwhile leave it its retry', async () => {
    const id = await customer();
    await owes(id, 300);
    await card(id);
    const other = await owes(await customer(), 1);
    await credits(id, '1000.00', [other.planId]);
    expect(await standing(id)).toBe('charged 50, open 250, to go on');
    const [attempt] = await own.db.query<{ id: string; invoice: string }>(
      'select id, invoice_id as invoice from payment_attempt where customer_id = $1 order by id limit 1',
      [id],
    );
    const outcome = { status: 'failed' as const, reference: null, reason: 'declined' as const, retryable: true };
    await inOne((tx) => recordOutcome(tx, attempt?.id ?? '', outcome, [1, 3]));
    const [event] = await own.db.query<{ data: unknown }>(`select data from event where object_id = $1 and type = 'v1.payment.failed'`, [
      attempt?.invoice,
    ]);
    expect(event?.data).toMatchObject({ reason: 'declined', final: false });
    const rows = await own.db.query('select kind from agenda where subject = $1', [attempt?.invoice]);
    expect(rows).toEqual([{ kind: 'payment_retry' }]);
    for (let step = 0; step < 2; step += 1) await goesOn(id);
    expect(await standing(id)).toBe('open 1, charged 99, open 200');
  });

  it('of which something is left pay a new invoice at once, without a walk over all that is open', async () => {
    const id = await customer();
    await owes(id, 250);
    const second = await owes(id, 1);
    await credits(id, '1000.00', [second.planId]);
    while ((await standing(id)).endsWith('to go on')) await goesOn(id);
    expect(await standing(id, second.contractId)).toBe('paid 1');
    await inOne((tx) => advanceBatch(tx, [second.contractId], Date.now() + HOUR));
    expect(await standing(id, second.contractId)).toBe('paid 2');
    expect(await standing(id)).not.toMatch(/to go on$/);
  });
});
