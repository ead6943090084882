import pg from 'pg';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { portalDocuments } from '../../services/portal/documents.ts';
import { portalOverview } from '../../services/portal/overview.ts';
import { portalPayments } from '../../services/portal/payments.ts';
import { portalSubscription } from '../../services/portal/subscription.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

/** Statements that were sent and rows that came back while something ran. */
async function measured(work: () => Promise<unknown>): Promise<{ statements: number; rows: number }> {
  const count = { statements: 0, rows: 0 };
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const noted = (result: { rows?: unknown[] } | undefined) => {
    count.rows += result?.rows?.length ?? 0;
  };
  const counting = function (this: pg.Client, ...args: unknown[]): unknown {
    count.statements += 1;
    const done = args.at(-1);
    if (typeof done === 'function') {
      args[args.length - 1] = (error: unknown, result: { rows: unknown[] }) => {
        noted(result);
        done(error, result);
      };
      return original.apply(this, args);
    }
    return (original.apply(this, args) as Promise<{ rows: unknown[] }>).then((result) => {
      noted(result);
      return result;
    });
  };
  pg.Client.prototype.query = counting as typeof pg.Client.prototype.query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original as typeof pg.Client.prototype.query;
  }
  return count;
}

/** Copies of the contract's first invoice, an hour apart, every third one open after a payment that failed. */
const MANY_INVOICES = `insert into invoice select (jsonb_populate_record(i, jsonb_build_object(
    'id', 'Inv_' || gen_random_uuid(), 'number', i.number + n * 1000, 'date', i.date - n * interval '1 hour',
    'due_date', i.due_date - n * interval '1 hour', 'amount_due', case when n % 3 = 0 then i.total else 0 end,
    'status', case when n % 3 = 0 then 'ready_for_payment' else 'paid' end,
    'deposit_transaction_status', case when n % 3 = 0 then 'failed' else 'succeeded' end))).*
  from invoice i, generate_series(1, $2::int) n where i.contract_id = $1`;
const AN_ATTEMPT_EACH = `insert into payment_attempt (id, vendor_id, customer_id, invoice_id, provider, origin, amount, currency, status, reason,
    provider_key, created, ended)
  select 'PAtt_' || gen_random_uuid(), vendor_id, customer_id, id, 'sandbox', 'automatic', total, currency,
    case when status = 'paid' then 'succeeded' else 'failed' end, 'declined', id, date, date from invoice where customer_id = $1`;

describe('a customer with 10,000 invoices and 100 contracts', () => {
  let own: OwnDatabase;
  let vendorId: string;

  /** As many contracts, and as many invoices beside those that signing made. */
  async function customerWith(contracts: number, invoices: number) {
    const { db } = own;
    const customer = { ...blankCustomer(vendorId, null, Date.now()), name: 'Acme', status: 'active' as const };
    await db.transaction((tx) => insertCustomer(tx, customer, Date.now()));
    const ids: string[] = [];
    for (let n = 0; n < contracts; n += 1) {
      const plan = flatPlan('10.00');
      await db.transaction((tx) => savePlan(tx, vendorId, plan, Date.now()));
      ids.push(await db.transaction((tx) => signContract(tx, signInput(vendorId, customer.id, plan.id))));
    }
    await db.query(MANY_INVOICES, [ids[0], invoices]);
    await db.query(AN_ATTEMPT_EACH, [customer.id]);
    return { visitor: { vendorId, customerId: customer.id }, contract: ids[0] ?? '' };
  }

  const pagesOf = ({ visitor, contract }: Awaited<ReturnType<typeof customerWith>>) => {
    const { db } = own;
    return {
      overview: () => portalOverview(db, visitor, { now: Date.now(), resumeAt: null }, null),
      contract: () => portalSubscription(db, visitor, contract, Date.now()),
      documents: () => portalDocuments(db.em(), visitor, Date.now()),
      open: () => portalDocuments(db.em(), visitor, Date.now(), { show: 'open' }),
      payments: () => portalPayments(db.em(), visitor),
    };
  };

  beforeAll(async () => {
    own = await ownDatabase();
    ({ vendorId } = await createVendor(own.db, 'Large'));
  });
  afterAll(() => own.drop());

  it('costs no statement and no row more than one with 60 invoices and 25 contracts', async () => {
    const few = pagesOf(await customerWith(25, 60));
    const many = pagesOf(await customerWith(100, 10_000));
    await own.db.query('analyze');
    for (const name of Object.keys(few) as (keyof typeof few)[]) {
      const [one, other] = [await measured(few[name]), await measured(many[name])];
      expect({ name, ...other }).toEqual({ name, ...one });
      expect({ name, within: other.statements <= 35 && other.rows <= 400 }).toEqual({ name, within: true });
    }
  });

  it('shows 20 contracts, 10 open invoices and 10 documents at first, and the rest behind them', async () => {
    const { visitor } = await customerWith(25, 60);
    const { db } = own;
    const first = await portalOverview(db, visitor, { now: Date.now(), resumeAt: null }, null);
    expect([first.contracts.rows.length, first.open.invoices.length, first.open.more, first.documents.length]).toEqual([20, 10, true, 10]);
    expect(first.charges.size).toBe(20);
    expect([...first.charges.values()]).toContainEqual(expect.objectContaining({ total: '10', currency: 'usd' }));
    const second = await portalOverview(db, visitor, { now: Date.now(), resumeAt: null }, first.contracts.next);
    const ids = [...first.contracts.rows, ...second.contracts.rows].map(({ contract }) => contract.id);
    expect([new Set(ids).size, second.contracts.rows.length, second.contracts.next]).toEqual([25, 5, null]);
  });
});
