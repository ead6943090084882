import type { Contract, UsagePeriod } from '../../billing/contract/types.ts';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import { ContractRecord } from '../entities/contract.ts';
import { InvoiceItem } from '../entities/invoice.ts';
import { UsagePeriodRecord } from '../entities/usage.ts';
import { type Projection, projection } from './projection.ts';

/** A contract as rules know it, without what lists and filters read of it. */
export const contractProjection: Projection<Contract> = projection(ContractRecord, [
  'customerCreated',
  'planId',
  'planName',
  'pricingId',
  'cycle',
  'currency',
  'amount',
  'nextCycleStart',
  'usageToClose',
  'xid',
]);

/** A line as rules know it, without what its invoice says as well. */
export const lineProjection: Projection<ChargedLine> = projection(InvoiceItem, [
  'vendorId',
  'customerId',
  'position',
  'created',
  'part',
  'voided',
  'elsewhere',
  'xid',
]);

export const usagePeriodProjection: Projection<UsagePeriod> = projection(UsagePeriodRecord, ['marked']);
