import type { z } from 'zod';
import { at, iso } from '../../billing/calendar/instant.ts';
import { newId } from '../../db/id.ts';
import type { ListedUsage } from '../../db/sql/usage/list.ts';
import type { ReportedUsage } from '../../db/usage/event.ts';
import type { UsageEvent, UsageRequest } from '../schema/usage.ts';

export const usageFromWire = (
  body: z.output<typeof UsageRequest>,
  { vendor, apiKeyId }: { vendor: string; apiKeyId: string },
  key: string | null,
): ReportedUsage => ({
  id: newId('Evt'),
  vendorId: vendor,
  keyId: apiKeyId,
  customerId: body.customer_id,
  slug: body.feature_slug,
  units: body.units,
  isAbsolute: body.is_absolute ?? false,
  metadata: body.metadata ?? {},
  timestamp: body.timestamp == null ? null : at(body.timestamp),
  idempotencyKey: key,
  allowCorrection: body.allow_correction ?? false,
});

export const usageToWire = (event: ListedUsage): z.input<typeof UsageEvent> => ({
  id: event.id,
  customer_id: event.customer_id,
  contract_id: event.contract_id,
  feature_slug: event.feature_slug,
  units: event.units,
  original_units: event.original_units ?? event.units,
  is_absolute: event.is_absolute,
  metadata: event.metadata,
  timestamp: iso(event.timestamp),
  received: iso(event.arrived_at),
  period_idx: event.period_idx,
  discarded: event.discarded_at !== null || event.superseded,
  discarded_at: event.discarded_at === null ? null : iso(event.discarded_at),
  notes: event.notes,
});
