import type { Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import type { ReportedUsage } from '../../db/usage/event.ts';
import { UsageIntake } from '../../services/usage/intake.ts';

export interface Events {
  vendorId: string;
  keyId: string;
  customers: readonly string[];
  slug: string;
  count: number;
  /** over which the events are spread */
  from: number;
  until: number;
}

/** As many as the intake takes in one statement, and as many statements as it has at once. */
const GROUP = 2_000;
const AT_ONCE = 2;

/** Usage as the API records it, through the same intake, without the requests around it. */
export async function reportEvents(db: Database, events: Events): Promise<void> {
  const intake = new UsageIntake(db);
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (sent < events.count) {
      const first = sent;
      sent = Math.min(sent + GROUP, events.count);
      const results = await intake.report(Array.from({ length: sent - first }, (_, i) => eventOf(events, first + i)));
      for (const result of results) if ('error' in result) throw result.error;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

function eventOf({ vendorId, keyId, customers, slug, count, from, until }: Events, n: number): ReportedUsage {
  return {
    id: newId('Evt'),
    ...{ vendorId, keyId, customerId: customers[n % customers.length] ?? '', slug },
    ...{ units: '1', isAbsolute: false, metadata: {}, allowCorrection: false, idempotencyKey: null },
    timestamp: Math.floor(from + ((until - from) * n) / count),
  };
}
