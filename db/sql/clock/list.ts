import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { CLOCK_COLUMNS } from './read-with-next-due.ts';

/** The test clocks of a vendor. SQL, as all list pages are. */
export const clockList = (vendorId: string): List => ({
  from: 'test_clock t',
  select: CLOCK_COLUMNS,
  at: 't.created',
  id: 't.id',
  where: new Where().and('t.vendor_id = ?', vendorId),
});
