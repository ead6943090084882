import type { Caller } from '../../transaction.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** An entry of the audit log. */
export interface ListedAudit {
  id: string;
  at: number;
  caller_type: Caller['type'];
  caller_id: string | null;
  action: string;
  object_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

const COLUMNS = 'seq, id, vendor_id, at, caller_type, caller_id, action, object_id, before, after';
/** The entries of callers, and of events that were deleted. */
const CALLS = `(select true as shown, ${COLUMNS} from audit)`;
/**
 * The audit log has what callers did; the log of events already has what time brought, so that isn't written a second
 * time. Both logs take their numbers from one sequence. Whether an event belongs here is a column of the union and not
 * a condition of its branch: so Postgres can split the union and read both logs from a number on, in the order of their
 * indexes.
 */
const CALLS_AND_TIME = `(
  select true as shown, ${COLUMNS} from audit
  union all
  select caller_type = 'system', seq, 'Audit_' || substr(id, 5), vendor_id, uuid_extract_timestamp(substr(id, 5)::uuid), caller_type, caller_id,
    substr(type, 4), object_id, null, data from event
)`;

/** Whose entries: those of a key or a customer, by its id, or of all actors of a kind. */
const KINDS: readonly Caller['type'][] = ['key', 'console', 'person', 'portal', 'system'];

/** SQL: the number of an entry of a vendor, of either log. */
const NUMBER_OF = `coalesce(
  (select a.seq from audit a where a.vendor_id = ? and a.id = ?),
  (select e.seq from event e where e.vendor_id = ? and e.id = 'Evt_' || substr(?, 7)))`;

/**
 * The audit log in the order in which it was written. SQL, as all list pages are.
 *
 * @param settled the number up to which the log may be read
 */
export function auditList(
  vendorId: string,
  settled: string,
  { object, actor, after }: { object?: string | undefined; actor?: string | undefined; after?: string | undefined },
): List {
  const where = new Where()
    .and('entry.vendor_id = ?', vendorId)
    .andMoving('entry.seq <= ?', settled)
    .and('entry.shown')
    .andGiven('entry.object_id = ?', object);
  const kind = KINDS.find((one) => one === actor);
  // in the statement itself: the index of the rarer kinds is found by it
  if (kind !== undefined) where.and(`entry.caller_type = '${kind}'`);
  else where.andGiven('entry.caller_id = ?', actor);
  if (after !== undefined) where.and(`entry.seq > ${NUMBER_OF}`, vendorId, after, vendorId, after);
  const from = `${actor === undefined || kind === 'system' ? CALLS_AND_TIME : CALLS} entry`;
  return { from, select: 'entry.*', at: 'entry.seq', serial: true, id: 'entry.id', bytes: 'octet_length(r::text)', where };
}
