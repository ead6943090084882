import { type ChangeRule, DEFAULT_CHANGE_RULES } from '../../billing/contract/terms/change-rules.ts';
import { plain } from '../../billing/money/decimal.ts';

/** A plan or a discount of the catalogue, or a part of one, as YAML or JSON gives it. */
export type CatalogueEntry = Readonly<Record<string, unknown>>;

/**
 * The form in which a plan of the file and one of the server are compared, and in which the server's is written: what
 * is the default is left out, amounts are as short as they can be, and neither ids nor states are there.
 */
export function planForm(plan: CatalogueEntry): CatalogueEntry {
  return tidy({
    ...pick(plan, ['internal_name', 'external_name', 'description', 'strategy']),
    free_trial_days: unless(0, plan.free_trial_days),
    metadata: plan.metadata,
    change_rules: changeRulesForm(plan.change_rules),
    pause_rules: pauseRulesForm(plan.pause_rules),
    features: listOf(plan.features).map((feature) =>
      tidy({ ...pick(feature, ['slug', 'name', 'group', 'value']), charge_trigger: unless('every_cycle', feature.charge_trigger) }),
    ),
    // the server finds a pricing by these two, whatever their order
    pricings: listOf(plan.pricings)
      .map(pricingForm)
      .toSorted((a, b) => (pricingName(a) < pricingName(b) ? -1 : 1)),
  });
}

export const discountForm = (discount: CatalogueEntry): CatalogueEntry =>
  tidy({ ...pick(discount, ['name', 'discount_type', 'duration']), amount: decimal(discount.amount), currency: lower(discount.currency) });

/** Currency and cycle of a pricing, by which it is named. */
export const pricingName = ({ currency, cycle }: CatalogueEntry): string =>
  `${currency} ${typeof cycle === 'string' ? cycle : JSON.stringify(cycle)}`;

function pricingForm(pricing: CatalogueEntry): CatalogueEntry {
  return tidy({
    currency: lower(pricing.currency),
    cycle: pricing.cycle,
    free_cycles: unless(0, pricing.free_cycles),
    price: isEntry(pricing.price) ? priceForm(pricing.price) : undefined,
    features: pricesForm(pricing.features),
    groups: pricesForm(pricing.groups),
    credits: isEntry(pricing.credits) ? creditsForm(pricing.credits) : undefined,
  });
}

const creditsForm = (credits: CatalogueEntry): CatalogueEntry =>
  tidy({ ...credits, amount: decimal(credits.amount), rollover_maximum: decimal(credits.rollover_maximum) });

const pricesForm = (prices: unknown): CatalogueEntry | undefined =>
  isEntry(prices)
    ? Object.fromEntries(Object.entries(prices).flatMap(([name, price]) => (isEntry(price) ? [[name, priceForm(price)]] : [])))
    : undefined;

const priceForm = (price: CatalogueEntry): CatalogueEntry =>
  tidy({
    amount: decimal(price.amount),
    free_cycles: unless(0, price.free_cycles),
    tax_code: price.tax_code,
    strategy_details: isEntry(price.strategy_details) ? strategyForm(price.strategy_details) : undefined,
  });

function strategyForm(details: CatalogueEntry): CatalogueEntry {
  const isTiered = Array.isArray(details.tiers);
  const minimum = unlessBought(details, decimal(details.minimum_units));
  return tidy({
    pricing_strategy: details.pricing_strategy,
    unit_name: isTiered ? unless('unit', details.unit_name) : details.unit_name,
    unit_count: unless(minimum ?? '1', decimal(details.unit_count)),
    minimum_units: minimum,
    maximum_units: decimal(details.maximum_units),
    batch_size: details.batch_size,
    flat_fee: decimal(details.flat_fee),
    over_usage_price: decimal(details.over_usage_price),
    // without effect beside tiers, and then not kept
    over_usage_charge_strategy: isTiered ? undefined : unless('extra_usage_overcharge', details.over_usage_charge_strategy),
    tier_mode: details.tier_mode,
    tiers: listOf(details.tiers).map((tier) =>
      tidy({ up_to: decimal(tier.up_to), unit_price: decimal(tier.unit_price), flat_fee: unless('0', decimal(tier.flat_fee)) }),
    ),
  });
}

/** The minimum, left out where it is the default: 0 for bought units, none for used ones. */
const unlessBought = ({ pricing_strategy }: CatalogueEntry, minimum: unknown): unknown =>
  pricing_strategy === 'per_unit' || pricing_strategy === 'unit_tiered' ? unless('0', minimum) : minimum;

/** Each direction whole, as the server keeps it. */
function changeRulesForm(rules: unknown): CatalogueEntry | undefined {
  if (!isEntry(rules)) return undefined;
  const usual: Readonly<Record<string, ChangeRule>> = DEFAULT_CHANGE_RULES;
  const whole = Object.entries(rules).map(([direction, rule]) => [
    direction,
    isEntry(rule) ? { ...usual[direction], ...tidy(rule) } : undefined,
  ]);
  return tidy(Object.fromEntries(whole));
}

/** Null days are a rule: no end by itself, whatever the vendor's rule says. */
function pauseRulesForm(rules: unknown): CatalogueEntry | undefined {
  if (!isEntry(rules)) return undefined;
  const days = rules.resume_after_days;
  return { ...(days === undefined ? {} : { resume_after_days: days }), ...tidy({ ...rules, resume_after_days: undefined }) };
}

export const isEntry = (value: unknown): value is CatalogueEntry => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): CatalogueEntry[] => (Array.isArray(value) ? value.filter(isEntry) : []);
const pick = (entry: CatalogueEntry, names: readonly string[]): CatalogueEntry =>
  Object.fromEntries(names.map((name) => [name, entry[name]]));
const unless = (usual: unknown, value: unknown): unknown => (value === usual ? undefined : value);
const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** What is not plain decimal text is left for the server to refuse. */
const decimal = (value: unknown): unknown => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? plain(value) : value);

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** The entry without its empty fields. */
function tidy(entry: CatalogueEntry): CatalogueEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => !isNothing(value)));
}
