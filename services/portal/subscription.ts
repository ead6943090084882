import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { type UpcomingInvoice, upcomingOrLate } from '../contract/upcoming-invoice.ts';
import { type PortalContract, portalContract } from './contracts.ts';
import { type PortalEvent, portalHistory } from './history.ts';
import { chargeOf, type NextCharge } from './next-charges.ts';
import type { PortalVisitor } from './token.ts';
import { type PeriodUsage, usageOfLastPeriods } from './usage.ts';

/** All that the page of one contract shows. */
export interface PortalSubscription {
  placed: PortalContract;
  /** `late` while more is due than can be computed at once */
  upcoming: UpcomingInvoice | 'late';
  charge: NextCharge;
  /** usage of the last billing periods, oldest first */
  periods: PeriodUsage[];
  /** newest first */
  history: PortalEvent[];
}

/** A contract of the visitor with its next invoice, usage and history; null when the visitor has no such contract. */
export async function portalSubscription(
  db: Database,
  visitor: PortalVisitor,
  contractId: string,
  now: Instant,
): Promise<PortalSubscription | null> {
  const em = db.em();
  const placed = await portalContract(db, em, visitor, contractId);
  if (placed === null) return null;
  const { contract, pauses } = placed;
  const upcoming = await upcomingOrLate(db, visitor.vendorId, contract.id);
  const periods = await usageOfLastPeriods(em, contract, now);
  return { placed, upcoming, charge: nextChargeOf(upcoming), periods, history: await portalHistory(em, contract, pauses, now) };
}

function nextChargeOf(upcoming: UpcomingInvoice | 'late'): NextCharge {
  if (upcoming === 'late') return 'late';
  const { at, first, others } = upcoming;
  return at === null || first === null ? null : chargeOf({ at, invoices: [first, ...others] });
}
