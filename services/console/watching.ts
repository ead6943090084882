import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { thresholdOf } from '../../billing/contract/terms/threshold.ts';
import type { Configuration } from '../../billing/contract/types.ts';
import { ownEntry } from '../../billing/own-entry.ts';
import { calendarWindow } from '../../billing/usage/limit.ts';
import type { Database } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { CreditTopUp, type CreditTopUpRecord } from '../../db/entities/credit-top-up.ts';
import { UsageAlertReached, UsageAlertRecord } from '../../db/entities/usage-alert.ts';
import { UsageLimitRecord, UsageWindow } from '../../db/entities/usage-limit.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { creditBalances } from '../../db/sql/credit/balances.ts';
import { type RunningUse, runningUse } from '../../db/sql/usage/running-use.ts';
import { balancePlace } from '../usage-alert/tell.ts';

type Limit = Pick<InferEntity<typeof UsageLimitRecord>, 'id' | 'slug' | 'units' | 'amount' | 'window' | 'action'>;
type Alert = Pick<InferEntity<typeof UsageAlertRecord>, 'id' | 'on' | 'slug' | 'steps'>;

/** What watches a customer's usage and credits, and where it stands. */
export interface CustomerWatching {
  /** `used`: units that are counted now; null: of money, or of a window in which nothing was counted for the limit */
  limits: (Limit & { used: string | null })[];
  /** `reached`: the steps that were announced in the periods that run, and since the last grant began */
  alerts: (Alert & { reached: string[] })[];
  topUps: CreditTopUpRecord[];
  /** what contracts that are signed from now on get */
  threshold: Pick<Configuration, 'invoiceThreshold' | 'invoiceThresholdFrom'>;
}

const MOST = 20;
/** Windows and steps of so many limits and alerts. */
const MOST_ROWS = 200;

/** The limits, alerts, top-ups and the invoice threshold of a customer, in a fixed number of statements. */
export async function customerWatching(
  db: Database,
  { id, vendorId, configuration }: CustomerRecord,
  now: Instant,
): Promise<CustomerWatching> {
  const em = db.em();
  const newest = { orderBy: { created: 'desc', id: 'desc' }, limit: MOST } as const;
  const limits = await em.find(UsageLimitRecord, { customerId: id }, newest);
  const alerts = await em.find(UsageAlertRecord, { customerId: id }, newest);
  const running = limits.length + alerts.length === 0 ? [] : await runningUse(db, id, now, MOST);
  const { invoicing } = await em.findOneOrFail(Vendor, { id: vendorId }, { fields: ['invoicing'] });
  return {
    limits: await withUse(em, id, limits, running, now),
    alerts: await withReached(em, alerts, [...running.flatMap((one) => one.places), ...(await balancePlaces(db, id, alerts, now))]),
    topUps: await em.find(CreditTopUp, { customerId: id }, newest),
    threshold: thresholdOf({ contract: {}, customer: configuration, vendor: invoicing }),
  };
}

async function withUse(
  em: EntityManager,
  customerId: string,
  limits: readonly Limit[],
  running: readonly RunningUse[],
  now: Instant,
): Promise<CustomerWatching['limits']> {
  const began = (['day', 'hour'] as const).map((window) => calendarWindow(window, now).from);
  const isWindowed = limits.some(({ window }) => window !== 'period');
  const windows = isWindowed ? await em.find(UsageWindow, { customerId, from: { $in: began } }, { limit: MOST_ROWS }) : [];
  return limits.map((limit) => ({ ...limit, used: usedOf(limit, running, windows, now) }));
}

function usedOf(
  { slug, units, window }: Limit,
  running: readonly RunningUse[],
  windows: readonly InferEntity<typeof UsageWindow>[],
  now: Instant,
): string | null {
  if (units === null || slug === null) return null;
  if (window === 'period') return running.flatMap((one) => ownEntry(one.units, slug) ?? [])[0] ?? (running.length === 0 ? null : '0');
  const { from } = calendarWindow(window, now);
  return windows.find((one) => one.featureSlug === slug && one.window === window && one.from === from)?.units ?? null;
}

async function balancePlaces(db: Database, customerId: string, alerts: readonly Alert[], now: Instant): Promise<string[]> {
  if (alerts.every(({ on }) => on !== 'balance')) return [];
  return (await creditBalances(db, customerId, now)).map(balancePlace);
}

async function withReached(em: EntityManager, alerts: readonly Alert[], places: readonly string[]): Promise<CustomerWatching['alerts']> {
  if (alerts.length === 0) return [];
  const where = { watchId: { $in: alerts.map(({ id }) => id) }, place: { $in: [...places] } };
  const rows = await em.find(UsageAlertReached, where, { limit: MOST_ROWS });
  const isReached = (id: string, step: string): boolean => rows.some((row) => row.watchId === id && row.step === step);
  return alerts.map((alert) => ({ ...alert, reached: alert.steps.filter((step) => isReached(alert.id, step)) }));
}
