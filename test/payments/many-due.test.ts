import { DAY, HOUR } from '../../billing/calendar/instant.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import type { Tx } from '../../db/transaction.ts';
import { createClock } from '../../services/clock/create.ts';
import { signContract } from '../../services/contract/sign.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { collectDueOf, collectDueOfCustomer } from '../../services/payment/collect-due.ts';
import { insertMethod, selectDefault } from '../../services/payment/method.ts';
import { savePlan } from '../../services/plan/save.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

/** Copies of the contract's first invoice, each due an hour before the last, the newest first. */
const COPIES = `insert into invoice select (jsonb_populate_record(i, jsonb_build_object('id', 'Inv_' || gen_random_uuid(),
    'number', i.number + n * 1000, 'date', i.date - n * interval '1 hour', 'due_date', i.due_date - n * interval '1 hour'))).*
  from invoice i, generate_series(1, $2::int) n where i.contract_id = $1`;

const own = countedVendor('Many due');

interface Debtor {
  customerId: string;
  chainId: string;
  method: string;
}

const addsCard = (tx: Tx, { id: customerId, clockId }: Pick<CustomerRecord, 'id' | 'clockId'>, name: string): Promise<string | null> => {
  const details = { brand: 'visa', last4: '4242', expMonth: null, expYear: null };
  const card = { type: 'card' as const, details, holderName: null, reference: `${name}.${customerId}`, customerReference: null };
  return insertMethod(tx, { vendorId: own.vendorId, customerId, clockId, provider: 'sandbox' }, card, Date.now());
};

/** A customer with a card that pays nothing yet, and this many open invoices of one contract, due hour by hour. */
async function owes(invoices: number, clockId: string | null = null, netDays = 0): Promise<Debtor> {
  const customer = { ...blankCustomer(own.vendorId, clockId, Date.now()), name: 'Acme', status: 'active' as const };
  const plan = flatPlan('10.00');
  const made = await own.db.transaction(async (tx) => {
    await insertCustomer(tx, customer, Date.now());
    await savePlan(tx, own.vendorId, plan, Date.now());
    const configuration = { onDunningEnd: 'cancel' as const, netDays };
    const chainId = await signContract(tx, { ...signInput(own.vendorId, customer.id, plan.id), configuration });
    return { chainId, method: (await addsCard(tx, customer, 'sandbox_ok')) ?? '' };
  });
  await own.db.query(COPIES, [made.chainId, invoices - 1]);
  return { customerId: customer.id, ...made };
}

/** Chooses the card; gives the messages of that transaction. */
const chooses = ({ customerId, method }: Debtor): Promise<string[]> =>
  own.db.transaction(async (tx) => {
    await selectDefault(tx, own.vendorId, customerId, method);
    return tx.outbox.map(({ workflowId }) => workflowId);
  });

/** When each invoice with an attempt was due, as hours before the newest, in the order of their attempts. */
const charged = async ({ customerId }: Debtor): Promise<number[]> => {
  const rows = await own.db.query<{ hours: number }>(
    `select round(extract(epoch from (select max(due_date) from invoice where customer_id = $1) - i.due_date) / 3600)::int as hours
     from payment_attempt a join invoice i on i.id = a.invoice_id where a.customer_id = $1 order by a.id`,
    [customerId],
  );
  return rows.map(({ hours }) => hours);
};

/** What stands on the agenda of its collections: "payment_rest" alone, or each kind with how often. */
async function planned({ customerId }: Debtor): Promise<Record<string, number>> {
  const rows = await own.db.query<{ kind: string; count: string }>(
    `select kind, count(*) from agenda where customer_id = $1 and (kind like 'payment_%' or kind = 'dunning_end') group by kind`,
    [customerId],
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)]));
}

/** Does what the customer's workflow does at the instant at which it plans what was left over. */
async function goesOn({ customerId }: Debtor): Promise<void> {
  await own.db.query(`update agenda set due_at = now() where customer_id = $1 and kind = 'payment_rest'`, [customerId]);
  await collectDueOfCustomer(own.db, customerId);
}

const freezes = ({ customerId }: Debtor): Promise<void> =>
  own.db.transaction((tx) => freezeCustomer(tx, own.vendorId, customerId, { notes: null }));
const isActivated = ({ customerId }: Debtor): Promise<void> =>
  own.db.transaction((tx) => activateCustomer(tx, own.vendorId, customerId, null));

const down = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, n) => from - n);

describe('a card chosen with many invoices due', () => {
  it('charges 50 of 50 at once, the oldest first', async () => {
    const few = await owes(50);
    const messages = await chooses(few);
    expect(await charged(few)).toEqual(down(49, 0));
    expect(await planned(few)).toEqual({});
    expect(messages).not.toContain(`customer:${few.customerId}`);
  });

  it('charges the oldest 50 of 125 at once, and leaves 75 to the customer’s workflow: 50 five seconds later, then 25', async () => {
    const many = await owes(125);
    const messages = await chooses(many);
    expect(messages.filter((id) => id.startsWith('payment:'))).toHaveLength(50);
    expect(messages.filter((id) => !id.startsWith('payment:'))).toEqual([`customer:${many.customerId}`]);
    expect(await charged(many)).toEqual(down(124, 75));
    expect(await planned(many)).toEqual({ payment_rest: 1 });
    const [rest] = await own.db.query<{ after: number }>(
      `select round(extract(epoch from due_at - clock_timestamp()))::int as after from agenda where subject = $1`,
      [many.customerId],
    );
    expect(rest?.after).toBeLessThanOrEqual(5);
    await collectDueOfCustomer(own.db, many.customerId);
    expect(await charged(many)).toHaveLength(50);
    await goesOn(many);
    expect(await charged(many)).toEqual(down(124, 25));
    await goesOn(many);
    expect(await charged(many)).toEqual(down(124, 0));
    expect(await planned(many)).toEqual({});
  });

  it('reads and writes as many rows with 400 of them as with 75', async () => {
    const [some, more] = [await owes(75), await owes(400)];
    const one = await own.during(() => chooses(some));
    expect(await own.during(() => chooses(more))).toEqual(one);
  });

  it('charges each once where it is chosen again before all are charged, and again after', async () => {
    const many = await owes(75);
    await chooses(many);
    await chooses(many);
    expect(await charged(many)).toEqual(down(74, 25));
    await goesOn(many);
    await goesOn(many);
    expect(await charged(many)).toEqual(down(74, 0));
    await chooses(many);
    await goesOn(many);
    expect(await charged(many)).toHaveLength(75);
    expect(await planned(many)).toEqual({});
  });

  it('charges none of a customer who is frozen meanwhile, and the rest when the freeze ends', async () => {
    const many = await owes(75);
    await chooses(many);
    await freezes(many);
    await goesOn(many);
    expect([await planned(many), (await charged(many)).length]).toEqual([{}, 50]);
    await isActivated(many);
    await goesOn(many);
    expect(await charged(many)).toEqual(down(74, 0));
  });

  it('plans 75 that fall due later, and takes them off the agenda when nothing pays any more', async () => {
    const many = await owes(75, null, 10);
    await chooses(many);
    expect(await planned(many)).toEqual({ payment_due: 50, payment_rest: 1 });
    await goesOn(many);
    expect(await planned(many)).toEqual({ payment_due: 75 });
    await chooses({ ...many, method: 'none' });
    expect(await planned(many)).toEqual({ payment_due: 25, payment_rest: 1 });
    await goesOn(many);
    expect([await planned(many), await charged(many)]).toEqual([{}, []]);
  });

  it('charges all 75 at once on a test clock: while it stands still, nobody takes anything from its agenda', async () => {
    const clockId = await own.db.transaction((tx) => createClock(tx, { vendorId: own.vendorId, name: null, now: Date.now() }));
    const many = await owes(75, clockId);
    await chooses(many);
    expect(await charged(many)).toEqual(down(74, 0));
    expect(await planned(many)).toEqual({});
  });

  it('ends no dunning of another card while the charge by this one still waits for its turn', async () => {
    const many = await owes(75);
    const old = await own.db.transaction((tx) => addsCard(tx, { id: many.customerId, clockId: null }, 'sandbox_declined'));
    await own.db.query(
      `insert into dunning (invoice_id, customer_id, method_id, first_failure, failures, retry_days, given_up)
       select id, customer_id, $2, $3, 2, '[1]', false from invoice where customer_id = $1`,
      [many.customerId, old, new Date(Date.now() - 30 * DAY)],
    );
    await chooses({ ...many, method: 'none' });
    await goesOn(many);
    expect(await planned(many)).toEqual({ dunning_end: 75 });
    await chooses(many);
    while ((await planned(many)).dunning_end !== undefined)
      await own.db.transaction((tx) => collectDueOf(tx, many.chainId, Date.now() + HOUR));
    expect((await charged(many)).toSorted((a, b) => b - a)).toEqual(down(74, 0));
    const [contract] = await own.db.query<{ status: string }>('select status from contract where id = $1', [many.chainId]);
    expect(contract?.status).toBe('active');
  });
});
