import { type Decimal, dec } from '../money/decimal.ts';
import type { Price } from './strategy.ts';

/**
 * Counts behind which a price may come to less than at them: more units price those before again. Between two of them
 * it never falls.
 *
 * @example fallsAfter(usageTiered('volume', tiers(['10', '2'], [null, '1']))) // ['10']
 * @example fallsAfter({ ...usage('1', { maximum: '25', batch: 10 }), strategy: { ...usage('1', { maximum: '25', batch: 10 }).strategy, overUsageChargeStrategy: 'all_usage_overcharge' } }) // ['20']
 */
export function fallsAfter({ strategy }: Price): Decimal[] {
  const inBatches = (count: string): Decimal => {
    const size = 'batchSize' in strategy ? strategy.batchSize : null;
    return size === null ? dec(count) : dec(count).divToInt(size).times(size);
  };
  if (strategy.kind === 'usage_tiered' && strategy.tierMode === 'volume')
    return strategy.tiers.flatMap(({ upTo }) => (upTo === null ? [] : [inBatches(upTo)]));
  const isRepriced = strategy.kind === 'usage' && strategy.overUsageChargeStrategy === 'all_usage_overcharge';
  return isRepriced && strategy.maximumUnits !== null ? [inBatches(strategy.maximumUnits)] : [];
}
