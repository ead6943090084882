import type { Offer } from '../../billing/contract/terms/offer.ts';
import type { Contract, Terms } from '../../billing/contract/types.ts';
import { isUsagePriced } from '../../billing/pricing/strategy.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable } from '../../db/connect.ts';
import {
  type LiveContract,
  liveContractOf,
  liveContractsOf,
  releaseOwners,
  takeOwners,
  type UsageOwnership,
} from '../../db/sql/contract/usage-owners.ts';
import { together } from '../../db/together.ts';

// no slug begins like these, so nobody reports usage of a place that is only reserved
const planPlace = (planId: string): string => `/plan/${planId}`;
const chainPlace = (slug: string): string => `/chain/${slug}`;

/** Slugs of the features that are charged for reported usage. */
function usageSlugs(terms: Terms): string[] {
  return terms.features.filter((feature) => feature.price !== null && isUsagePriced(feature.price)).map((feature) => feature.slug);
}

/**
 * Writes what chains own of a customer, each thing for one chain only: the plan and the metered slugs of its live
 * contract, and those of the contract a scheduled change leads to, so that the change finds its place free when its
 * time comes. What a chain no longer sells is released. Rows: `calls` says which chain takes reports of calls,
 * `/chain/calls` and `/plan/Plan_…` reserve.
 *
 * @param contracts that were just written; what their chains own is read again from the database
 * @throws Refusal `usage_feature_taken`, `contract_exists`
 */
export async function writeUsageOwners(tx: Queryable, contracts: readonly { rootId: string }[]): Promise<void> {
  const roots = [...new Set(contracts.map(({ rootId }) => rootId))];
  if (roots.length === 0) return;
  const wanted = ownedBy(await liveContractsOf(tx, roots));
  const [, owners] = await together(tx, [() => releaseOwners(tx, roots, wanted), () => takeOwners(tx, wanted)]);
  await requireOwn(tx, wanted, owners);
}

/**
 * Writes what new chains own.
 *
 * @returns makes sure that they own all of it; throws Refusal as `writeUsageOwners`
 */
export async function writeFirstOwners(tx: Queryable, contracts: readonly Contract[]): Promise<() => Promise<void>> {
  const wanted = firstOwned(contracts);
  const owners = await takeOwners(tx, wanted);
  return () => requireOwn(tx, wanted, owners);
}

/** Whether something that a new chain would take has an owner already. */
export function wantsOwned(contract: Contract, owners: readonly UsageOwnership[]): boolean {
  const taken = new Set(owners.map(({ customerId, slug }) => `${customerId} ${slug}`));
  return firstOwned([contract]).some(({ customerId, slug }) => taken.has(`${customerId} ${slug}`));
}

const firstOwned = (contracts: readonly Contract[]): UsageOwnership[] =>
  ownedBy(contracts.map((contract) => ({ ...contract, planId: contract.terms.originalPlanId })));

async function requireOwn(tx: Queryable, wanted: readonly UsageOwnership[], owners: readonly UsageOwnership[]): Promise<void> {
  const own = new Set(wanted.map(keyOf));
  const foreign = owners.find((ownership) => !own.has(keyOf(ownership)));
  if (foreign !== undefined) await refuse(tx, foreign);
}

const keyOf = ({ customerId, slug, rootId }: UsageOwnership): string => `${customerId} ${slug} ${rootId}`;

/** In one order, so that two chains that want the same wait for each other and don't deadlock. */
function ownedBy(contracts: readonly LiveContract[]): UsageOwnership[] {
  const owned = contracts.flatMap(({ customerId, rootId, planId, terms, isSuccessor }) => {
    const slugs = usageSlugs(terms);
    const names = [planPlace(planId), ...slugs.map(chainPlace), ...(isSuccessor ? [] : slugs)];
    return names.map((slug) => ({ customerId, slug, rootId }));
  });
  return [...new Map(owned.map((ownership) => [keyOf(ownership), ownership])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, ownership]) => ownership);
}

/**
 * Refuses a change to a plan, or to a plan with metered features, that another chain of the customer owns: what an
 * estimate has to know, since it writes no owners.
 *
 * @param owners of the customer, maybe among others
 * @throws Refusal as `writeUsageOwners`
 */
export async function requireNotOwned(
  tx: Queryable,
  owners: readonly UsageOwnership[],
  { plan, pricing }: Offer,
  { customerId, rootId }: { customerId: string; rootId: string },
): Promise<void> {
  const metered = Object.entries(pricing.features).flatMap(([slug, price]) => (isUsagePriced(price) ? [chainPlace(slug)] : []));
  const wanted = new Set([planPlace(plan.id), ...metered]);
  const taken = owners.filter(
    (ownership) => ownership.customerId === customerId && ownership.rootId !== rootId && wanted.has(ownership.slug),
  );
  const [last] = taken.toSorted((a, b) => (a.slug < b.slug ? 1 : -1));
  if (last !== undefined) await refuse(tx, last);
}

/** Refuses, and names the contract that owns what is wanted: the one to change or cancel. */
async function refuse(tx: Queryable, { slug: owned, rootId }: UsageOwnership): Promise<never> {
  const owner = await liveContractOf(tx, rootId);
  const [, kind = null, name = owned] = /^\/(plan|chain)\/(.*)$/.exec(owned) ?? [];
  const contract = owner?.id ?? rootId;
  if (kind === 'plan') {
    const holds = owner?.planId === name ? 'has this plan' : 'changes to this plan';
    throw new Refusal('contract_exists', `The customer’s contract ${contract} ${holds}: change or cancel that one.`, { contract });
  }
  throw new Refusal('usage_feature_taken', `Usage of ${name} is counted in the customer’s contract ${contract}.`, {
    [name]: `is live in ${contract}`,
  });
}
