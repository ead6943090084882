import { z } from 'zod';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { ReservationId } from '../schema/usage-check.ts';

export const releaseReservationRoute = route({
  method: 'post',
  path: '/v1/c/reservation/{reservation_id}/release',
  operationId: 'release_reservation',
  tag: 'Entitlements',
  summary: 'Give back what is reserved',
  description: 'The units are free again at once. A repeat, or one whose time has ended, succeeds too.',
  scope: 'usage',
  params: z.object({ reservation_id: ReservationId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: ReservationId },
  unaudited: 'it changes nothing but the reservation itself',
  errors: ['reservation_not_found', 'reservation_ended', 'customer_frozen', 'customer_erased', 'clock_advancing'],
  example: { body: {}, response: ids.released },
  run: ({ vendor, params }, { reservations }) =>
    reservations.end({ vendorId: vendor, reservationId: params.reservation_id, with: 'nothing' }),
});
