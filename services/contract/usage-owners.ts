import type { Offer } from '../../billing/contract/terms/offer.ts';
import type { Terms } from '../../billing/contract/types.ts';
import { isUsagePriced } from '../../billing/pricing/strategy.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable } from '../../db/connect.ts';
import { insertRows } from '../../db/rows.ts';

interface Holder {
  customer_id: string;
  root_id: string;
  plan_id: string;
  terms: Terms;
  is_successor: boolean;
}

export type UsageOwnership = { customer_id: string; slug: string; root_id: string };

/** Slugs of the features that are charged for reported usage. */
function usageSlugs(terms: Terms): string[] {
  return terms.features.filter((feature) => feature.price !== null && isUsagePriced(feature.price)).map((feature) => feature.slug);
}

/**
 * Keeps what chains claim of a customer, each thing for one chain only: the plan and the metered slugs of its live
 * contract, and those of the contract a scheduled change leads to, so that the change finds its place free when its
 * time comes. What a chain no longer sells is let go. Rows: `calls` says which chain takes reports of calls,
 * `chain:calls` and `plan:Plan_…` reserve.
 *
 * @param contracts just written, whichever way: their chains are looked at as they stand now
 * @throws Refusal `usage_feature_taken`, `contract_exists`
 */
export async function writeUsageOwners(tx: Queryable, contracts: readonly { rootId: string }[]): Promise<void> {
  const roots = [...new Set(contracts.map(({ rootId }) => rootId))];
  if (roots.length === 0) return;
  const holders = await tx.query<Holder>(
    `select customer_id, root_id, plan_id, terms, is_successor from contract
     where root_id = any($1::text[]) and status in ('not_ready', 'pending', 'scheduled', 'active')`,
    [roots],
  );
  const wanted = ownedBy(holders);
  await tx.query(
    `delete from usage_owner where root_id = any($1::text[])
       and (root_id, slug) not in (select x.root_id, x.slug from jsonb_to_recordset($2::jsonb) as x(root_id text, slug text))`,
    [roots, JSON.stringify(wanted)],
  );
  const kept = await insertRows<UsageOwnership>(
    tx,
    'usage_owner',
    wanted,
    `on conflict (customer_id, slug) do update set root_id = usage_owner.root_id returning customer_id, slug, root_id`,
  );
  const own = new Set(wanted.map(keyOf));
  const foreign = kept.find((ownership) => !own.has(keyOf(ownership)));
  if (foreign !== undefined) await refuse(tx, foreign);
}

const keyOf = ({ customer_id, slug, root_id }: UsageOwnership): string => `${customer_id} ${slug} ${root_id}`;

/** In one order, so that two chains that want the same wait for each other and don't lock up. */
function ownedBy(holders: readonly Holder[]): UsageOwnership[] {
  const owners = holders.flatMap(({ customer_id, root_id, plan_id, terms, is_successor }) => {
    const slugs = usageSlugs(terms);
    const names = [`plan:${plan_id}`, ...slugs.map((slug) => `chain:${slug}`), ...(is_successor ? [] : slugs)];
    return names.map((slug) => ({ customer_id, slug, root_id }));
  });
  return [...new Map(owners.map((ownership) => [keyOf(ownership), ownership])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, ownership]) => ownership);
}

/** What chains claim of these customers. */
export async function usageOwnersOf(tx: Queryable, customerIds: readonly string[]): Promise<UsageOwnership[]> {
  return tx.query<UsageOwnership>('select customer_id, slug, root_id from usage_owner where customer_id = any($1::text[])', [customerIds]);
}

/**
 * Refuses a change to a plan that another chain of the customer holds, or whose metered features it does: what an
 * estimate has to know, since it writes no claims.
 *
 * @param claims of the customer, maybe among others
 * @throws Refusal as `keepClaims`
 */
export async function requireNotOwned(
  tx: Queryable,
  owners: readonly UsageOwnership[],
  { plan, pricing }: Offer,
  { customerId, rootId }: { customerId: string; rootId: string },
): Promise<void> {
  const metered = Object.entries(pricing.features).flatMap(([slug, price]) => (isUsagePriced(price) ? [`chain:${slug}`] : []));
  const wanted = new Set([`plan:${plan.id}`, ...metered]);
  const taken = owners.filter(
    (ownership) => ownership.customer_id === customerId && ownership.root_id !== rootId && wanted.has(ownership.slug),
  );
  const [last] = taken.toSorted((a, b) => (a.slug < b.slug ? 1 : -1));
  if (last !== undefined) await refuse(tx, last);
}

/** Says which contract it is that holds what is wanted: the one to change or cancel. */
async function refuse(tx: Queryable, { slug: claimed, root_id: rootId }: UsageOwnership): Promise<never> {
  const [holder] = await tx.query<{ id: string; plan_id: string }>(
    `select id, plan_id from contract
     where root_id = $1 and status in ('not_ready', 'pending', 'scheduled', 'active') order by is_successor, id desc limit 1`,
    [rootId],
  );
  const [kind, name] = claimed.split(':');
  const contract = holder?.id ?? rootId;
  if (kind === 'plan') {
    const holds = holder?.plan_id === name ? 'has this plan' : 'changes to this plan';
    throw new Refusal('contract_exists', `The customer’s contract ${contract} ${holds}: change or cancel that one.`, { contract });
  }
  throw new Refusal('usage_feature_taken', `Usage of ${name ?? kind} is counted in the customer’s contract ${contract}.`, {
    [name ?? claimed]: `is live in ${contract}`,
  });
}
