import type { Instant } from '../../billing/calendar/instant.ts';
import { type Pause, unshift } from '../../billing/calendar/pauses.ts';
import type { Tx } from '../../db/connect.ts';
import { Customer } from '../../db/entities/customer.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { isFreezeOver } from '../customer/freeze-over.ts';

/** How the lives of a customer's credits stand, as they are stored. */
export interface Lived {
  /** the freeze that has not moved them yet; if it has an end, it was to end by itself, and a worker is late */
  freeze: Pause | null;
  /**
   * the stored instant up to which lives have passed: during the freeze its beginning, after its end the present less
   * its length
   */
  until: Instant;
}

/**
 * During a freeze lives stand still; when it ends, stored instants behind its beginning are moved by its length. If it
 * was to end by now and nobody has carried that out, lives have gone on since, but aren't moved yet.
 */
export async function livedBy(tx: Tx, customerId: string, at: Instant): Promise<Lived> {
  const fields = { fields: ['status', 'resumeAt'], disableIdentityMap: true } as const;
  const { status, resumeAt } = await tx.em.findOneOrFail(Customer, { id: customerId }, fields);
  const open = status === 'inactive' ? (await readPauses(tx, customerId)).at(-1) : undefined;
  if (open === undefined) return { freeze: null, until: at };
  const freeze = { from: open.from, to: isFreezeOver({ resumeAt, now: at }) ? resumeAt : null };
  return { freeze, until: unshift(at, [freeze]) };
}
