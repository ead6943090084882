import type { FeatureValue } from '../../../billing/contract/terms/offer.ts';
import type { TermFeature } from '../../../billing/contract/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import { dec, plain } from '../../../billing/money/decimal.ts';
import type { ChargeTrigger, Price, StrategyDetails, Tier } from '../../../billing/pricing/price.ts';
import type { Reader } from '../../messages/language.ts';
import type { MessageKey } from '../../messages/pages.ts';

type Words = Pick<Reader, 't' | 'format'> & { readonly currency: Currency };

const TRIGGERS: Record<Exclude<ChargeTrigger, 'every_cycle'>, MessageKey> = {
  first_cycle: 'prices.once',
  on_demand: 'prices.on_demand',
  month: 'prices.month',
  quarter: 'prices.quarter',
  year: 'prices.year',
};

/** What a feature costs, or what it gives in the place of a price. */
export function featureWords(
  reader: Reader,
  { price, value, chargeTrigger }: Pick<TermFeature, 'price' | 'value' | 'chargeTrigger'>,
  currency: Currency,
): string {
  return price === null && value !== null ? valueWords(reader, value) : priceWords(reader, price, chargeTrigger, currency);
}

const valueWords = ({ t }: Reader, value: FeatureValue): string =>
  typeof value === 'string'
    ? t('prices.value', { value: 'text', text: value })
    : t('prices.value', { value: value ? 'yes' : 'no', text: '' });

/** What a feature costs, in words; a feature without a price is included. */
export function priceWords(reader: Reader, price: Price | null, trigger: ChargeTrigger, currency: Currency): string {
  const words = { ...reader, currency };
  if (price === null) return words.t('prices.included');
  const { strategy } = price;
  const cost = [...unitCost(words, price), ...limits(words, strategy), ...fee(words, strategy)].join(', ');
  const isUsage = strategy.kind === 'usage' || strategy.kind === 'usage_tiered';
  if (isUsage) return words.t('prices.as_used', { words: cost });
  return trigger === 'every_cycle' ? cost : words.t(TRIGGERS[trigger], { words: cost });
}

function unitCost({ t, format, currency }: Words, { amount, strategy }: Price): string[] {
  switch (strategy.kind) {
    case 'flat':
      return [dec(amount).isZero() ? t('prices.included') : format.money(amount, currency)];
    case 'per_unit':
    case 'usage':
      return [
        dec(amount).isZero() ? t('prices.free') : t('prices.each', { price: format.price(amount, currency), unit: strategy.unitName }),
      ];
    case 'unit_tiered':
    case 'usage_tiered':
      return [
        ...strategy.tiers.map((tier) => tierWords({ t, format, currency }, tier)),
        ...(strategy.tierMode === 'volume' ? [t('prices.tier_volume')] : []),
      ];
  }
}

function tierWords({ t, format, currency }: Words, { upTo, unitPrice, flatFee }: Tier): string {
  const each = { price: format.price(unitPrice, currency) };
  const words = upTo === null ? t('prices.tier_rest', each) : t('prices.tier_to', { ...each, count: format.number(plain(upTo)) });
  return flatFee === null || dec(flatFee).isZero() ? words : `${words} (${t('prices.fee', { price: format.money(flatFee, currency) })})`;
}

function limits({ t, format, currency }: Words, strategy: StrategyDetails): string[] {
  if (strategy.kind !== 'usage') return [];
  const { minimumUnits, maximumUnits, overUsagePrice, overUsageChargeStrategy } = strategy;
  const least =
    minimumUnits === null || dec(minimumUnits).isZero() ? [] : [t('prices.at_least', { count: format.number(plain(minimumUnits)) })];
  if (maximumUnits === null || overUsagePrice === null) return least;
  const key = overUsageChargeStrategy === 'all_usage_overcharge' ? 'prices.all_above' : 'prices.above';
  return [...least, t(key, { count: format.number(plain(maximumUnits)), price: format.price(overUsagePrice, currency) })];
}

function fee({ t, format, currency }: Words, strategy: StrategyDetails): string[] {
  if (!('flatFee' in strategy) || strategy.flatFee === null || dec(strategy.flatFee).isZero()) return [];
  return [t('prices.fee', { price: format.money(strategy.flatFee, currency) })];
}
