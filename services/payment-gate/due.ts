import type { Instant } from '../../billing/calendar/instant.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import type { Tx } from '../../db/transaction.ts';
import { GATE_KIND } from './close.ts';
import { endGate } from './end.ts';
import { lockGate } from './gate.ts';

/** Ends a gate whose time has passed. A second run finds nothing to do. */
export async function endDueGate(tx: Tx, contractId: string, now: Instant): Promise<void> {
  const gate = await lockGate(tx, contractId);
  if (gate?.status === 'waiting' && gate.expires <= now) await endGate(tx, gate, { how: 'expired', reason: 'expired', at: now });
  else if (gate?.status !== 'waiting') await tx.em.nativeDelete(Agenda, { kind: GATE_KIND, subject: contractId });
}

/** Ends the gates of a chain whose time has passed. */
export async function endDueGatesOfChain(tx: Tx, workflowId: string, now: Instant): Promise<void> {
  const due = await tx.em.find(Agenda, { workflowId, kind: GATE_KIND, dueAt: { $lte: now } }, { orderBy: { dueAt: 'asc', id: 'asc' } });
  for (const { subject } of due) await endDueGate(tx, subject, now);
}
