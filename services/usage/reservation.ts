import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { dec } from '../../billing/money/decimal.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { UsageReservation } from '../../db/entities/usage-reservation.ts';
import { newId } from '../../db/id.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { type LockedCustomer, lockCustomer } from '../customer/lock.ts';
import { recordPromised } from './record-one.ts';

interface Confirmation {
  vendorId: string;
  keyId: string;
  reservationId: string;
  /** null: all that are reserved */
  units: string | null;
}

/** How a reservation is to end: with its usage, or without. */
export type ReservationEnd = (Confirmation & { with: 'usage' }) | { vendorId: string; reservationId: string; with: 'nothing' };

/**
 * Ends a reservation.
 *
 * @returns the id of its event, or its own where it was released
 * @throws Refusal as `confirmReservation` and `releaseReservation`
 */
export const endReservation = (tx: Tx, end: ReservationEnd): Promise<string> =>
  end.with === 'usage' ? confirmReservation(tx, end) : releaseReservation(tx, end);

/**
 * Makes the usage event of a reservation, dated when that was made. It was promised, so no limit refuses it, also one
 * that was set since; in a period that has closed meanwhile it is billed as a correction. What was not used is free
 * again. A repeat with the same units gives the same event.
 *
 * @returns the event's id
 * @throws Refusal `reservation_not_found`, `reservation_ended`, `invalid_request`, and what usage is refused for
 */
async function confirmReservation(tx: Tx, { vendorId, keyId, reservationId, units }: Confirmation): Promise<string> {
  const { customer, reservation } = await lockReservation(tx, vendorId, reservationId, 'allow'); // a repeat may come in a freeze
  const confirmed = units ?? reservation.units;
  if (reservation.status === 'confirmed' && reservation.eventId !== null && dec(reservation.confirmedUnits ?? '0').equals(confirmed))
    return reservation.eventId;
  requireKept(reservation, customer);
  if (dec(confirmed).greaterThan(reservation.units))
    throw new Refusal('invalid_request', 'more units than reserved', {
      units: `must be at most ${reservation.units}, which are reserved; report further ones as usage`,
    });
  const { slug, at, customerId } = reservation;
  const event = { id: newId('Evt'), vendorId, keyId, customerId, slug, units: confirmed, isAbsolute: false, metadata: {} };
  Object.assign(reservation, { status: 'confirmed', eventId: event.id, confirmedUnits: confirmed });
  await tx.em.flush();
  await recordPromised(tx, { ...event, timestamp: at, idempotencyKey: null, allowCorrection: true });
  return event.id;
}

/**
 * Gives the units of a reservation back; one whose time has come keeps none any more.
 *
 * @throws Refusal `reservation_not_found`, `reservation_ended`, `customer_frozen`
 */
async function releaseReservation(tx: Tx, { vendorId, reservationId }: { vendorId: string; reservationId: string }): Promise<string> {
  const { reservation } = await lockReservation(tx, vendorId, reservationId, 'refuse');
  if (reservation.status === 'confirmed') throw ended('it was confirmed');
  reservation.status = 'released';
  await tx.em.flush();
  return reservation.id;
}

/** A reservation as it was made, whatever has become of it; null: there is none with the id. */
export const findReservation = (em: EntityManager, id: string): Promise<{ id: string; expiresAt: Instant } | null> =>
  em.findOne(UsageReservation, { id });

async function lockReservation(tx: Tx, vendorId: string, id: string, frozen: 'refuse' | 'allow') {
  const seen = await tx.em.findOne(UsageReservation, { id });
  if (seen === null) throw unknownReservation(id);
  const customer = await lockCustomer(tx, vendorId, seen.customerId, { lock: 'no key update', frozen }).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'customer_not_found' ? unknownReservation(id) : error;
  });
  const reservation = await tx.em.findOne(UsageReservation, { id }, FOR_UPDATE);
  if (reservation === null) throw unknownReservation(id);
  return { customer, reservation };
}

function requireKept({ status, expiresAt }: { status: string; expiresAt: number }, { now }: LockedCustomer): void {
  if (status === 'confirmed') throw ended('it was confirmed with other units');
  if (status === 'released') throw ended('it was released');
  if (expiresAt <= now) throw ended(`its time ended at ${new Date(expiresAt).toISOString()}`);
}

const ended = (why: string): Refusal => new Refusal('reservation_ended', `the reservation keeps nothing any more: ${why}`);
/** Nothing of the vendor's has this id. */
export const unknownReservation = (id: string): Refusal => new Refusal('reservation_not_found', `There is no reservation ${id}.`);
