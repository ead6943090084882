import type { Instant } from '../../billing/calendar/instant.ts';
import { type Step, stepsReached, type UsageAlert, type Watch, watchOfAlert } from '../../billing/usage/alert.ts';
import type { Tx } from '../../db/connect.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { nameOfReached, noteReached } from '../../db/sql/usage/note-reached.ts';
import { liveBalances } from '../credit/live.ts';

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

/** Notes steps, and tells of those that were not reached before in their place. */
export async function tellSteps(tx: Tx, reached: readonly ReachedStep[]): Promise<void> {
  const named = reached.map((one) => ({ ...one, watchId: one.watch.id }));
  const isNew = await noteReached(
    tx,
    named.flatMap(({ watchId, step, place, alsoPlaces }) => [place, ...alsoPlaces].map((each) => ({ watchId, step, place: each }))),
  );
  await publish(
    tx,
    named
      .filter((one) => isNew.delete(nameOfReached(one)))
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

/** Tells of what the prepaid credits of a customer have fallen to. */
export async function tellBalance(tx: Tx, customer: WatchedCustomer, alerts: readonly UsageAlert[]): Promise<void> {
  const watches = alerts.filter(({ on, customerId }) => on === 'balance' && customerId === customer.id).map(watchOfAlert);
  if (watches.length === 0) return;
  const balances = await liveBalances(tx, customer.id, customer.now);
  const found = watches.flatMap((watch) => balances.map((balance) => ({ watch, ...balance })));
  await tellSteps(
    tx,
    found.flatMap(({ watch, currency, live: value, begun }) => {
      const place = { customer, watch, value, currency, place: `balance ${currency} ${begun}`, alsoPlaces: [], where: {} };
      return stepsReached(watch, value, null).map((step) => ({ ...place, ...step }));
    }),
  );
}
