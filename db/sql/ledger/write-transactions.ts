import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import type { AccountKind } from '../../entities/ledger.ts';
import { stamp } from '../../rows.ts';
import { CLOCK_OF_CUSTOMER, KEEP_SUMS } from './parts.ts';

export interface Posting {
  kind: AccountKind;
  /** a customer, a provider, or '' for the vendor's own */
  owner: string;
  /** debit positive, credit negative */
  amount: string;
}

export interface Entry {
  id: string;
  vendorId: string;
  customerId: string;
  /** with `occasion` unique: a second run writes nothing */
  kind: string;
  occasion: string;
  invoiceId: string | null;
  currency: string;
  at: Instant;
  postings: Posting[];
}

const SQL = `
  with given as (
    select * from jsonb_to_recordset($1::jsonb)
      as x(id text, vendor_id text, customer_id text, kind text, occasion text, invoice_id text, currency text, at timestamptz, postings jsonb)
  ), made as (
    insert into ledger_transaction (id, vendor_id, clock_id, customer_id, kind, occasion, invoice_id, at)
    select id, vendor_id, ${CLOCK_OF_CUSTOMER}, customer_id, kind, occasion, invoice_id, at from given as entry
    on conflict (kind, occasion) do nothing returning id, clock_id
  ), parts as (
    select g.id as transaction_id, g.vendor_id, m.clock_id, g.at, g.currency, p.kind, p.owner, p.amount,
      g.vendor_id || '/' || p.kind || '/' || p.owner || '/' || g.currency as account_id
    from given g join made m on m.id = g.id, jsonb_to_recordset(g.postings) as p(kind text, owner text, amount numeric)
  ), accounts as (
    insert into ledger_account (id, vendor_id, kind, owner, currency)
    select distinct account_id, vendor_id, kind, owner, currency from parts order by account_id
    on conflict do nothing
  ), kept as (${KEEP_SUMS})
  insert into ledger_posting (transaction_id, account_id, amount)
  select transaction_id, account_id, amount from parts`;

/**
 * Writes transactions with their postings and the accounts they need. SQL: three tables and the kept sums in one
 * statement, at whose end the database refuses what doesn't balance.
 */
export async function writeTransactions(tx: Queryable, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map(({ id, vendorId, customerId, kind, occasion, invoiceId, currency, at, postings }) => ({
    id,
    vendor_id: vendorId,
    customer_id: customerId,
    kind,
    occasion,
    invoice_id: invoiceId,
    currency,
    at: stamp(at),
    postings,
  }));
  await tx.query(SQL, [JSON.stringify(rows)]);
}
