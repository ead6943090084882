import { z } from 'zod';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { EventId } from '../schema/common.ts';
import { ReservationConfirmRequest, ReservationId } from '../schema/usage-check.ts';
import { usageErrors } from '../usage/errors.ts';

export const confirmReservationRoute = route({
  method: 'post',
  path: '/v1/c/reservation/{reservation_id}/confirm',
  operationId: 'confirm_reservation',
  tag: 'Entitlements',
  summary: 'Use what is reserved',
  description:
    'Makes the usage event, dated when the units were reserved, and returns its id; a repeat with the same units returns the same one. What was not used is free again.',
  scope: 'usage',
  params: z.object({ reservation_id: ReservationId }),
  body: ReservationConfirmRequest,
  bodyOptional: true,
  response: { 200: EventId },
  unaudited: 'each usage event is on record itself, with its history',
  errors: ['reservation_not_found', 'reservation_ended', ...usageErrors.filter((code) => code !== 'limit_reached')],
  example: { body: { units: '15' }, response: ids.confirmed },
  run: ({ vendor, apiKeyId, params, body }, { reservations }) =>
    reservations.end({
      vendorId: vendor,
      keyId: apiKeyId,
      reservationId: params.reservation_id,
      units: body.units ?? null,
      with: 'usage',
    }),
});
