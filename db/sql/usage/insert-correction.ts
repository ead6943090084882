import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { insertRows, stamp } from '../../rows.ts';
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
  const row = { contract_id: contractId, root_id: rootId, period_idx: idx, feature_slug: slug, occasion, created: stamp(created) };
  await insertRows(tx, 'usage_correction', [row], 'on conflict do nothing');
}
