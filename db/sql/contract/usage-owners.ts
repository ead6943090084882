import type { Terms } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { besideKey } from '../beside-key.ts';

/**
 * A thing of a customer that belongs to one chain only: a usage slug, `/chain/` and the slug of a metered feature, or
 * `/plan/` and a plan.
 */
export interface UsageOwnership {
  customerId: string;
  slug: string;
  rootId: string;
}

/** A live contract of a chain, with what it sells. */
export interface LiveContract {
  customerId: string;
  rootId: string;
  planId: string;
  terms: Terms;
  isSuccessor: boolean;
}

const IS_LIVE = besideKey(`status in ('not_ready', 'pending', 'scheduled', 'active')`);
const LIVE = `select customer_id as "customerId", root_id as "rootId", plan_id as "planId", terms, is_successor as "isSuccessor" from contract
  where root_id = any($1::text[]) and ended is null and ${IS_LIVE}`;

/**
 * The live contracts of chains and the ones that scheduled changes lead to. SQL: part of every signing and change, with
 * four columns of forty.
 */
export const liveContractsOf = (tx: Queryable, rootIds: readonly string[]): Promise<LiveContract[]> =>
  tx.query<LiveContract>(LIVE, [rootIds]);

const RELEASE = `delete from usage_owner where root_id = any($1::text[])
  and (root_id, slug) not in (select x.root_id, x.slug from unnest($2::text[], $3::text[]) as x(root_id, slug))`;
const TAKE = `insert into usage_owner (customer_id, slug, root_id)
  select customer_id, slug, root_id from unnest($1::text[], $2::text[], $3::text[]) as x(customer_id, slug, root_id)
  on conflict (customer_id, slug) do update set root_id = usage_owner.root_id
  returning customer_id as "customerId", slug, root_id as "rootId"`;

/** Takes from chains what isn't given. SQL: many chains lose many things in one statement. */
export async function releaseOwners(tx: Queryable, rootIds: readonly string[], but: readonly UsageOwnership[]): Promise<void> {
  await tx.query(RELEASE, [rootIds, but.map(({ rootId }) => rootId), but.map(({ slug }) => slug)]);
}

/**
 * Makes chains the owners of what is given, except what another chain owns already. SQL: owners have to be read and
 * written in one statement.
 *
 * @param owned in one order everywhere, so that two chains that want the same wait for each other and don't deadlock
 * @returns who owns each of these things now
 */
export async function takeOwners(tx: Queryable, owned: readonly UsageOwnership[]): Promise<UsageOwnership[]> {
  if (owned.length === 0) return [];
  const [slugs, roots] = [owned.map(({ slug }) => slug), owned.map(({ rootId }) => rootId)];
  return tx.query<UsageOwnership>(TAKE, [owned.map(({ customerId }) => customerId), slugs, roots]);
}

/** What chains own of these customers. SQL: part of every estimate, for many at once. */
export const usageOwnersOf = (tx: Queryable, customerIds: readonly string[]): Promise<UsageOwnership[]> =>
  tx.query<UsageOwnership>(
    'select customer_id as "customerId", slug, root_id as "rootId" from usage_owner where customer_id = any($1::text[])',
    [customerIds],
  );

const HOLDER = `select id, plan_id as "planId" from contract
  where root_id = $1 and ended is null and ${IS_LIVE} order by is_successor, id desc limit 1`;

/** The live contract of a chain, else the one that its scheduled change leads to. */
export async function liveContractOf(tx: Queryable, rootId: string): Promise<{ id: string; planId: string } | null> {
  const [row] = await tx.query<{ id: string; planId: string }>(HOLDER, [rootId]);
  return row ?? null;
}
