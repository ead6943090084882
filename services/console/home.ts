import type { Instant } from '../../billing/calendar/instant.ts';
import { trialEndOf } from '../../billing/contract/period/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { Database } from '../../db/connect.ts';
import { Customer } from '../../db/entities/customer.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { TestClock } from '../../db/entities/vendor.ts';
import { runningTrials } from '../../db/sql/contract/trials.ts';
import type { FigureOwner } from '../../db/sql/figure/sums-before.ts';
import { type FailedSum, failedSums, newestFailed } from '../../db/sql/invoice/newest-failed.ts';
import { type PortalInvoice, withStanding } from '../portal/invoice-standing.ts';
import { instantOfReport } from '../report/instant.ts';
import { figureOwner } from '../report/owner.ts';
import { type CurrencyFigures, figuresByMonth } from './figures.ts';
import { type ParkedContract, readParked } from './parked.ts';
import { type EndpointView, failingWebhooks } from './webhooks.ts';

/** An invoice whose last payment failed, with its reason and when it is tried again. */
export interface FailedPayment {
  customerId: string;
  customerName: string;
  invoice: PortalInvoice;
}

/** A contract in its free trial. */
export interface RunningTrial {
  contract: Contract;
  customerName: string;
  /** as freezes move it; null while a freeze makes it unknown */
  end: Instant | null;
}

/** What the first page shows: how business goes, and what needs somebody. */
export interface ConsoleHome {
  figures: CurrencyFigures[];
  parked: ParkedContract[];
  /** endpoints that get nothing, or refuse something */
  webhooks: EndpointView[];
  failed: FailedPayment[];
  /** what all of them come to, by currency, and of it what failed in the running month */
  failedSums: FailedSum[];
  trials: RunningTrial[];
  /** the newest test clocks, to look at one of them alone */
  clocks: { id: string; name: string | null }[];
}

const MOST_ROWS = 10;
const MOST_CLOCKS = 20;

/**
 * @param clockId shows the customers of one test clock instead of those on the wall clock
 * @throws Refusal `test_clock_not_found`
 */
export async function home(db: Database, vendorId: string, clockId: string | undefined): Promise<ConsoleHome> {
  const owner = await figureOwner(db, vendorId, clockId);
  const now = await instantOfReport(db, owner, undefined);
  const newest = { orderBy: { created: 'desc', id: 'desc' }, limit: MOST_CLOCKS } as const;
  return {
    figures: await figuresByMonth(db, owner, now),
    parked: await readParked(db, vendorId, clockId ?? null),
    webhooks: await failingWebhooks(db, vendorId),
    failed: await failedPayments(db, owner, now),
    failedSums: await failedSums(db, vendorId, owner.clockId, monthOf(now)),
    trials: (await runningTrials(db, vendorId, owner.clockId, MOST_ROWS)).map(({ contract, customerName, pauses }) => ({
      contract,
      customerName,
      end: trialEndOf(contract, pauses),
    })),
    clocks: await db.em().find(TestClock, { vendorId }, { fields: ['id', 'name'], ...newest }),
  };
}

/** The first instant of the month. */
function monthOf(now: Instant): Instant {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
}

async function failedPayments(db: Database, { vendorId, clockId }: FigureOwner, now: Instant): Promise<FailedPayment[]> {
  const em = db.em();
  const ids = await newestFailed(db, vendorId, clockId, MOST_ROWS);
  if (ids.length === 0) return [];
  const invoices = await em.find(Invoice, { id: { $in: ids } }, { orderBy: { date: 'desc', id: 'desc' } });
  const owners = await em.find(Customer, { id: { $in: invoices.map(({ customerId }) => customerId) } }, { fields: ['id', 'name'] });
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  const standing = await withStanding(em, invoices, now);
  return invoices.flatMap(({ customerId }, at) => {
    const invoice = standing[at];
    return invoice === undefined ? [] : [{ customerId, customerName: names.get(customerId) ?? '', invoice }];
  });
}
