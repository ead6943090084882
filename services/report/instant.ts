import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../../db/connect.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { FigureOwner } from '../../db/sql/figure/sums-before.ts';

/** The instant that a report is asked for: the given one, or now on the owner's clock. */
export const instantOfReport = async (db: Queryable, { clockId }: FigureOwner, at: Instant | undefined): Promise<Instant> =>
  at ?? nowOf(db, clockId === '' ? null : clockId);
