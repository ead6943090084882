import { type Instant, iso } from '../../billing/calendar/instant.ts';
import { freezeEndsAt } from '../../billing/contract/period/pause-rules.ts';
import { refuse } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Customer } from '../../db/entities/customer.ts';
import { upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import { enqueue, workflowIdOf } from '../../temporal/message-kinds.ts';
import { readPauseRules } from '../preferences/pause.ts';
import type { LockedCustomer } from './lock.ts';

/** The row of the agenda for the end of a freeze; its subject is the customer. */
export const FREEZE_END = 'freeze_end';

/** @throws Refusal `past_date` for an instant that has passed on the customer's clock */
export function requireAhead(resumeAt: Instant | null | undefined, { now }: Pick<LockedCustomer, 'now'>): void {
  if (resumeAt == null || resumeAt > now) return;
  refuse('past_date', `give an instant after the customer’s time, ${iso(now)}`, 'resume_at');
}

/** When a freeze that begins now ends by itself, as the pause rules say; null: not before the customer is activated. */
export async function freezeEndByRule({ em }: Tx, { id, vendorId, now }: LockedCustomer): Promise<Instant | null> {
  const live = {
    customerId: id,
    ended: null,
    isSuccessor: false,
    status: { $in: ['not_ready', 'pending', 'scheduled', 'active'] as const },
  };
  const contracts = await em.find(ContractRecord, live, { fields: ['pauseRules'], disableIdentityMap: true });
  const rules = contracts.length > 0 ? contracts.map(({ pauseRules }) => pauseRules) : [{ vendor: await readPauseRules(em, vendorId) }];
  return freezeEndsAt(now, rules);
}

/** Sets when the freeze of a locked customer ends by itself; null: it doesn't. What was set before is dropped. */
export async function setFreezeEnd(tx: Tx, { id, vendorId, clockId }: LockedCustomer, at: Instant | null): Promise<void> {
  const customer = await tx.em.findOneOrFail(Customer, { id });
  if (customer.resumeAt === at) return;
  customer.resumeAt = at;
  const workflowId = workflowIdOf('customer', id);
  const row = { vendorId, customerId: id, contractId: null, clockId, workflowId, held: false, kind: FREEZE_END, subject: id, detail: {} };
  if (at === null) await tx.em.nativeDelete(Agenda, { kind: FREEZE_END, subject: id });
  else await upsertAgenda(tx, [{ ...row, dueAt: at }]);
  // no signal from the customer's own workflow, which ends a freeze by its timer and looks again by itself
  if (tx.actor !== 'timer') enqueue(tx, 'customer', id);
}
