import type { Caller } from '../../connect.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

export interface HistoryRow {
  at: number;
  kind: string;
  notes: string | null;
  object: string | null;
  api_key_id: string | null;
  person_id: string | null;
  caller_type: Caller['type'];
  customer_id: string;
}

/** What was done to a customer, in order. SQL, as all list pages are. */
export const historyList = (customerId: string): List => ({
  from: 'customer_history h',
  select: 'h.at, h.kind, h.notes, h.object, h.key_id as api_key_id, h.person_id, h.caller_type, h.customer_id',
  at: 'h.id',
  serial: true,
  id: 'h.customer_id',
  where: new Where().and('h.customer_id = ?', customerId),
});
