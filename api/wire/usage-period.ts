import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { usageOf } from '../../billing/contract/charge/usage-view.ts';
import type { UsagePeriod as Period } from '../../billing/contract/types.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { ContractDetail } from '../../services/contract/read.ts';
import type { PeriodsUsage } from '../../services/usage/list-periods.ts';
import type { UsagePeriod } from '../schema/usage.ts';

type Owner = Pick<ContractDetail, 'contract' | 'pauses'>;

export const usagePeriodToWire = (
  { contract, pauses }: Owner,
  { earlier, totals }: PeriodsUsage,
  period: Period,
): z.input<typeof UsagePeriod> => ({
  idx: period.idx,
  start: iso(period.start),
  end: period.until === null ? null : iso(period.until),
  closes_at: period.closesAt === null ? null : iso(period.closesAt),
  status: period.status,
  features: usageOf({ contract, period, usage: totals }, earlier.get(period.idx) ?? [], pauses).map((feature) => ({
    feature_slug: feature.slug,
    units_used: feature.unitsUsed,
    units_charged: feature.unitsCharged,
    over_usage_unit_charged: feature.overUsageUnitCharged,
    amount: moneyText(dec(feature.amount), contract.terms.currency),
  })),
  invoice_threshold: period.idx === 0 ? null : (contract.configuration.invoiceThreshold ?? null),
});
