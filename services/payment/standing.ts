import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { dueByPolicy } from '../../billing/contract/charge/charges.ts';
import { cancellationAt, cycleEnd, expirationAt, periodBounds } from '../../billing/contract/period/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import type { Queryable } from '../../db/connect.ts';
import { readDefaultProvider } from '../../db/sql/payment/read-default-provider.ts';
import { readUnpaid, type UnpaidRow } from '../../db/sql/payment/read-unpaid.ts';
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
  /** smallest amount that is collected automatically */
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

/** Invoices that are named in a currency, in all places where a response shows the standing. */
const MOST_NAMED = 1_000;

/**
 * @param contracts with each of which it is shown: together they name at most a thousand invoices of a currency, the
 *   earliest due; totals are of all
 * @param dueBefore counts only invoices due before this instant
 */
export async function readStanding(
  db: Queryable,
  vendorId: string,
  customerId: string,
  { contracts, dueBefore = null }: { contracts: number; dueBefore?: Instant | null },
): Promise<Standing> {
  const most = Math.ceil(MOST_NAMED / Math.max(1, contracts));
  const rows = await readUnpaid(db, vendorId, customerId, { dueBefore, most });
  const counted = Map.groupBy(
    rows.filter((row) => row.counted),
    ({ currency }) => currency,
  );
  return {
    provider: (await readDefaultProvider(db, customerId)) ?? 'self_handled',
    unpaid: [...counted].map(([currency, open]) => unpaidOf(currency, open)),
    wallets: await walletBalances(db, vendorId, customerId),
    earliestDue: rows.length === 0 ? null : Math.min(...rows.map((row) => row.dueDate)),
  };
}

function unpaidOf(currency: Currency, open: readonly UnpaidRow[]): Unpaid {
  return {
    currency,
    threshold: moneyText(open[0]?.threshold ?? '0', currency),
    total: moneyText(open[0]?.total ?? '0', currency),
    invoices: open.map(({ id, amount, dueDate }) => ({
      id,
      amount: moneyText(amount, currency),
      dueDate,
      status: 'ready_for_payment',
    })),
  };
}

/**
 * When the next invoice of a contract falls due: its net days after the start of its next cycle, or after that cycle's
 * end. Null when no further cycle is known to come, and while a freeze keeps it unknown.
 */
export function nextCycleDue(contract: Contract, pauses: Pause[]): Instant | null {
  const begins = contract.status === 'active' ? cycleEnd(contract, pauses) : null;
  if (begins === null || endsBy(contract, begins, pauses)) return null;
  const next = contract.start === null ? { ...contract, start: begins, firstCycle: 0 } : contract;
  return dueByPolicy(contract, { at: begins, span: periodBounds(next, (contract.currentIdx ?? 0) + 1, pauses) });
}

/** A cancellation or expiration comes before the cycle that would begin at its instant. */
function endsBy(contract: Contract, at: Instant, pauses: Pause[]): boolean {
  return [cancellationAt(contract, pauses), expirationAt(contract, pauses)].some((end) => end !== null && end <= at);
}
