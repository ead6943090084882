import type { Instant } from '../../calendar/instant.ts';
import type { Line } from '../../invoice/types.ts';
import { customerMachine } from '../../lifecycle/customer.ts';
import { initialState, next } from '../../lifecycle/machine.ts';
import { dec, sum } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { parseUnits } from '../../pricing/parse-units.ts';
import type { Price } from '../../pricing/price.ts';
import { BillingError } from '../../problem.ts';
import { planUsageClosing } from '../charge/close-usage.ts';
import { runningIdx } from '../period/periods.ts';
import type { Offer, OfferedPricing } from '../terms/offer.ts';
import { DEFAULT_CONFIGURATION, planSigning } from '../terms/sign.ts';
import type { Contract, ContractSnapshot, NewId, UsageTotal } from '../types.ts';
import type { InvoiceWithLines } from '../work.ts';
import { firstStep, UNTAXED } from './first-step.ts';
import { invoicesMade } from './steps-ahead.ts';

/** What is bought of a pricing, and what is used in a cycle: units by feature slug, a group's by its name. */
export interface PreviewUnits {
  bought: Readonly<Record<string, string>>;
  used: Readonly<Record<string, string>>;
}

/** What a pricing comes to. */
export interface PricePreview {
  /** lines of the first invoice */
  atStart: Line[];
  /** lines of the usage, when the cycle ends */
  atEnd: Line[];
  /** of all lines, without tax */
  total: string;
}

const ACTIVE = next(customerMachine, initialState(customerMachine, 'create'), 'activate');
const WITHOUT_WAITING = { invoiceTrigger: 'immediate', usagePeriodClosingPolicy: 'automatic', dueDatePolicy: 'start_of_period' } as const;

/**
 * What a new contract pays for its first charged cycle: it is signed, advanced and its usage closed by the rules that
 * make its invoices, in memory. Trial, free cycles, discount and tax are left out.
 *
 * @param now the instant at which it begins
 * @throws BillingError with `bought.{name}` and `used.{slug}` for units that a contract can't have
 * @example
 * const offer = plan('pro', { price: '29', features: { seats: seats('10', '1'), calls: usage('0.01') } });
 * const preview = previewPrices(offer, { bought: { seats: '3' }, used: { calls: '250' } }, at('2025-01-31'), newId);
 * preview.atStart.map(({ totalExcludingTax }) => totalExcludingTax) // ['29.00', '30.00']
 * preview.atEnd.map(({ totalExcludingTax }) => totalExcludingTax) // ['2.50']
 * preview.total // '61.50'
 */
export function previewPrices(offer: Offer, units: PreviewUnits, now: Instant, newId: NewId): PricePreview {
  checkUsed(units.used);
  const contract = signedContract(offer, units, now, newId);
  const customer = { id: contract.customerId, status: ACTIVE, pauses: [], hasMethod: true };
  const first = firstStep(contract, { customer, tax: UNTAXED }, now, newId);
  const idx = runningIdx(first.snapshot.contract) ?? 1;
  const used = withUsage(first.snapshot, units.used, idx);
  const closed = planUsageClosing(used, idx, now, newId);
  const atStart = linesOf(invoicesMade(first));
  const atEnd = linesOf(invoicesMade(closed));
  const total = sum([...atStart, ...atEnd].map(({ totalExcludingTax }) => dec(totalExcludingTax)));
  return { atStart, atEnd, total: moneyText(total, offer.pricing.currency) };
}

function signedContract({ plan, pricing }: Offer, { bought }: PreviewUnits, now: Instant, newId: NewId): Contract {
  const overrides = Object.entries(bought).map(([name, units]) => [name, { units, field: `bought.${name}` }] as const);
  const request = {
    vendorId: newId('Wbc'),
    customerId: newId('Cust'),
    clockId: null,
    offer: { plan, pricing: withoutFreeCycles(pricing) },
    overrides: Object.fromEntries(overrides),
    discount: null,
    activation: null,
    isPending: false,
    expiration: null,
    trialDays: 0,
    freeCycles: 0,
    offset: null,
    configuration: WITHOUT_WAITING,
    customerConfiguration: {},
    vendorConfiguration: DEFAULT_CONFIGURATION,
    changeRules: {},
    vendorChangeRules: {},
    vendorPauseRules: {},
  };
  return planSigning(request, now, { newId }).contract;
}

function withoutFreeCycles(pricing: OfferedPricing): OfferedPricing {
  const charged = (prices: Record<string, Price>): Record<string, Price> =>
    Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, { ...price, freeCycles: 0 }]));
  const price = pricing.price === null ? null : { ...pricing.price, freeCycles: 0 };
  return { ...pricing, freeCycles: 0, price, features: charged(pricing.features), groups: charged(pricing.groups) };
}

/** @throws BillingError for what is no number of units */
function checkUsed(used: PreviewUnits['used']): void {
  const problems = Object.entries(used).flatMap(([slug, units]) => parseUnits(units, `used.${slug}`).problems);
  if (problems.length > 0) throw new BillingError(problems);
}

/** The snapshot as if these units had been reported. */
function withUsage(snapshot: ContractSnapshot, used: PreviewUnits['used'], idx: number): ContractSnapshot {
  const usage = Object.entries(used).map(
    ([slug, units]): UsageTotal => ({
      contractId: snapshot.contract.id,
      periodIdx: idx,
      slug,
      units,
      events: 1,
      marker: null,
      unitsUntilNow: units,
      eventsUntilNow: 1,
      markerUntilNow: null,
    }),
  );
  return { ...snapshot, usage };
}

const linesOf = (invoices: readonly InvoiceWithLines[]): Line[] => invoices.flatMap(({ lines }) => lines);
