import type { Database } from '../../db/connect.ts';
import type { Api } from './api.ts';

interface LongHistory {
  readonly customer: string;
  /** the first of them */
  readonly contract: string;
  /** an open one */
  readonly invoice: string;
}

/** A contract takes two requests: no more of them run at a time. */
const AT_ONCE = 5;

/**
 * A customer with many contracts and many invoices, of which one in fifty is open. The invoices are copies of the
 * first one, spread over the contracts, without postings: only for a database that nobody checks.
 */
export async function longHistory(
  db: Database,
  api: Api,
  { contracts, invoices }: { contracts: number; invoices: number },
): Promise<LongHistory> {
  const customer = await api.made('/v1/c/customer', { name: 'Long-standing', emails: { main: 'long@example.com' } });
  await api.made(`/v1/c/customer/${customer}/activate`, {});
  const sign = async (n: number): Promise<string> => {
    const plan = await api.made('/v1/c/plan', planWithUsage(n));
    return api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  };
  const signed: string[] = [];
  while (signed.length < contracts) {
    const some = Math.min(AT_ONCE, contracts - signed.length);
    signed.push(...(await Promise.all(Array.from({ length: some }, (_, n) => sign(signed.length + n)))));
  }
  const [contract = ''] = signed;
  const [{ invoice }] = (await api.read(`/v1/c/invoice?contract=${contract}`)).hits;
  await db.query(COPIES, [invoice.id, invoices, signed]);
  await db.query(COPIED_ITEMS, [invoice.id, customer]);
  return { customer, contract, invoice: invoice.id };
}

const FIRST_COPY = 1_000_000;

const COPIES = `
  insert into invoice
  select (jsonb_populate_record(i, jsonb_build_object(
    'id', 'Inv_' || gen_random_uuid(), 'number', ${FIRST_COPY} + n, 'contract_id', ($3::text[])[1 + n % cardinality($3::text[])], 'date', i.date - n * interval '1 hour',
    'status', case when n % 50 = 0 then 'ready_for_payment' else 'paid' end,
    'amount_due', case when n % 50 = 0 then i.total else 0 end))).*
  from invoice i, generate_series(1, $2::int) n where i.id = $1`;

const COPIED_ITEMS = `
  insert into invoice_item
  select (jsonb_populate_record(l, jsonb_build_object(
    'id', 'Item_' || gen_random_uuid(), 'invoice_id', i.id, 'contract_id', i.contract_id, 'charge_key', 'copy ' || i.number || ' ' || l.charge_key))).*
  from invoice i join invoice_item l on l.invoice_id = $1
  where i.customer_id = $2 and i.number > ${FIRST_COPY}`;

/** A customer has at most one contract of a plan. */
function planWithUsage(n: number): object {
  const calls = { amount: '0.10', strategy_details: { pricing_strategy: 'usage', unit_name: 'call' } };
  const seats = {
    amount: '10',
    strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '5', minimum_units: '0' },
  };
  return {
    slug: `long-${n}`,
    internal_name: `Long ${n}`,
    external_name: `Long ${n}`,
    strategy: 'plan',
    features: ['seats', `calls-${n}`, 'sso'].map((slug) => ({ slug, name: slug })),
    pricings: [
      {
        currency: 'usd',
        cycle: 'month',
        price: { amount: '100', strategy_details: { pricing_strategy: 'flat' } },
        features: { [`calls-${n}`]: calls, seats },
      },
    ],
  };
}
