import type { Instant } from '../../billing/calendar/instant.ts';
import { hasThreshold } from '../../billing/contract/charge/threshold.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { PaymentGate, type PaymentGateRecord } from '../../db/entities/payment-gate.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { planThresholdLooks } from '../contract/plan-threshold.ts';
import { expireGrants } from '../credit/expire.ts';
import { settleWallets } from '../wallet/settle.ts';
import { closeGates, ownersHolding } from './close.ts';
import { actOf, lockGateRow, lockGates } from './gate.ts';

interface GateEnd {
  how: 'declined' | 'expired' | 'dropped';
  /** a code, for the timeline and for operators */
  reason: string;
  at: Instant;
  /** false while the customer is frozen: money that is free again pays nothing */
  pays?: boolean;
}

/**
 * Ends an open gate otherwise than by its payment: its contract goes, the one that was to be changed stays as it is,
 * and money that was held is free again. A payment under way is given up where its provider can still do so; money that
 * comes all the same goes to the wallet. The caller has locked the gate and its chain.
 */
export const endGate = (tx: Tx, gate: PaymentGateRecord, end: GateEnd): Promise<void> => endGates(tx, [gate], end);

/** The same for any number of gates of one vendor, in the same statements. */
async function endGates(tx: Tx, gates: readonly PaymentGateRecord[], { how, reason, at, pays = true }: GateEnd): Promise<void> {
  const [first] = gates;
  if (first === undefined) return;
  const kept = gates.flatMap(keptWithThreshold);
  await closeGates(tx, gates, { how, reason, at });
  const { vendorId } = first;
  const owners = pays ? ownersHolding(gates) : [];
  const tasks = owners.map(({ customerId, currency }) => ({
    vendorId,
    customerId,
    currency,
    at,
    credits: [],
    newInvoices: [],
    pays: true,
  }));
  if (tasks.length > 0) await settleWallets(tx, tasks);
  await expireGrants(tx, owners, at, { notBefore: at });
  if (pays) await planThresholdLooks(tx, kept, at);
  await askAboutAttempts(tx, gates);
}

/**
 * The id of the contract that stays as it is, if it has an invoice threshold. It is read before the gate ends, since an
 * ended gate no longer names it.
 */
function keptWithThreshold(gate: PaymentGateRecord): string[] {
  const act = actOf(gate);
  return act?.kind === 'change' && hasThreshold(act.basis.snapshot.contract) ? [act.basis.snapshot.contract.id] : [];
}

/**
 * Signals the workflows of open attempts, so that they ask the provider and give the charge up there, if that can still
 * be done.
 */
export async function askAboutAttempts(tx: Tx, gates: readonly Pick<PaymentGateRecord, 'contractId'>[]): Promise<void> {
  const ids = gates.map(({ contractId }) => contractId);
  const open = await tx.em.find(PaymentAttempt, { gateId: { $in: ids }, status: 'processing' }, { ...FOR_UPDATE, orderBy: { id: 'asc' } });
  if (open.length === 0) return;
  for (const attempt of open) attempt.askAt = null;
  await tx.em.flush();
  await tx.em.nativeDelete(Agenda, { kind: 'payment_answer', subject: { $in: ids } });
  for (const { id } of open) enqueue(tx, 'payment', id);
}

/** Drops the gate of a contract whose chain is locked; one that has ended meanwhile stays as it is. */
export async function dropGate(tx: Tx, contractId: string, end: Omit<GateEnd, 'how'>): Promise<void> {
  const gate = await lockGateRow(tx, contractId);
  if (gate?.status === 'waiting') await endGate(tx, gate, { ...end, how: 'dropped' });
}

/**
 * Drops the open gates of a customer that is locked against other changes of it, in the same statements however many
 * they are: one at most for each contract that is live or would be.
 *
 * @param which all unless given
 */
export async function dropGatesOfCustomer(
  tx: Tx,
  customerId: string,
  end: Omit<GateEnd, 'how'>,
  which: { fromContractId?: null } = {},
): Promise<void> {
  const open = await tx.em.find(PaymentGate, { customerId, status: 'waiting', ...which }, { orderBy: { contractId: 'asc' } });
  if (open.length === 0) return;
  const gates = await lockGates(tx, open);
  await endGates(
    tx,
    gates.filter(({ status }) => status === 'waiting'),
    { ...end, how: 'dropped' },
  );
}
