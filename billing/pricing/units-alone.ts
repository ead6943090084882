import type { Price } from './price.ts';
import { isUsage } from './strategy.ts';

/**
 * A usage price without what is owed for time: its own fee and its minimum. Fees of tiers are part of the price of
 * units. Any other price stays as it is.
 *
 * @example unitsAlone(usage('1', { flatFee: '31', minimum: '10' })).strategy.flatFee // null
 */
export function unitsAlone(price: Price): Price {
  const { strategy } = price;
  return isUsage(strategy) ? { ...price, strategy: { ...strategy, flatFee: null, minimumUnits: null } } : price;
}
