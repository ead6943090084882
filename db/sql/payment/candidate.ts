import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Pause } from '../../../billing/calendar/pauses.ts';
import type { OnDunningEnd } from '../../../billing/contract/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { ProviderName } from '../../../billing/payment/types.ts';
import { toPauses } from '../customer/pauses.ts';

/** An invoice with all that decides whether and when it is collected automatically. */
export interface Candidate {
  id: string;
  vendorId: string;
  customerId: string;
  contractId: string | null;
  /** the workflow that waits for what is due of it */
  workflowId: string;
  clockId: string | null;
  clockAdvancing: boolean;
  /** the time on its clock */
  now: Instant;
  currency: Currency;
  dueDate: Instant;
  amountDue: string;
  /** unpaid, a default method that can be charged, no open attempt */
  collectable: boolean;
  /**
   * automatic, ready, customer active, something left that reaches the threshold or is of a top-up: what is charged,
   * and what dunning may end
   */
  isUnpaid: boolean;
  /** false while credits and wallet have yet to pay open invoices of the customer: nothing else collects any of them */
  isOffered: boolean;
  /** an attempt is open */
  isUnderWay: boolean;
  /** what its contract says of the end of dunning */
  onDunningEnd: OnDunningEnd;
  method: { id: string; provider: ProviderName } | null;
  dunning: {
    methodId: string;
    firstFailure: Instant;
    failures: number;
    retryDays: number[];
    givenUp: boolean;
    ended: Instant | null;
  } | null;
  pauses: Pause[];
}

/** A candidate as `CANDIDATE` reads it. */
export interface CandidateRow extends Omit<Candidate, 'method' | 'dunning' | 'pauses'> {
  methodId: string | null;
  provider: ProviderName | null;
  dunnedMethod: string | null;
  firstFailure: Instant | null;
  failures: number | null;
  retryDays: number[] | null;
  givenUp: boolean | null;
  ended: Instant | null;
  pauses: { from: string; to: string | null }[] | null;
}

/** SQL: a top-up asks for its money at once, however little it is: nothing would ever be added to its invoice. */
const OF_TOP_UP = 'exists (select from credit_grant g where g.invoice_id = i.id and g.top_up_id is not null)';

/** SQL: automatic, ready, something left that is worth collecting, customer active. */
const IS_UNPAID = `i.automatic and i.status = 'ready_for_payment' and i.amount_due > 0 and c.status = 'active'
      and (i.amount_due >= coalesce((v.payment_threshold ->> i.currency)::numeric, 0) or ${OF_TOP_UP})`;

/** SQL: the default method of a customer, if it can be charged automatically. */
const DEFAULT_METHOD = `m.id = c.default_payment and m.status = 'active' and m.provider <> 'self_handled'`;

/**
 * SQL: candidates of invoices `i`, without a condition.
 *
 * @param invoices a table or a function with the columns of `invoice`
 */
export const candidatesAmong = (invoices: string): string => `
  select i.id, i.vendor_id as "vendorId", i.customer_id as "customerId", i.contract_id as "contractId", i.test_clock_id as "clockId",
    coalesce(t.status = 'advancing', false) as "clockAdvancing", coalesce(t.now, date_trunc('milliseconds', clock_timestamp())) as now,
    coalesce(k.root_id, 'customer:' || i.customer_id) as "workflowId", i.currency, i.due_date as "dueDate", i.amount_due as "amountDue",
    ${IS_UNPAID} and m.id is not null
      and not exists (select 1 from payment_attempt a where a.invoice_id = i.id and a.status = 'processing') as collectable,
    ${IS_UNPAID} as "isUnpaid",
    not exists (select from wallet w where w.customer_id = i.customer_id and w.currency = i.currency and w.pays_after is not null) as "isOffered",
    exists (select 1 from payment_attempt a where a.invoice_id = i.id and a.status = 'processing') as "isUnderWay",
    coalesce(k.configuration ->> 'onDunningEnd', 'continue') as "onDunningEnd",
    m.id as "methodId", m.provider, d.method_id as "dunnedMethod", d.first_failure as "firstFailure", d.failures,
    d.retry_days as "retryDays", d.given_up as "givenUp", d.ended,
    (select jsonb_agg(jsonb_build_object('from', p.began, 'to', p.ended) order by p.began) from customer_pause p where p.customer_id = c.id) as pauses
  from ${invoices} i
  join customer c on c.id = i.customer_id
  join vendor v on v.id = i.vendor_id
  left join contract k on k.id = i.contract_id
  left join payment_method m on ${DEFAULT_METHOD}
  left join dunning d on d.invoice_id = i.id
  left join test_clock t on t.id = i.test_clock_id`;

/** SQL: the same of invoices in the database. */
export const CANDIDATE = candidatesAmong('invoice');

export function toCandidate(row: CandidateRow): Candidate {
  const { methodId, provider, dunnedMethod, firstFailure, failures, retryDays, givenUp, ended, pauses, ...rest } = row;
  return {
    ...rest,
    method: methodId === null || provider === null ? null : { id: methodId, provider },
    dunning:
      dunnedMethod === null || firstFailure === null
        ? null
        : { methodId: dunnedMethod, firstFailure, failures: failures ?? 0, retryDays: retryDays ?? [], givenUp: givenUp ?? false, ended },
    pauses: toPauses(pauses),
  };
}
