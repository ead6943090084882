import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { ChargedLine, Derivation, Line } from '../../billing/invoice/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Row } from '../connect.ts';
import { stamp, stampOrNull } from '../rows.ts';

/** A row of `invoice_item`, with what credit notes took off it. */
export interface LineRow {
  id: string;
  contract_id: string;
  charge_key: string;
  invoice_id: string | null;
  kind: Line['kind'];
  source: string;
  name: string;
  description: string | null;
  currency: Currency;
  span_start: Instant | null;
  span_end: Instant | null;
  due_date: Instant;
  scheduling_policy: Line['schedulingPolicy'];
  unit_count: string;
  unit_price: string;
  subtotal: string;
  discount_amount: string;
  discount_description: string | null;
  total_excluding_tax: string;
  tax_amount: string;
  total_including_tax: string;
  tax_code: string | null;
  tax_rate: string | null;
  tax_policy: Line['taxPolicy'];
  reverse_charge: boolean;
  credit_of: string | null;
  period_idx: number | null;
  derivation: Derivation;
  credited_excluding_tax?: string | null;
  credited_tax?: string | null;
  rest?: ChargedLine['rest'] | null;
}

export function toLine(row: LineRow): ChargedLine {
  return {
    id: row.id,
    contractId: row.contract_id,
    chargeKey: row.charge_key,
    invoiceId: row.invoice_id,
    kind: row.kind,
    source: row.source,
    name: row.name,
    description: row.description,
    currency: row.currency,
    span: row.span_start === null ? null : { start: row.span_start, end: row.span_end },
    dueDate: row.due_date,
    schedulingPolicy: row.scheduling_policy,
    unitCount: row.unit_count,
    unitPrice: row.unit_price,
    subtotal: row.subtotal,
    discountAmount: row.discount_amount,
    discountDescription: row.discount_description,
    totalExcludingTax: row.total_excluding_tax,
    taxAmount: row.tax_amount,
    totalIncludingTax: row.total_including_tax,
    taxCode: row.tax_code,
    taxRate: row.tax_rate,
    taxPolicy: row.tax_policy,
    reverseCharge: row.reverse_charge,
    creditOf: row.credit_of,
    periodIdx: row.period_idx,
    derivation: row.derivation,
    ...(row.credited_excluding_tax ? { creditedExcludingTax: row.credited_excluding_tax, creditedTax: row.credited_tax ?? '0' } : {}),
    ...(row.rest ? { rest: row.rest } : {}),
  };
}

/** `position` keeps the order in which the rule gave the lines. */
export function fromLine(line: Line, contract: Contract, at: Instant, position: number): Row {
  return {
    id: line.id,
    vendor_id: contract.vendorId,
    customer_id: contract.customerId,
    contract_id: line.contractId,
    charge_key: line.chargeKey,
    invoice_id: null,
    kind: line.kind,
    source: line.source,
    name: line.name,
    description: line.description,
    currency: line.currency,
    span_start: stampOrNull(line.span?.start),
    span_end: stampOrNull(line.span?.end),
    due_date: stamp(line.dueDate),
    scheduling_policy: line.schedulingPolicy,
    unit_count: line.unitCount,
    unit_price: line.unitPrice,
    subtotal: line.subtotal,
    discount_amount: line.discountAmount,
    discount_description: line.discountDescription,
    total_excluding_tax: line.totalExcludingTax,
    tax_amount: line.taxAmount,
    total_including_tax: line.totalIncludingTax,
    tax_code: line.taxCode,
    tax_rate: line.taxRate,
    tax_policy: line.taxPolicy,
    reverse_charge: line.reverseCharge,
    credit_of: line.creditOf,
    period_idx: line.periodIdx,
    derivation: line.derivation,
    position,
    created: stamp(at),
    dead: line.idle === true,
  };
}
