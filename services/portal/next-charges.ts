import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import { type LooksAhead, looksAhead } from '../../billing/contract/estimate/looks-ahead.ts';
import { searchNextInvoices } from '../../billing/contract/estimate/next-invoice.ts';
import type { Contract, ContractSnapshot } from '../../billing/contract/types.ts';
import type { InvoiceWithLines } from '../../billing/contract/work.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { CONTRACT_KINDS } from '../../db/agenda/contract-kinds.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { newId } from '../../db/id.ts';
import { inRounds, TooManySteps } from '../contract/in-rounds.ts';
import { loadAhead, onceActive, plannedLooks, ROW_AHEAD } from '../contract/load-ahead.ts';

/**
 * When the next invoice is made and due, and its sum with discount and tax; null when none is to come, `late` while it
 * can't be known, `far` when it lies further ahead than a page looks.
 */
export type NextCharge = { at: Instant; dueDate: Instant; total: string; currency: Currency } | null | 'late' | 'far';

/** Rows that are read of a chain: what comes next of it is among its soonest rows. */
const MOST_ROWS = 400;
/** Instants that are looked ahead for each contract, 20 months of days: a page shows many contracts. */
const MOST_STEPS = 600;

/**
 * The next charge of each of some contracts, computed as `upcomingInvoice` does it for one, in a fixed number of
 * statements for all.
 *
 * @param now the customer's time
 * @param resumeAt when its freeze ends by itself
 */
export async function nextCharges(
  db: Database,
  em: EntityManager,
  contracts: readonly Contract[],
  { now, resumeAt }: { now: Instant; resumeAt: Instant | null },
): Promise<Map<string, NextCharge>> {
  if (contracts.length === 0) return new Map();
  const due = { workflowId: { $in: contracts.map(({ rootId }) => rootId) }, kind: { $in: [...CONTRACT_KINDS] }, held: false };
  const rows = await em.find(Agenda, due, { fields: ROW_AHEAD, orderBy: { dueAt: 'asc', id: 'asc' }, limit: MOST_ROWS });
  // nothing is due of frozen contracts; where their freeze ends by itself they have next charges all the same
  const ids = [
    ...new Set([...rows.flatMap(({ contractId }) => contractId ?? []), ...(resumeAt === null ? [] : contracts.map(({ id }) => id))]),
  ];
  const ahead = await loadAhead({ em, tx: db.preparing }, ids, now, 'ending');
  const snapshots = ahead.map((one) => onceActive(one, resumeAt));
  const looks = looksAhead(ahead, plannedLooks(rows), resumeAt);
  const chains = Map.groupBy(snapshots, ({ contract }) => contract.rootId);
  const charges = new Map<string, NextCharge>();
  for (const { id, rootId } of contracts) charges.set(id, await nextChargeOf(chains.get(rootId) ?? [], now, looks));
  return charges;
}

async function nextChargeOf(chain: readonly ContractSnapshot[], now: Instant, looks: LooksAhead): Promise<NextCharge> {
  try {
    const next = await inRounds(searchNextInvoices(chain, now, newId, looks), MOST_STEPS);
    return next === null ? null : chargeOf(next);
  } catch (error) {
    if (error instanceof CatchingUp) return 'late';
    if (error instanceof TooManySteps) return 'far';
    throw error;
  }
}

/** A chain may make several invoices at one instant; they are charged together. */
export function chargeOf({ at, invoices }: { at: Instant; invoices: readonly Pick<InvoiceWithLines, 'invoice'>[] }): NextCharge {
  const [first] = invoices;
  if (first === undefined) return null;
  const { currency } = first.invoice;
  const same = invoices.filter(({ invoice }) => invoice.currency === currency);
  const dueDate = Math.min(...same.map(({ invoice }) => invoice.dueDate));
  return { at, dueDate, total: sum(same.map(({ invoice }) => dec(invoice.total))).toFixed(), currency };
}
