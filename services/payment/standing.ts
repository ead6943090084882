import { isPeriodic } from '../../billing/calendar/cycle.ts';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { cycleEnd, expirationAt, periodBounds, whenAt } from '../../billing/contract/period/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import type { Queryable } from '../../db/connect.ts';
import { stampOrNull } from '../../db/rows.ts';
import { type WalletBalance, walletBalances } from '../../db/sql/wallet/read-balances.ts';

interface UnpaidInvoice {
  id: string;
  /** what remains to be paid */
  amount: string;
  dueDate: Instant;
  status: 'ready_for_payment';
}

export interface Unpaid {
  currency: Currency;
  /** smallest amount that is collected by itself */
  threshold: string;
  total: string;
  invoices: UnpaidInvoice[];
}

/** How a customer stands with its payments. */
export interface Standing {
  provider: ProviderName;
  unpaid: Unpaid[];
  wallets: WalletBalance[];
  /** earliest due date of anything unpaid, whatever `dueBefore` says */
  earliestDue: Instant | null;
}

interface OpenRow {
  id: string;
  currency: Currency;
  amount: string;
  due_date: Instant;
  counted: boolean;
  threshold: string | null;
}

/** @param dueBefore counts only invoices due before this instant */
export async function readStanding(
  db: Queryable,
  vendorId: string,
  customerId: string,
  dueBefore: Instant | null = null,
): Promise<Standing> {
  const rows = await db.query<OpenRow>(
    `select i.id, i.currency, i.amount_due::text as amount, i.due_date, ($3::timestamptz is null or i.due_date < $3) as counted,
       v.payment_threshold ->> i.currency as threshold
     from invoice i join vendor v on v.id = i.vendor_id
     where i.vendor_id = $1 and i.customer_id = $2 and i.status = 'ready_for_payment' and i.amount_due > 0
     order by i.currency, i.due_date, i.id`,
    [vendorId, customerId, stampOrNull(dueBefore)],
  );
  const counted = Map.groupBy(
    rows.filter((row) => row.counted),
    ({ currency }) => currency,
  );
  return {
    provider: await providerOf(db, customerId),
    unpaid: [...counted].map(([currency, open]) => unpaidOf(currency, open)),
    wallets: await walletBalances(db, vendorId, customerId),
    earliestDue: rows.length === 0 ? null : Math.min(...rows.map((row) => row.due_date)),
  };
}

function unpaidOf(currency: Currency, open: readonly OpenRow[]): Unpaid {
  return {
    currency,
    threshold: moneyText(open[0]?.threshold ?? '0', currency),
    total: moneyText(sum(open.map(({ amount }) => dec(amount))), currency),
    invoices: open.map(({ id, amount, due_date: dueDate }) => ({
      id,
      amount: moneyText(amount, currency),
      dueDate,
      status: 'ready_for_payment',
    })),
  };
}

async function providerOf(db: Queryable, customerId: string): Promise<ProviderName> {
  const [row] = await db.query<{ provider: ProviderName }>(
    'select m.provider from customer c join payment_method m on m.id = c.default_payment where c.id = $1',
    [customerId],
  );
  return row?.provider ?? 'self_handled';
}

/**
 * When the next invoice of a contract falls due: at the start of its next cycle, or at that cycle's end. Null when no further cycle is
 * known to come, and while a freeze keeps it unknown.
 */
export function nextCycleDue(contract: Contract, pauses: Pause[]): Instant | null {
  const begins = contract.status === 'active' ? cycleEnd(contract, pauses) : null;
  if (begins === null || endsBy(contract, begins, pauses)) return null;
  if (contract.configuration.dueDatePolicy === 'start_of_period' || !isPeriodic(contract.terms.cycle)) return begins;
  const next = contract.start === null ? { ...contract, start: begins, firstCycle: 0 } : contract;
  return periodBounds(next, (contract.currentIdx ?? 0) + 1, pauses).end;
}

/** A cancellation or expiration comes before the cycle that would begin at its instant. */
function endsBy(contract: Contract, at: Instant, pauses: Pause[]): boolean {
  const canceled = contract.cancellation && whenAt(contract, contract.cancellation.when, pauses);
  return [canceled, expirationAt(contract, pauses)].some((end) => end !== null && end <= at);
}
