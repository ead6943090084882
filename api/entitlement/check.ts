import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { plain } from '../../billing/money/decimal.ts';
import type { CheckAnswer } from '../../services/usage/check.ts';
import { exampleCheck, exampleCheckRequest } from '../example/usage-check.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { CheckRequest, UsageCheck } from '../schema/usage-check.ts';

export const checkUsageRoute = route({
  method: 'post',
  path: '/v1/c/entitlement/{customer_id}/check',
  operationId: 'check_usage',
  tag: 'Entitlements',
  summary: 'Ask whether a customer may use a feature',
  description:
    'With `reserve_seconds` the units are kept until they are confirmed, released, or their time ends: what is counted, reserved and asked for together never passes a limit.',
  scope: 'usage',
  params: z.object({ customer_id: CustomerId }),
  body: CheckRequest,
  response: { 200: UsageCheck },
  unaudited: 'each reservation is on record itself',
  errors: ['customer_not_found', 'feature_not_usage_priced', 'clock_advancing'],
  example: { body: exampleCheckRequest, response: exampleCheck },
  run: async ({ vendor, params, body }, { checks }) =>
    toWire(
      await checks.ask({
        vendorId: vendor,
        customerId: params.customer_id,
        slug: body.feature_slug,
        units: body.units,
        reserveSeconds: body.reserve_seconds ?? null,
      }),
    ),
});

const toWire = ({
  allowed,
  reason,
  limit,
  currency,
  used,
  reserved,
  remaining,
  resetsAt,
  reservation,
}: CheckAnswer): z.input<typeof UsageCheck> => ({
  allowed,
  reason,
  limit: limit === null ? null : (limit.units ?? limit.amount),
  limit_id: limit?.id ?? null,
  ...(currency === null ? {} : { currency }),
  used: currency === null ? plain(used) : used,
  reserved: currency === null ? plain(reserved) : reserved,
  remaining: remaining === null || currency !== null ? remaining : plain(remaining),
  resets_at: resetsAt === null ? null : iso(resetsAt),
  ...(reservation === null ? {} : { reservation: reservation.id, expires: iso(reservation.expiresAt) }),
});
