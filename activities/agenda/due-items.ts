import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../../db/connect.ts';
import { mayPass, reasonOf } from '../../db/fault.ts';
import { stamp } from '../../db/rows.ts';
import { OutcomeUnknown, ProviderUnavailable } from '../../payments/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { type AgendaItem, agendaHandlers } from './registry.ts';

const AT_ONCE = 200;

/** Due rows that are no contract's own, on one clock or on none. */
export async function dueItems(tx: Queryable, clockId: string | null, upTo: Instant): Promise<AgendaItem[]> {
  const clock = clockId === null ? 'test_clock_id is null' : 'test_clock_id = $3';
  return tx.query<AgendaItem>(
    `select id, vendor_id as "vendorId", customer_id as "customerId", contract_id as "contractId", test_clock_id as "clockId", kind, subject,
       due_at as "dueAt", detail
     from agenda where ${clock} and due_at <= $1 and kind = any($2::text[]) order by due_at, id limit ${AT_ONCE}`,
    [stamp(upTo), Object.keys(agendaHandlers), ...(clockId === null ? [] : [clockId])],
  );
}

/**
 * Has each row dealt with, one after the other; a row that fails doesn't hold up the rest.
 *
 * @returns why a row can't be dealt with, for the first of those that trying again won't mend; null when there is none
 */
export async function dealWith(dependencies: Dependencies, items: readonly AgendaItem[], now: Instant): Promise<string | null> {
  let stuck: string | null = null;
  for (const item of items) {
    const handle = agendaHandlers[item.kind];
    if (handle === undefined) continue;
    try {
      await handle(dependencies, item, now);
    } catch (error) {
      dependencies.log.error({ err: error, kind: item.kind, subject: item.subject }, 'a due row could not be dealt with');
      if (!mayAnswerLater(error)) stuck ??= `${item.kind} of ${item.subject}: ${reasonOf(error)}`;
    }
  }
  return stuck;
}

/** The database or a provider is away. */
const mayAnswerLater = (error: unknown): boolean =>
  mayPass(error) || error instanceof ProviderUnavailable || error instanceof OutcomeUnknown;
