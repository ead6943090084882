import type { Instant } from '../../billing/calendar/instant.ts';
import { type Pause, unshift } from '../../billing/calendar/pauses.ts';
import type { Tx } from '../../db/connect.ts';
import { Customer } from '../../db/entities/customer.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { isFreezeOver } from '../customer/freeze-over.ts';

/** How the lives of a customer's credits stand, as they are stored. */
export interface Lived {
  /** the freeze that has still to move them; one with an end was to end by itself, and a worker is late */
  freeze: Pause | null;
  /**
   * up to where they have gone on, before they are moved: in a freeze up to its beginning, and behind it by as much
   * less as it has lasted
   */
  until: Instant;
}

/**
 * In a freeze no life goes on, and its end moves what is stored behind its beginning by its length. Where it was to end
 * before and nobody has carried that out yet, lives have gone on since.
 */
export async function livedBy(tx: Tx, customerId: string, at: Instant): Promise<Lived> {
  const fields = { fields: ['status', 'resumeAt'], disableIdentityMap: true } as const;
  const { status, resumeAt } = await tx.em.findOneOrFail(Customer, { id: customerId }, fields);
  const open = status === 'inactive' ? (await readPauses(tx, customerId)).at(-1) : undefined;
  if (open === undefined) return { freeze: null, until: at };
  const freeze = { from: open.from, to: isFreezeOver({ resumeAt, now: at }) ? resumeAt : null };
  return { freeze, until: unshift(at, [freeze]) };
}
