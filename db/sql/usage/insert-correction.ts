import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { UsageCorrectionRecord } from '../../entities/usage.ts';
import { insertNew } from '../write-many.ts';
import type { CounterKey } from './recount.ts';

interface NewCorrection extends CounterKey {
  rootId: string;
  occasion: string;
  created: Instant;
}

/**
 * Notes that closed usage has changed, unless a row that waits says so already. SQL, because two unique keys may say
 * so.
 */
export async function insertCorrection(tx: Queryable, correction: NewCorrection): Promise<void> {
  const { contractId, rootId, idx, slug, occasion, created } = correction;
  await insertNew(tx, UsageCorrectionRecord, [{ contractId, rootId, periodIdx: idx, featureSlug: slug, occasion, created }]);
}
