import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { usagePeriodProjection } from '../projections.ts';

/** The usage periods of a contract in their order. SQL, as all list pages are. */
export const usagePeriodList = (contractId: string): List => ({
  from: 'usage_period p',
  select: usagePeriodProjection.columns('p'),
  at: 'p.idx',
  serial: true,
  id: 'p.contract_id',
  where: new Where().and('p.contract_id = ?', contractId),
});
