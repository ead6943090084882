import type { Instant } from '../../billing/calendar/instant.ts';
import { type Step, stepsReached, type UsageAlert, type Watch, watchOfAlert } from '../../billing/usage/alert.ts';
import type { Tx } from '../../db/connect.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { nameOfReached, noteReached, type ReachedPlace } from '../../db/sql/usage/note-reached.ts';
import { type LiveBalance, liveBalances } from '../credit/live.ts';

/** The customer of an event; the transaction has locked it against other changes of its usage. */
export interface WatchedCustomer {
  id: string;
  vendorId: string;
  /** on its clock */
  now: Instant;
}

/** A step that a value has reached. */
export interface ReachedStep extends Step {
  watch: Watch;
  customer: WatchedCustomer;
  value: string;
  /** of money */
  currency: string | null;
  /** names the usage period, the day, the hour, or the time from one grant to the next */
  place: string;
  /** further usage periods that the value is made of */
  alsoPlaces: readonly string[];
  /** what the event says of the place */
  where: Record<string, string | number | null>;
}

/**
 * Notes reached steps, and publishes an event for each that is new in at least one of its places. A value summed over
 * several usage periods is found once for each period with new usage; its step is announced once for all of them.
 */
export async function tellSteps(tx: Tx, reached: readonly ReachedStep[]): Promise<void> {
  const isNew = await noteReached(tx, reached.flatMap(placesOf));
  await publish(
    tx,
    reached
      .filter((one) => placesOf(one).filter((place) => isNew.delete(nameOfReached(place))).length > 0)
      .map(({ watch: { id, source, on, slug, window }, customer, step, level, value, currency, where }) => ({
        vendorId: customer.vendorId,
        type: 'v1.alert.reached',
        objectId: customer.id,
        at: customer.now,
        data: {
          ...(source === 'alert' ? { alert_id: id, limit_id: null } : { alert_id: null, limit_id: id }),
          ...{ on, feature_slug: slug, step, level, value, currency, window: on === 'balance' ? null : window, ...where },
        },
      })),
  );
}

const placesOf = ({ watch, step, place, alsoPlaces }: ReachedStep): ReachedPlace[] =>
  [place, ...alsoPlaces].map((each) => ({ watchId: watch.id, step, place: each }));

/**
 * Names the time from one grant to the next: each grant that begins lets all steps of the balance be announced again.
 */
export const balancePlace = ({ currency, begun }: Pick<LiveBalance, 'currency' | 'begun'>): string => `balance ${currency} ${begun}`;

/** Announces the levels that the prepaid credits of a customer have fallen to. */
export async function tellBalance(tx: Tx, customer: WatchedCustomer, alerts: readonly UsageAlert[]): Promise<void> {
  const watches = alerts.filter(({ on, customerId }) => on === 'balance' && customerId === customer.id).map(watchOfAlert);
  if (watches.length === 0) return;
  const balances = await liveBalances(tx, customer.id, customer.now);
  const found = watches.flatMap((watch) => balances.map((balance) => ({ watch, ...balance })));
  await tellSteps(
    tx,
    found.flatMap(({ watch, currency, live: value, begun }) => {
      const place = { customer, watch, value, currency, place: balancePlace({ currency, begun }), alsoPlaces: [], where: {} };
      return stepsReached(watch, value, null).map((step) => ({ ...place, ...step }));
    }),
  );
}
