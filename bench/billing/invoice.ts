import { at } from '../../billing/calendar/instant.ts';
import { FULL } from '../../billing/calendar/ratio.ts';
import type { ContractDiscount, NewId } from '../../billing/contract/types.ts';
import { readDerivation } from '../../billing/explain/explain-line.ts';
import { recomputeLine } from '../../billing/explain/recompute.ts';
import { assembleInvoice } from '../../billing/invoice/assemble.ts';
import { type Charge, chargeLines } from '../../billing/invoice/charge.ts';
import { creditLine } from '../../billing/invoice/credit.ts';
import type { ChargedLine, TaxContext } from '../../billing/invoice/types.ts';
import { priceEstimate } from '../../billing/pricing/estimate.ts';
import type { Price, StrategyDetails } from '../../billing/pricing/price.ts';
import { type Measured, measure } from './measure.ts';

const start = at('2025-06-01');
const end = at('2025-07-01');
const change = at('2025-06-16T10:17:23.123Z');
const left = { part: end - change, whole: end - start };

const seats: StrategyDetails = {
  kind: 'per_unit',
  unitName: 'seat',
  unitCount: '12',
  minimumUnits: '1',
  maximumUnits: null,
  batchSize: 5,
  flatFee: '3.50',
};
const calls: StrategyDetails = {
  kind: 'usage',
  unitName: 'call',
  overUsageChargeStrategy: 'extra_usage_overcharge',
  overUsagePrice: '0.0345',
  minimumUnits: '100',
  maximumUnits: '5000',
  batchSize: 100,
  flatFee: null,
};
const storage: StrategyDetails = {
  kind: 'usage_tiered',
  unitName: 'GB',
  minimumUnits: null,
  maximumUnits: null,
  batchSize: null,
  flatFee: null,
  tierMode: 'graduated',
  tiers: [
    { upTo: '10', unitPrice: '2', flatFee: '10' },
    { upTo: '50', unitPrice: '1.5', flatFee: null },
    { upTo: null, unitPrice: '0.75', flatFee: null },
  ],
};
const strategies: StrategyDetails[] = [
  { kind: 'flat' },
  seats,
  calls,
  storage,
  { kind: 'flat' },
  seats,
  { kind: 'flat' },
  seats,
  calls,
  seats,
];

const prices = strategies.map(
  (strategy, index): Price => ({ id: `Price_${index}`, amount: `${index + 9}.95`, strategy, freeCycles: 0, taxCode: null }),
);
const tax: TaxContext = {
  policy: 'tax_included',
  rates: [
    { taxCode: null, country: 'DE', state: null, rate: '0.19' },
    { taxCode: 'books', country: 'DE', state: null, rate: '0.07' },
  ],
  sellerCountry: 'DE',
  country: 'DE',
  state: null,
  vatId: null,
};
const discount: ContractDiscount = {
  id: 'Disc_1',
  originalDiscountId: null,
  slug: 'spring',
  name: 'Spring',
  type: 'flat',
  amount: '25.00',
  currency: 'eur',
  duration: 3,
  cyclesBefore: 0,
};
const newId: NewId = (prefix) => `${prefix}_1`;
const contract = { id: 'Cont_1', customerId: 'Cust_1' };

function charges(ratio: { part: number; whole: number }): Charge[] {
  return prices.map((price, index) => ({
    contractId: contract.id,
    chargeKey: `cycle:1:feature:f${index}`,
    kind: 'recurring',
    source: `feature:f${index}`,
    name: `Feature ${index}`,
    price,
    units: '1234',
    ratio,
    span: { start, end },
    dueDate: start,
    schedulingPolicy: 'immediate',
    periodIdx: 1,
    discountable: true,
    free: false,
  }));
}

const invoiceOf = (lines: Parameters<typeof assembleInvoice>[0]): unknown =>
  assembleInvoice(lines, { contract, date: start, status: 'ready_for_payment', automatic: true, newId });
const written = chargeLines(charges(FULL), { currency: 'eur', tax, discount, newId });
const running: ChargedLine[] = written.map((line) => ({ ...line, invoiceId: 'Inv_1' }));

/** A price estimate of ten features. */
function estimate(): unknown {
  const items = prices.map((price) => ({ trigger: 'every_cycle' as const, price, units: '12' }));
  return priceEstimate(items, { cycle: 'month', dueDatePolicy: 'start_of_period', currency: 'eur' });
}

/** Ten lines with discount and tax on one invoice. */
function invoice(): unknown {
  return invoiceOf(chargeLines(charges(FULL), { currency: 'eur', tax, discount, newId }));
}

/** The money of a change of plan: ten lines given back, ten pro-rated ones charged, one invoice. */
function changeLines(): unknown {
  const credits = running.flatMap((line) => creditLine(line, left, change, { contractId: 'Cont_2', newId, dueDate: change }) ?? []);
  return invoiceOf([...credits, ...chargeLines(charges(left), { currency: 'eur', tax, discount, newId })]);
}

/** The second way, in whole-number fractions. */
function explain(): unknown {
  return written.map((line) => recomputeLine(readDerivation(line.derivation)));
}

/** All measurements of the invoice rules. */
export async function measureInvoices(): Promise<Measured[]> {
  return [
    await measure('price estimate, 10 features', estimate),
    await measure('invoice, 10 lines with discount and tax', invoice),
    await measure('change of plan, 10 credits + 10 lines', changeLines),
    await measure('recompute of 10 lines in fractions', explain),
  ];
}
