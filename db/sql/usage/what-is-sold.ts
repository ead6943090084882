import type { Queryable } from '../../connect.ts';
import { takesUsage } from './takes-usage.ts';

/** A feature of a customer. */
interface FeatureOf {
  customerId: string;
  slug: string;
}

const sells = `c.terms -> 'features' @> jsonb_build_array(jsonb_build_object('slug', $2::text))`;
const ofCustomer = 'select from contract c where c.customer_id = $1 and not c.is_successor and';

/**
 * What any of a customer's contracts, at any time, sells of a feature: usage that is counted, something else, or
 * nothing (null). SQL, because it looks into the JSON of what was sold, and stops where it finds it.
 */
export async function whatIsSold(tx: Queryable, { customerId, slug }: FeatureOf): Promise<'usage' | 'else' | null> {
  const [row] = await tx.query<{ sold: 'usage' | 'else' | null }>(
    `select case when exists (${ofCustomer} ${takesUsage('c', '$2')}) then 'usage' when exists (${ofCustomer} ${sells}) then 'else' end as sold`,
    [customerId, slug],
  );
  return row?.sold ?? null;
}

/** The rule is the plan's, else the vendor's. */
const holds = `coalesce(c.pause_rules #>> '{plan,usage}', c.pause_rules #>> '{vendor,usage}') = 'hold'`;

/** Whether any of a customer's contracts that sell a feature holds usage of freezes. SQL for the same reason. */
export async function isSoldWithHold(tx: Queryable, { customerId, slug }: FeatureOf): Promise<boolean> {
  const [row] = await tx.query<{ held: boolean }>(`select exists (${ofCustomer} ${holds} and ${sells}) as held`, [customerId, slug]);
  return row?.held ?? false;
}
