import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { Plan, PlanVersion } from '../../db/entities/catalogue.ts';
import { PlanMove, type PlanMoveRecord } from '../../db/entities/plan-move.ts';
import type { CataloguePlan, HeldPlan } from '../../db/plan/plan.ts';
import { type Newest, readNewest } from '../../db/sql/list/newest.ts';
import { lockOne } from '../../db/sql/lock.ts';
import { type PlanRecordRow, toPlan } from '../../db/sql/plan/columns.ts';
import { contractsByPricing } from '../../db/sql/plan/count-contracts.ts';
import { planList } from '../../db/sql/plan/list.ts';
import { readPlan } from '../../db/sql/plan/read.ts';
import { LIST_ROWS, type ListPart } from './lists.ts';

/** What a plan held from an instant on. */
export interface ShownVersion {
  number: number;
  began: Instant;
  held: HeldPlan;
}

/** What the page of a plan shows. */
export interface PlanView {
  plan: CataloguePlan;
  /** newest first */
  versions: ShownVersion[];
  /** the number below which older versions go on; null: these are all */
  older: number | null;
  /** what the version before the oldest one shown held; null: there is none */
  before: HeldPlan | null;
  /** live contracts by the pricing that they were signed at */
  contracts: ReadonlyMap<string, number>;
  /** there are more contracts than were counted */
  isCut: boolean;
  /** moves of its contracts, newest first */
  moves: PlanMoveRecord[];
}

/** Contracts of a plan that are counted: reading them takes a tenth of a second at most. */
export const MOST_COUNTED = 10_000;
const MOVES = 10;
const VERSION_ROWS = 10;

/** The vendor's plans, newest first. */
export async function newestPlans(
  db: Database,
  vendorId: string,
  filter: { slug?: string | undefined; status?: string | undefined },
  { after = null, rows = LIST_ROWS }: ListPart = {},
): Promise<Newest<CataloguePlan>> {
  const page = await readNewest<PlanRecordRow>(db, planList(vendorId, filter), after, rows);
  return { ...page, rows: page.rows.map(toPlan) };
}

/**
 * Everything about a plan, in a fixed number of statements; null when the vendor has no such plan.
 *
 * @param below shows the versions with numbers below this one; null: the newest
 */
export async function planView(db: Database, vendorId: string, planId: string, below: number | null = null): Promise<PlanView | null> {
  const plan = await readPlan(db, vendorId, planId);
  if (plan === null) return null;
  const { counts, isCut } = await contractsByPricing(db, vendorId, planId, MOST_COUNTED);
  return {
    plan,
    ...(await versionsBelow(db, planId, below)),
    contracts: new Map(counts.map(({ pricingId, contracts }) => [pricingId, contracts])),
    isCut,
    moves: await db.em().find(PlanMove, { planId, vendorId }, { orderBy: { created: 'desc', id: 'desc' }, limit: MOVES }),
  };
}

/** One more is read than is shown: the oldest one shown is compared with it. */
async function versionsBelow(db: Database, plan: string, below: number | null): Promise<Pick<PlanView, 'versions' | 'before' | 'older'>> {
  const where = below === null ? { plan } : { plan, number: { $lt: below } };
  const found = await db.em().find(PlanVersion, where, { orderBy: { number: 'desc' }, limit: VERSION_ROWS + 1 });
  const versions = found.slice(0, VERSION_ROWS).map(({ number, began, held }) => ({ number, began, held }));
  const before = found[VERSION_ROWS]?.held ?? null;
  return { versions, before, older: before === null ? null : (versions.at(-1)?.number ?? null) };
}

/** What selling a plan no more means. */
export interface ArchiveEffect {
  plan: CataloguePlan;
  /** live contracts of it, which go on */
  contracts: number;
  isCut: boolean;
  /** moves to it that run, whose contracts would be refused from then on */
  moves: number;
}

/** What archiving a plan means; null when the vendor has no such plan. */
export async function archiveEffect(db: Database, vendorId: string, planId: string): Promise<ArchiveEffect | null> {
  const plan = await readPlan(db, vendorId, planId);
  if (plan === null) return null;
  const { counts, isCut } = await contractsByPricing(db, vendorId, planId, MOST_COUNTED);
  const moves = await db.em().count(PlanMove, { vendorId, toPlanId: planId, status: 'running' });
  return { plan, contracts: counts.reduce((all, { contracts }) => all + contracts, 0), isCut, moves };
}

/** One version of a vendor's plan, with the plan; null when there is none. */
export async function planVersion(
  db: Database,
  vendorId: string,
  planId: string,
  number: number,
): Promise<{ plan: CataloguePlan; version: ShownVersion } | null> {
  const plan = await readPlan(db, vendorId, planId);
  if (plan === null) return null;
  const [version] = (await versionsBelow(db, planId, number + 1)).versions;
  return version?.number === number ? { plan, version } : null;
}

/**
 * Makes sure that a plan hasn't changed since somebody began to change it, and locks it until the transaction ends: if
 * two people save at once, the second one finds the version of the first.
 *
 * @param version the newest one when they began
 * @throws Refusal `plan_not_found`, `estimate_outdated`
 */
export async function requireNewest({ em }: Tx, vendorId: string, planId: string, version: number): Promise<void> {
  if ((await lockOne(em, Plan, { id: planId, vendor: vendorId }, 'update')) === null)
    throw new Refusal('plan_not_found', `There is no plan ${planId}.`);
  if ((await newestVersion(em, planId)) !== version)
    throw new Refusal('estimate_outdated', 'Somebody has changed the plan since: compare with its newest version.');
}

/** The number of a plan's newest version. */
export async function newestVersion(em: EntityManager, planId: string): Promise<number> {
  const newest = await em.findOne(PlanVersion, { plan: planId }, { orderBy: { number: 'desc' }, fields: ['number'] });
  return newest?.number ?? 0;
}
