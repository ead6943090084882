import type { Instant } from '../../billing/calendar/instant.ts';
import { next } from '../../billing/lifecycle/machine.ts';
import { type PaymentGateTrigger, paymentGateMachine } from '../../billing/lifecycle/payment-gate.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import type { PaymentGateRecord } from '../../db/entities/payment-gate.ts';
import { holdCredits } from '../../db/sql/credit/hold.ts';
import { holdMoney } from '../../db/sql/wallet/hold.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockMoney } from '../../db/wallet/lock-money.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { noteHistories } from '../contract/park.ts';
import { writeUsageOwners } from '../contract/usage-owners.ts';

/** The kind of the agenda row that ends a gate. */
export const GATE_KIND = 'payment_gate';

/** How a gate ends. */
const ENDS = { paid: 'succeed', declined: 'refuse', expired: 'expire', dropped: 'drop' } as const satisfies Record<
  string,
  PaymentGateTrigger
>;

interface Closing {
  how: keyof typeof ENDS;
  /** a code, for the timeline and for operators; null: it was paid */
  reason: string | null;
  at: Instant;
}

/** Closes a gate whose payment has come; what was held for it is free for what is made now. */
export const closePaidGate = (tx: Tx, gate: PaymentGateRecord, at: Instant): Promise<void> =>
  closeGates(tx, [gate], { how: 'paid', reason: null, at });

/**
 * Takes away the contracts of open gates, their agenda rows and their holds, of any number of gates in the same
 * statements; what follows from the end is left to the caller, who has locked gates and chains.
 */
export async function closeGates(tx: Tx, gates: readonly PaymentGateRecord[], { how, reason, at }: Closing): Promise<void> {
  const { em } = tx;
  for (const gate of gates) em.assign(gate, { status: next(paymentGateMachine, gate.status, ENDS[how]), reason, ended: at, basis: null });
  await em.flush();
  const contractIds = gates.map(({ contractId }) => contractId);
  const changed = gates.flatMap(({ fromContractId }) => fromContractId ?? []);
  await em.nativeDelete(ContractRecord, { id: { $in: contractIds } });
  if (changed.length > 0) await em.nativeUpdate(ContractRecord, { id: { $in: changed } }, { gate: null });
  await writeUsageOwners(
    tx,
    gates.map(({ workflowId: rootId }) => ({ rootId })),
  );
  await em.nativeDelete(Agenda, { kind: GATE_KIND, subject: { $in: contractIds } });
  await freeHeld(tx, gates);
  const ended = ({ contractId, status }: PaymentGateRecord) => ({ contract_id: contractId, status, reason });
  const notes = gates.map((gate) => ({ contractId: gate.fromContractId ?? gate.contractId, detail: ended(gate) }));
  await noteHistories(tx, notes, { at, kind: 'payment_gate_ended' });
  for (const { workflowId } of gates) enqueue(tx, 'contract', workflowId);
}

/** Lets go of the money that was held for gates. */
async function freeHeld(tx: Tx, gates: readonly PaymentGateRecord[]): Promise<void> {
  const wallets = walletsHeld(gates);
  await lockMoney(tx, ownersHolding(gates));
  await freeCredits(tx, gates);
  for (const { customerId, currency, amount } of wallets) await holdMoney(tx, customerId, currency, dec(amount).neg().toFixed());
}

/** Lets go of the prepaid credits that were held for gates. */
async function freeCredits(tx: Tx, gates: readonly PaymentGateRecord[]): Promise<void> {
  const holding = gates.filter(({ holds }) => holds.length > 0);
  if (holding.length === 0) return;
  const freed = holding.flatMap(({ holds }) => holds.map(({ grant, amount }) => ({ grant, amount: dec(amount).neg().toFixed() })));
  await holdCredits(tx, freed);
}

/** The customers and currencies in which gates hold money or prepaid credits, each once. */
export function ownersHolding(gates: readonly PaymentGateRecord[]): { customerId: string; currency: Currency }[] {
  const holding = gates.filter(({ fromWallet, holds }) => dec(fromWallet).gt(0) || holds.length > 0);
  return [...new Map(holding.map(({ customerId, currency }) => [`${customerId} ${currency}`, { customerId, currency }])).values()];
}

/** What gates hold in each wallet: one for a customer and a currency. */
function walletsHeld(gates: readonly PaymentGateRecord[]): { customerId: string; currency: Currency; amount: string }[] {
  const holding = gates.filter(({ fromWallet }) => dec(fromWallet).gt(0));
  return [...Map.groupBy(holding, ({ customerId, currency }) => `${customerId} ${currency}`).values()].flatMap((own) => {
    const [first] = own;
    const amount = sum(own.map(({ fromWallet }) => dec(fromWallet))).toFixed();
    return first === undefined ? [] : [{ customerId: first.customerId, currency: first.currency, amount }];
  });
}
