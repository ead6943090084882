import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { UsageCorrectionRecord } from '../../entities/usage.ts';
import { insertNew } from '../write-many.ts';
import type { CounterKey } from './part.ts';

interface NewCorrection extends CounterKey {
  rootId: string;
  occasion: string;
  created: Instant;
}

/**
 * Notes that closed usage has changed, unless a waiting row says so already. SQL, because either of two unique keys may
 * already have that row.
 */
export async function insertCorrection(tx: Queryable, correction: NewCorrection): Promise<void> {
  const { contractId, rootId, idx, slug, occasion, created } = correction;
  await insertNew(tx, UsageCorrectionRecord, [{ contractId, rootId, periodIdx: idx, featureSlug: slug, occasion, created }]);
}
