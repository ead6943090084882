import { Refusal } from '../../billing/refusal.ts';
import { isOwnClock } from '../../db/clock/read.ts';
import type { Database } from '../../db/connect.ts';
import type { FigureOwner } from '../../db/sql/figure/sums-before.ts';

/**
 * Whose figures a report shows: customers on the wall clock, or those on one test clock of the vendor.
 *
 * @throws Refusal `test_clock_not_found`
 */
export async function figureOwner(db: Database, vendorId: string, clockId: string | undefined): Promise<FigureOwner> {
  if (clockId === undefined) return { vendorId, clockId: '' };
  if (!(await isOwnClock(db.em(), vendorId, clockId))) throw new Refusal('test_clock_not_found', 'there is no such test clock');
  return { vendorId, clockId };
}
