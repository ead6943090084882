import { isPeriodic } from '../../billing/calendar/cycle.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { boundary } from '../../billing/calendar/rhythm.ts';
import { sourcesOf } from '../../billing/contract/sources.ts';
import { rhythmCycle, rhythmOf, trialEndOf } from '../../billing/contract/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { type EstimateTerms, estimatedAmount, type PriceEstimate, priceEstimate } from '../../billing/pricing/estimate.ts';
import { boughtUnits } from '../../billing/pricing/strategy.ts';
import type { ContractFigures } from '../mapping/contract.ts';

const termsOf = ({ terms, configuration }: Contract): EstimateTerms => ({
  cycle: terms.cycle,
  currency: terms.currency,
  dueDatePolicy: configuration.dueDatePolicy,
});

/** What one full charge of everything in the contract would come to. */
export function costEstimates(contract: Contract): PriceEstimate {
  const items = sourcesOf(contract.terms).map(({ trigger, price }) => ({ trigger, price, units: boughtUnits(price) }));
  return priceEstimate(items, termsOf(contract));
}

/** The figures kept beside a contract for its summary. */
export function figuresOf(contract: Contract, pauses: Pause[]): ContractFigures {
  return { amount: estimatedAmount(costEstimates(contract), termsOf(contract)), nextCycleStart: nextCycleStart(contract, pauses) };
}

/** When the next billing period begins, as far as it is known. */
export function nextCycleStart(contract: Contract, pauses: Pause[]): number | null {
  if (contract.status !== 'active') return null;
  if (contract.start === null) return trialEndOf(contract, pauses);
  if (contract.currentIdx === null || !isPeriodic(contract.terms.cycle)) return null;
  return boundary(rhythmOf(contract, pauses), rhythmCycle(contract, contract.currentIdx + 1));
}
