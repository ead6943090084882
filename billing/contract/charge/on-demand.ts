import type { Instant } from '../../calendar/instant.ts';
import { parseUnits } from '../../pricing/parse-units.ts';
import { boughtUnits, isUnits } from '../../pricing/price.ts';
import { checkUnits } from '../../pricing/quantity.ts';
import { BillingError, type FieldProblem } from '../../problem.ts';
import { refuse } from '../../refusal.ts';
import { flush, run } from '../advance/advance.ts';
import { type Source, triggeredSources } from '../period/sources.ts';
import { requireActive, requireActiveCustomer } from '../terms/require.ts';
import type { ContractSnapshot, NewId, Outcome } from '../types.ts';
import { finish, openWork } from '../work.ts';
import { onDemandCharge } from './charges.ts';
import { charge } from './close.ts';

/** A request to charge an on-demand feature once. */
export interface OnDemandRequest {
  slug: string;
  /** null = the contract's own number */
  units: string | null;
}

/**
 * Charges an on-demand feature once, now, in full.
 *
 * @throws Refusal `unknown_feature`, `not_on_demand`, `contract_not_active`, `contract_ended`, `customer_frozen`
 * @throws BillingError with the problems of `units`
 * @example
 * const story = signs('2025-01-01', plan('pro', { features: { report: ['on_demand', seats('5', '1')] } }));
 * const request = { slug: 'report', units: '3' };
 * story.does('2025-01-10', (snapshot, now, newId) => planOnDemand(snapshot, request, now, newId));
 * invoicesOf(story) // ['2025-01-10 15.00: on_demand feature:report 15.00']
 */
export function planOnDemand(snapshot: ContractSnapshot, { slug, units }: OnDemandRequest, now: Instant, newId: NewId): Outcome {
  requireActiveCustomer(snapshot);
  const work = openWork(snapshot, newId);
  run(work, now);
  const { contract } = work.snapshot;
  requireActive(contract);
  if (!contract.terms.features.some((feature) => feature.slug === slug)) {
    refuse('unknown_feature', 'give the slug of a feature of the contract', 'feature_slug');
  }
  const source = triggeredSources(contract.terms, 'on_demand').find((one) => one.slug === slug);
  if (!source) return refuse('not_on_demand', 'the feature is not charged on demand', 'feature_slug');
  const problems = units === null ? [] : problemsOf(source, units);
  if (problems.length > 0) throw new BillingError(problems);
  charge(work, contract, [onDemandCharge(contract, source, units ?? boughtUnits(source.price), now, newId('Chrg'))], 1);
  flush(work, now);
  return finish(work);
}

function problemsOf({ price }: Source, units: string): FieldProblem[] {
  if (isUnits(price.strategy)) return checkUnits(price.strategy, units, 'units');
  const { problems } = parseUnits(units, 'units');
  if (problems.length > 0 || units === '1') return problems;
  return [{ field: 'units', code: 'units_not_changeable', message: 'leave the units out: the price is not per unit' }];
}
