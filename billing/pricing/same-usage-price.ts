import { plain } from '../money/decimal.ts';
import { isUsage, type Price, type UsagePricing } from './strategy.ts';

/**
 * Whether two prices charge reported usage in the same way: amount, mode, tiers, limits and fees are equal, and so are
 * tax code and free cycles. A usage period then goes on across a change. The name of the unit, and zeros that don't
 * change a number, don't matter.
 */
export function isSameUsagePrice(a: Price | null, b: Price | null): boolean {
  const [first, second] = [essenceOf(a), essenceOf(b)];
  return first !== null && first === second;
}

function essenceOf(price: Price | null): string | null {
  if (price === null || !isUsage(price.strategy)) return null;
  const { amount, freeCycles, taxCode, strategy } = price;
  const { kind, batchSize, minimumUnits, maximumUnits, flatFee } = strategy;
  return JSON.stringify([
    ...[plain(amount), freeCycles, taxCode, kind, batchSize, plain(minimumUnits ?? '0'), plain(flatFee ?? '0')],
    maximumUnits === null ? null : [plain(maximumUnits), ...ratesAbove(amount, strategy)],
    ratesOf(strategy),
  ]);
}

function ratesAbove(amount: string, strategy: UsagePricing): string[] {
  return strategy.kind === 'usage' ? [plain(strategy.overUsagePrice ?? amount), strategy.overUsageChargeStrategy] : [];
}

function ratesOf(strategy: UsagePricing): unknown {
  if (strategy.kind === 'usage') return null;
  const tiers = strategy.tiers.map(({ upTo, unitPrice, flatFee }) => [upTo && plain(upTo), plain(unitPrice), plain(flatFee ?? '0')]);
  return [strategy.tierMode, tiers];
}
