import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { planName } from '../../billing/contract/period/sources.ts';
import type { Contract, Terms } from '../../billing/contract/types.ts';
import { boughtUnits, isUnitPriced } from '../../billing/pricing/price.ts';
import { ContractHistory, ContractRecord } from '../../db/entities/contract.ts';

/** What happened to a subscription, as its customer sees it. */
export type PortalEvent = { at: Instant } & Happened;

type Happened =
  | { kind: 'signed' | 'began' | 'ended'; plan: string }
  | { kind: 'plan_changed'; from: string; plan: string }
  | { kind: 'units_changed'; feature: string; from: string; to: string }
  | { kind: 'cycle_changed'; cycle: Terms['cycle'] }
  | { kind: 'change_asked' | 'trial_ended' | 'paused' | 'resumed' | 'cancellation_asked' | 'cancellation_undone' | 'change_undone' };

/** What a page shows of a history: the newest events. */
const EVENTS_SHOWN = 20;

const ASKED = { cancel: 'cancellation_asked', cancel_undo: 'cancellation_undone', change_undo: 'change_undone' } as const;
type Asked = keyof typeof ASKED;

/** The newest events of a contract and those before it in its chain, newest first, in a fixed number of statements. */
export async function portalHistory(
  em: EntityManager,
  { rootId }: Pick<Contract, 'rootId'>,
  pauses: readonly Pause[],
  now: Instant,
): Promise<PortalEvent[]> {
  const chain = await em.find(
    ContractRecord,
    { rootId, isSuccessor: false },
    { orderBy: { created: 'desc', id: 'desc' }, limit: EVENTS_SHOWN + 1 },
  );
  const asked = await em.find(
    ContractHistory,
    { contractId: { $in: chain.map(({ id }) => id) }, kind: { $in: Object.keys(ASKED) } },
    { orderBy: { at: 'desc', id: 'desc' }, limit: EVENTS_SHOWN },
  );
  const contracts = new Map(chain.map((contract) => [contract.id, contract]));
  const events = [
    ...chain.flatMap((contract) => ownEvents(contract, contracts.get(contract.predecessorId ?? '') ?? null, now)),
    ...asked.map(({ at, kind }): PortalEvent => ({ at, kind: ASKED[kind as Asked] })),
    ...pausesOf(pauses, Math.min(...chain.map(({ created }) => created))),
  ];
  // the sort is stable: of two events at one instant, the later one stands first
  return events.sort((one, other) => other.at - one.at).slice(0, EVENTS_SHOWN);
}

/** Newest first. A contract whose predecessor isn't read is older than what is shown. */
function ownEvents(contract: Contract, before: Contract | null, now: Instant): PortalEvent[] {
  const { status, ended, began, created, trialEnd, terms, predecessorId } = contract;
  const plan = planName(terms);
  const events: PortalEvent[] = [];
  if (status === 'canceled' && ended !== null) events.push({ at: ended, kind: 'ended', plan });
  if (contract.pendingChange !== null) events.push({ at: contract.pendingChange.requestedAt, kind: 'change_asked' });
  if (before !== null && began !== null) events.push(...differences(before.terms, terms).map((event) => ({ at: began, ...event })));
  if (predecessorId !== null) return events;
  if (contract.start !== null && trialEnd !== null && contract.start <= now) events.push({ at: contract.start, kind: 'trial_ended' });
  if (began !== null && began > created) events.push({ at: began, kind: 'began', plan });
  return [...events, { at: created, kind: 'signed', plan }];
}

type Difference = Extract<Happened, { kind: `${string}_changed` }>;

/** Another plan, another cycle, or features with other bought units. */
function differences(before: Terms, after: Terms): Difference[] {
  if (before.originalPlanId !== after.originalPlanId) return [{ kind: 'plan_changed', from: planName(before), plan: planName(after) }];
  const old = unitsOf(before);
  const cycle: Difference[] = before.cycle === after.cycle ? [] : [{ kind: 'cycle_changed', cycle: after.cycle }];
  const units = [...unitsOf(after)].flatMap(([feature, to]): Difference[] => {
    const from = old.get(feature);
    return from === undefined || from === to ? [] : [{ kind: 'units_changed', feature, from, to }];
  });
  return [...cycle, ...units];
}

const unitsOf = ({ features }: Terms): Map<string, string> =>
  new Map(features.flatMap(({ name, price }) => (price !== null && isUnitPriced(price) ? [[name, boughtUnits(price)]] : [])));

const pausesOf = (pauses: readonly Pause[], since: Instant): PortalEvent[] =>
  pauses
    .filter(({ from }) => from >= since)
    .flatMap(({ from, to }): PortalEvent[] => [
      ...(to === null ? [] : [{ at: to, kind: 'resumed' as const }]),
      { at: from, kind: 'paused' },
    ]);
