import { FULL } from '../../../billing/calendar/ratio.ts';
import type { ContractDiscount, NewId } from '../../../billing/contract/types.ts';
import type { Charge, ChargeContext } from '../../../billing/invoice/charge.ts';
import type { LineAmounts } from '../../../billing/invoice/line.ts';
import type { ChargedLine, Line, TaxContext } from '../../../billing/invoice/types.ts';
import type { PerUnitDetails, Price, StrategyDetails, UsageDetails } from '../../../billing/pricing/price.ts';

/** Ids in a row, so that tests can name them: Item_1, Item_2 … */
export function counting(): NewId {
  let count = 0;
  return (prefix) => {
    count += 1;
    return `${prefix}_${count}`;
  };
}

export const noTax: TaxContext = { policy: 'tax_excluded', rates: [], sellerCountry: null, country: null, state: null, vatId: null };

/** One rate for everybody. */
export function taxAt(rate: string, policy: TaxContext['policy']): TaxContext {
  return { ...noTax, policy, rates: [{ taxCode: null, country: null, state: null, rate }] };
}

export function priceOf(amount: string, strategy: StrategyDetails = { kind: 'flat' }, taxCode: string | null = null): Price {
  return { id: 'Price_1', amount, strategy, freeCycles: 0, taxCode };
}

export function perUnit(details: Partial<PerUnitDetails> = {}): PerUnitDetails {
  return {
    kind: 'per_unit',
    unitName: 'seat',
    unitCount: '1',
    minimumUnits: '0',
    maximumUnits: null,
    batchSize: null,
    flatFee: null,
    ...details,
  };
}

export function usage(details: Partial<UsageDetails> = {}): UsageDetails {
  return {
    kind: 'usage',
    unitName: 'call',
    overUsageChargeStrategy: 'extra_usage_overcharge',
    overUsagePrice: null,
    minimumUnits: null,
    maximumUnits: null,
    batchSize: null,
    flatFee: null,
    ...details,
  };
}

/** A recurring charge of a whole cycle from 0 to 30. */
export function charge(price: Price, more: Partial<Charge> = {}): Charge {
  return {
    contractId: 'Cont_1',
    chargeKey: 'cycle:1:plan',
    kind: 'recurring',
    source: 'plan',
    name: 'Pro',
    price,
    units: '1',
    ratio: FULL,
    span: { start: 0, end: 30 },
    dueDate: 0,
    schedulingPolicy: 'start_of_period',
    periodIdx: 1,
    discountable: true,
    free: false,
    ...more,
  };
}

export function context(more: Partial<ChargeContext> = {}): ChargeContext {
  return { currency: 'usd', tax: noTax, discount: null, newId: counting(), ...more };
}

export function discountOf(type: 'percentage' | 'flat', amount: string, currency: ContractDiscount['currency'] = 'usd'): ContractDiscount {
  return {
    id: 'Disc_1',
    originalDiscountId: null,
    slug: 'spring',
    name: 'Spring',
    type,
    amount,
    currency: type === 'flat' ? currency : null,
    duration: 3,
    cyclesBefore: 0,
  };
}

export function charged(line: Line, more: Partial<ChargedLine> = {}): ChargedLine {
  return { ...line, invoiceId: 'Inv_1', ...more };
}

export function amountsOf(line: LineAmounts): LineAmounts {
  const { subtotal, discountAmount, totalExcludingTax, taxAmount, totalIncludingTax } = line;
  return { subtotal, discountAmount, totalExcludingTax, taxAmount, totalIncludingTax };
}

/** The only one of a list; a test fails where there are more or none. */
export function only<T>(list: readonly T[]): T {
  const [first, ...others] = list;
  if (first === undefined || others.length > 0) throw new Error(`expected one, got ${list.length}`);
  return first;
}
