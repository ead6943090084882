import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';

/** A usage event that a change gives to the contract that follows. */
export interface EventToMove {
  id: string;
  timestamp: Instant;
  idx: number;
  slug: string;
}

/** Which events: those after an instant, or in periods after one, without those of some features. */
export interface MoveFilter {
  fromContractId: string;
  after: Instant | null;
  afterIdx: number;
  except: readonly string[];
}

const SQL = `select id, timestamp, period_idx as idx, feature_slug as slug from usage_event
  where contract_id = $1 and (timestamp > $2 or period_idx > $3) and feature_slug <> all($4::text[])`;

/**
 * The usage events that a change moves. SQL: a scan of a table that may have millions of rows of a contract, for four
 * columns of it.
 */
export const eventsToMove = (tx: Queryable, { fromContractId, after, afterIdx, except }: MoveFilter): Promise<EventToMove[]> =>
  tx.query<EventToMove>(SQL, [fromContractId, stampOrNull(after), afterIdx, except]);
