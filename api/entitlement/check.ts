import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { plain } from '../../billing/money/decimal.ts';
import { newId } from '../../db/id.ts';
import type { CheckAnswer } from '../../services/usage/check.ts';
import { findReservation } from '../../services/usage/reservation.ts';
import { exampleCheck, exampleCheckRequest } from '../example/usage-check.ts';
import { effectIdOf } from '../http/idempotency.ts';
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
  run: async ({ vendor, params, body, idempotency }, { checks, db }) => {
    const check = { vendorId: vendor, customerId: params.customer_id, slug: body.feature_slug, units: body.units };
    if (body.reserve_seconds == null) return toWire(await checks.ask({ ...check, reserve: null }));
    const id = idempotency === null ? newId('Rsv') : await effectIdOf(db, idempotency, 'Rsv');
    const reservation = idempotency === null ? null : await findReservation(db.em(), id);
    if (reservation === null) return toWire(await checks.ask({ ...check, reserve: { id, seconds: body.reserve_seconds } }));
    // an earlier request with this key has reserved the units, but its response was lost
    return toWire({ ...(await checks.ask({ ...check, units: '0', reserve: null })), allowed: true, reason: null, reservation });
  },
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
