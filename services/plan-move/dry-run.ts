import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import type { ChangePlan } from '../../billing/contract/change/change.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import type { MoveRefusalCode } from '../../db/entities/plan-move.ts';
import { estimateAll } from '../contract/estimate-change.ts';
import { type AskedMove, changeTo, contractsToMove, requireMovable, requireMovePlans } from './asked.ts';
import { refusalCodeOf } from './refusal-code.ts';

/** What a move would do: of the contracts of one call, in the order in which they were made. */
export interface DryRun {
  contracts: number;
  totals: { currency: Currency; total: string; later: string }[];
  /** `catching_up`: the contract is very late, and what its change costs isn't known before it is up to date */
  refused: { contractId: string; code: MoveRefusalCode | 'catching_up' }[];
  /** the contract to go on behind; null: all are computed */
  after: string | null;
}

const AT_ONCE = 50;
/** No further fifty begin after so many milliseconds: the caller goes on with another call. */
const BUDGET_MS = 4_000;

interface Computed {
  currency: Currency;
  /** what the change costs now */
  now: string;
  /** what the first invoices of a change that waits will cost */
  later: string;
}

/**
 * Computes what a move would do, as the estimates of its single changes say it; nothing is written. It goes on for some
 * seconds; a plan with more contracts than that takes further calls, each from where the one before has come to.
 *
 * @throws Refusal as the move itself, and `invalid_request` for an `after` that isn't a contract of the move
 */
export async function dryRun(tx: Tx, asked: AskedMove, after: string | null): Promise<DryRun> {
  await requireMovePlans(tx, asked);
  const computed: Computed[] = [];
  const refused: DryRun['refused'] = [];
  const until = performance.now() + BUDGET_MS;
  let last = after;
  for (let isEnd = false; !isEnd; ) {
    const ids = await nextContracts(tx, asked, last);
    await compute(tx, asked, ids, computed, refused);
    last = ids.at(-1) ?? last;
    isEnd = ids.length < AT_ONCE;
    if (isEnd) last = null;
    else if (performance.now() > until) break;
  }
  return { contracts: computed.length, totals: totalsOf(computed), refused, after: last };
}

async function nextContracts({ em }: Tx, { vendorId, planId, contractIds }: AskedMove, after: string | null): Promise<string[]> {
  if (contractIds !== null) {
    const place = after === null ? -1 : contractIds.indexOf(after);
    if (after !== null && place === -1) throw notOfMove();
    return contractIds.slice(place + 1, place + 1 + AT_ONCE);
  }
  const last = after === null ? null : await em.findOne(ContractRecord, { id: after, vendorId, planId }, { fields: ['created'] });
  if (after !== null && last === null) throw notOfMove();
  const beyond =
    last === null ? {} : { created: { $gte: last.created }, $or: [{ created: { $gt: last.created } }, { id: { $gt: last.id } }] };
  const options = { fields: ['id'], orderBy: { created: 'asc', id: 'asc' }, limit: AT_ONCE, disableIdentityMap: true } as const;
  return (await em.find(ContractRecord, { ...contractsToMove(vendorId, planId), ...beyond }, options)).map(({ id }) => id);
}

const notOfMove = (): Refusal =>
  new Refusal('invalid_request', 'Go on behind a contract of this move.', { after: 'is not a contract of this move' });

async function compute(
  tx: Tx,
  { vendorId, planId, toPlanId, time }: AskedMove,
  ids: readonly string[],
  computed: Computed[],
  refused: DryRun['refused'],
): Promise<void> {
  const input = changeTo(toPlanId ?? planId, time);
  const asks = ids.map((contractId) => ({ vendorId, contractId, input }));
  for (const [index, result] of (await estimateAll(tx, asks, requireMovable)).entries()) {
    if ('estimate' in result) {
      computed.push(costOf(result.estimate.plan));
      continue;
    }
    const code = result.error instanceof CatchingUp ? 'catching_up' : refusalCodeOf(result.error);
    if (code === null) throw result.error;
    refused.push({ contractId: ids[index] ?? '', code });
  }
}

function costOf({ breakdown, priceOnNew, outcome }: ChangePlan): Computed {
  const { terms, pendingChange } = outcome.snapshot.contract;
  const later = pendingChange === null ? [] : priceOnNew.map(({ invoice }) => dec(invoice.total));
  return { currency: terms.currency, now: breakdown.total, later: sum(later).toFixed() };
}

function totalsOf(computed: readonly Computed[]): DryRun['totals'] {
  const byCurrency = [...Map.groupBy(computed, ({ currency }) => currency)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return byCurrency.map(([currency, some]) => ({
    currency,
    total: moneyText(sum(some.map(({ now }) => dec(now))), currency),
    later: moneyText(sum(some.map(({ later }) => dec(later))), currency),
  }));
}
