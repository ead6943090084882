import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { plain } from '../../billing/money/decimal.ts';
import { madeUnderKey } from '../../db/sql/idempotency/made-under-key.ts';
import type { CheckAnswer } from '../../services/usage/check.ts';
import { findReservation } from '../../services/usage/reservation.ts';
import { exampleCheck, exampleCheckRequest } from '../example/usage-check.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { CheckRequest, UsageCheck } from '../schema/usage-check.ts';
import { priceAmountToWire } from '../wire/price.ts';

export const checkUsageRoute = route({
  method: 'post',
  path: '/v1/c/entitlement/{customer_id}/check',
  operationId: 'check_usage',
  tag: 'Entitlements',
  summary: 'Ask whether a customer may use a feature',
  description:
    'With `reserve_seconds` the units are kept until they are confirmed, released, or their time ends: what is counted, reserved and asked for together never passes a limit. A repeat under an `Idempotency-Key` names the reservation that was made, also one that has ended since.',
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
    const made = idempotency === null ? null : await madeUnderKey(db, idempotency);
    if (made === null) return toWire(await checks.ask({ ...check, reserve: { seconds: body.reserve_seconds, reference: idempotency } }));
    // an earlier request with this key has reserved the units, but its response was lost
    const reservation = await findReservation(db.em(), made);
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
  limit: limit === null ? null : (limit.units ?? inCurrency(limit.amount, currency)),
  limit_id: limit?.id ?? null,
  ...(currency === null ? {} : { currency }),
  used: currency === null ? plain(used) : used,
  reserved: currency === null ? plain(reserved) : reserved,
  remaining: remaining === null || currency !== null ? remaining : plain(remaining),
  resets_at: resetsAt === null ? null : iso(resetsAt),
  ...(reservation === null ? {} : { reservation: reservation.id, expires: iso(reservation.expiresAt) }),
});

/** A limit of money has no currency of its own: it is shown in that of what is checked. */
const inCurrency = (amount: string | null, currency: Currency | null): string | null =>
  amount === null || currency === null ? amount : priceAmountToWire(amount, currency);
