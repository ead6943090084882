import type { EntityManager } from '@mikro-orm/postgresql';
import type { CancelRequest } from '../../billing/contract/change/cancel.ts';
import { hasThreshold } from '../../billing/contract/charge/threshold.ts';
import { type CancelEstimate, estimateCancel } from '../../billing/contract/estimate/cancel-estimate.ts';
import { type LooksAhead, looksAhead } from '../../billing/contract/estimate/looks-ahead.ts';
import { requireCallable } from '../../billing/contract/terms/require.ts';
import type { Contract, ContractSnapshot } from '../../billing/contract/types.ts';
import { moneyText } from '../../billing/money/round.ts';
import { USAGE_THRESHOLD } from '../../db/agenda/contract-kinds.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { newId } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { foreseeCreditsBack } from '../credit/foresee-back.ts';
import { estimateAfterFreeze } from '../customer/after-freeze.ts';
import { refuseWhileAdvancing } from '../customer/lock.ts';
import type { ContractCall } from './decide.ts';
import { inRounds } from './in-rounds.ts';
import { leftUsage } from './left-usage.ts';
import { loadAhead, MOST_IN_CHAIN, plannedLooks, ROW_AHEAD } from './load-ahead.ts';
import { unknownContract } from './unknown.ts';

/** What a cancellation brings, with what it takes back of credits that the plan gave. */
export interface ForeseenCancellation extends Omit<CancelEstimate, 'untilCreditsBack'> {
  creditsTakenBack: string;
}

/**
 * What a cancellation comes to if nothing more happens: the computation of the cancellation itself, and of what follows
 * from it. Nothing of it is written and nothing is locked.
 *
 * @throws Refusal `contract_not_found`, `clock_advancing`, and as the cancellation
 * @throws CatchingUp for a contract that is later than one transaction carries out
 */
export const estimateCancellation = (db: Database, call: ContractCall, request: CancelRequest): Promise<ForeseenCancellation> =>
  estimateAfterFreeze(db, call, () => computeCancellation(db, call, request));

async function computeCancellation(
  db: Database,
  { vendorId, contractId }: ContractCall,
  request: CancelRequest,
): Promise<ForeseenCancellation> {
  const em = db.em();
  const asked = await em.findOne(ContractRecord, { id: contractId, vendorId }, { fields: ['clockId'] });
  if (asked === null) throw await unknownContract({ em }, { vendorId, contractId });
  await refuseWhileAdvancing(db.preparing, asked.clockId);
  const now = await nowOf(db.preparing, asked.clockId);
  const [snapshot] = await loadAhead({ em, tx: db.preparing }, [contractId], now, 'all');
  if (snapshot === undefined) throw await unknownContract({ em }, { vendorId, contractId });
  requireCallable(snapshot);
  const earlier = await loadAhead({ em, tx: db.preparing }, await earlierWithOpenUsage(em, snapshot.contract), now, 'ending');
  const planned = await looksToCome(em, [snapshot, ...earlier]);
  const { untilCreditsBack, ...estimate } = await inRounds(estimateCancel(snapshot, request, now, newId, { earlier, planned }));
  const { currency } = snapshot.contract.terms;
  const counted = estimate.at === null ? [] : [snapshot, ...earlier].filter(({ contract: { terms } }) => terms.currency === currency);
  const usage = moneyText((await leftUsage(db.preparing, counted, now)).plus(estimate.usage), currency);
  return { ...estimate, usage, creditsTakenBack: await foreseeCreditsBack(db, snapshot.contract, untilCreditsBack) };
}

/** Each change may leave a contract whose usage is charged later. */
async function earlierWithOpenUsage(em: EntityManager, { id, rootId, predecessorId }: Contract): Promise<string[]> {
  if (predecessorId === null) return [];
  const latest = { fields: ['id'], orderBy: { created: 'desc', id: 'desc' }, limit: MOST_IN_CHAIN } as const;
  const open = { rootId, id: { $ne: id }, isSuccessor: false, parkedReason: null, usageToClose: true };
  return (await em.find(ContractRecord, open, latest)).map((one) => one.id);
}

/** What is canceled is not frozen: a look comes with the end of a gate, or is planned since one has ended. */
async function looksToCome(em: EntityManager, chain: readonly ContractSnapshot[]): Promise<LooksAhead> {
  const ids = chain.filter(({ contract }) => hasThreshold(contract)).map(({ contract }) => contract.id);
  if (ids.length === 0) return new Map();
  const rows = await em.find(Agenda, { contractId: { $in: ids }, kind: USAGE_THRESHOLD, held: false }, { fields: ROW_AHEAD });
  return looksAhead(chain, plannedLooks(rows), null);
}
