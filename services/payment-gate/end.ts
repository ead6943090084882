import type { Instant } from '../../billing/calendar/instant.ts';
import { next } from '../../billing/lifecycle/machine.ts';
import { type PaymentGateTrigger, paymentGateMachine } from '../../billing/lifecycle/payment-gate.ts';
import { dec } from '../../billing/money/decimal.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { PaymentGate, type PaymentGateRecord } from '../../db/entities/payment-gate.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { holdMoney } from '../../db/sql/wallet/hold.ts';
import { lockWallets } from '../../db/sql/wallet/lock-wallets.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { noteHistory } from '../contract/park.ts';
import { writeUsageOwners } from '../contract/usage-owners.ts';
import { settleWallets } from '../wallet/settle.ts';
import { lockGate, lockGateRow, openAttemptOf } from './gate.ts';

/** The kind of the agenda row that ends a gate. */
export const GATE_KIND = 'payment_gate';

/** How a gate ends without its payment. */
const ENDS = { declined: 'refuse', expired: 'expire', dropped: 'drop' } as const satisfies Record<string, PaymentGateTrigger>;

/** Closes a gate whose payment has come; what was held for it is free for what is made now. */
export const closePaidGate = (tx: Tx, gate: PaymentGateRecord, at: Instant): Promise<void> =>
  closeGate(tx, gate, 'succeed', { reason: null, at });

interface GateEnd {
  how: keyof typeof ENDS;
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
export async function endGate(tx: Tx, gate: PaymentGateRecord, { how, reason, at, pays = true }: GateEnd): Promise<void> {
  await closeGate(tx, gate, ENDS[how], { reason, at });
  const { vendorId, customerId, currency, fromWallet } = gate;
  if (pays && dec(fromWallet).gt(0))
    await settleWallets(tx, [{ vendorId, customerId, currency, at, credits: [], newInvoices: [], pays: true }]);
  await askAboutAttempt(tx, gate);
}

/** Takes the gate's contract, its agenda row and its hold away; what follows from the end is left to the caller. */
async function closeGate(
  tx: Tx,
  gate: PaymentGateRecord,
  trigger: PaymentGateTrigger,
  { reason, at }: { reason: string | null; at: Instant },
): Promise<void> {
  const { em } = tx;
  const { contractId, fromContractId, workflowId, customerId, currency, fromWallet } = gate;
  const status = next(paymentGateMachine, gate.status, trigger);
  em.assign(gate, { status, reason, ended: at, basis: null });
  await em.flush();
  await em.nativeDelete(ContractRecord, { id: contractId });
  if (fromContractId !== null) await em.nativeUpdate(ContractRecord, { id: fromContractId }, { gate: null });
  await writeUsageOwners(tx, [{ rootId: workflowId }]);
  await em.nativeDelete(Agenda, { kind: GATE_KIND, subject: contractId });
  if (dec(fromWallet).gt(0)) {
    await lockWallets(tx, [{ customerId, currency }]);
    await holdMoney(tx, customerId, currency, dec(fromWallet).neg().toFixed());
  }
  await noteHistory(tx, fromContractId ?? contractId, at, 'payment_gate_ended', { contract_id: contractId, status, reason });
  enqueue(tx, 'contract', workflowId);
}

/** Has the provider asked about the attempt that is open: it is given up there, if that can still be done. */
export async function askAboutAttempt(tx: Tx, { contractId }: Pick<PaymentGateRecord, 'contractId'>): Promise<void> {
  const attempt = await openAttemptOf(tx, contractId, FOR_UPDATE);
  if (attempt === null) return;
  attempt.askAt = null;
  await tx.em.flush();
  await tx.em.nativeDelete(Agenda, { kind: 'payment_answer', subject: contractId });
  enqueue(tx, 'payment', attempt.id);
}

/** Drops the gate of a contract whose chain is locked; one that has ended meanwhile stays as it is. */
export async function dropGate(tx: Tx, contractId: string, { reason, at, pays = true }: Omit<GateEnd, 'how'>): Promise<void> {
  const gate = await lockGateRow(tx, contractId);
  if (gate?.status === 'waiting') await endGate(tx, gate, { how: 'dropped', reason, at, pays });
}

/** Drops all open gates of a customer that is locked `for update`. */
export async function dropGatesOfCustomer(tx: Tx, customerId: string, end: Omit<GateEnd, 'how'>): Promise<void> {
  for (const { contractId } of await tx.em.find(PaymentGate, { customerId, status: 'waiting' }, { orderBy: { contractId: 'asc' } })) {
    const gate = await lockGate(tx, contractId);
    if (gate?.status === 'waiting') await endGate(tx, gate, { ...end, how: 'dropped' });
  }
}
