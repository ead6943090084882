import type { Contract } from '../../../billing/contract/types.ts';
import type { Derivation } from '../../../billing/invoice/types.ts';
import type { Queryable } from '../../connect.ts';
import { sourceOf } from '../usage/part.ts';
import { liveOfChain } from './live-of-chain.ts';

/** A correction to closed usage that waits, with what its usage line says. */
export interface OpenCorrection {
  /** the contract whose next invoice it waits for */
  payerId: string;
  contractId: string;
  periodIdx: number;
  slug: string;
  occasion: string;
  charged: string;
  leftExcludingTax: string;
  leftTax: string;
  /** what of that is by the tax rule of the line that closed the usage */
  chargedAlike: string;
  lineId: string | null;
  lineName: string;
  lineVoided: boolean;
  derivation: Derivation;
}

const taxRuleOf = (line: string): string => `(${line}.tax_policy, ${line}.tax_rate, ${line}.tax_code, ${line}.reverse_charge)`;

const SQL = `
  with recursive open as materialized (
    select k.*, coalesce(payer.id, k.contract_id) as payer_id
    from usage_correction k join contract c on c.id = k.contract_id
    left join contract payer on payer.root_id = k.root_id and ${liveOfChain('c', 'payer')}
    where k.root_id = any($1::text[]) and k.settled_at is null
  )
  , place as (
    select k.id, k.contract_id, k.period_idx, k.feature_slug from open k where k.payer_id = any($2::text[])
    union all
    select place.id, p.contract_id, p.idx, place.feature_slug
    from place
    join usage_period later on later.contract_id = place.contract_id and later.idx = place.period_idx
    join usage_period p on p.contract_id = later.follows_contract_id and p.idx = later.follows_idx
    where p.goes_on @> ${sourceOf('place.feature_slug')}
  )
  select k.payer_id as "payerId", k.contract_id as "contractId", k.period_idx as "periodIdx", k.feature_slug as slug, k.occasion,
    coalesce(sum(i.subtotal), 0)::text as charged,
    (coalesce(sum(i.total_excluding_tax), 0) - coalesce(sum(given.excluding_tax), 0))::text as "leftExcludingTax",
    (coalesce(sum(i.tax_amount), 0) - coalesce(sum(given.tax), 0))::text as "leftTax",
    coalesce(sum(i.subtotal) filter (where ${taxRuleOf('i')} is not distinct from ${taxRuleOf('closed')}), 0)::text as "chargedAlike",
    closed.id as "lineId", closed.name as "lineName", closed.voided as "lineVoided", (array_agg(closed.derivation))[1] as derivation
  from open k
  join place on place.id = k.id
  left join invoice_item i on i.contract_id = place.contract_id and i.period_idx = place.period_idx
    and i.source = 'feature:' || k.feature_slug and i.kind in ('usage', 'correction') and not i.voided
  left join lateral (
    select sum(n.total_excluding_tax) as excluding_tax, sum(n.tax_amount) as tax from credit_note_item n where n.invoice_item_id = i.id
  ) given on true
  left join lateral (
    select u.id, u.name, u.voided, u.derivation, u.tax_policy, u.tax_rate, u.tax_code, u.reverse_charge from invoice_item u
    where u.contract_id = k.contract_id and u.period_idx = k.period_idx and u.source = 'feature:' || k.feature_slug and u.kind = 'usage'
      and u.derivation ->> 'soFar' is null
    order by u.voided, u.id limit 1
  ) closed on true
  where k.payer_id = any($2::text[])
  group by k.id, k.payer_id, k.contract_id, k.period_idx, k.feature_slug, k.occasion, closed.id, closed.name, closed.voided,
    closed.tax_policy, closed.tax_rate, closed.tax_code, closed.reverse_charge
  order by k.id`;

/**
 * Corrections to closed usage that wait for the next invoice of these contracts, each with what was charged for them so
 * far, on predecessors too where their usage goes on, what notes left of it, and the line that closed it. A voided line
 * still says how its period is priced, but not how it is taxed. SQL: sums over four tables, for many contracts at once.
 */
export async function openCorrections(tx: Queryable, contracts: readonly Contract[]): Promise<OpenCorrection[]> {
  const roots = contracts.map(({ rootId }) => rootId);
  // there is hardly ever one, and only to plan the statement above costs Postgres more than a millisecond
  const [open] = await tx.query('select from usage_correction where root_id = any($1::text[]) and settled_at is null limit 1', [roots]);
  if (open === undefined) return [];
  return tx.query<OpenCorrection>(SQL, [roots, contracts.map(({ id }) => id)]);
}
