import { HOUR, type Instant } from '../../billing/calendar/instant.ts';
import type { Contract, ContractGate, Effects } from '../../billing/contract/types.ts';
import { initialState } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import { paymentGateMachine } from '../../billing/lifecycle/payment-gate.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, ZERO } from '../../billing/money/decimal.ts';
import type { GateAmounts } from '../../billing/payment/gate.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PaymentGate } from '../../db/entities/payment-gate.ts';
import { upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import { holdCredits } from '../../db/sql/credit/hold.ts';
import { lockGrants } from '../../db/sql/credit/lock-grants.ts';
import { insertAttempts } from '../../db/sql/payment/insert-attempts.ts';
import { holdMoney } from '../../db/sql/wallet/hold.ts';
import { lockWallets } from '../../db/sql/wallet/lock-wallets.ts';
import type { Tx } from '../../db/transaction.ts';
import { attemptKey } from '../../payments/attempt-key.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { noteHistory } from '../contract/park.ts';
import { readMethod } from '../payment/method.ts';
import { freeMoney, hasYetToPay } from '../wallet/free.ts';
import { GATE_KIND } from './close.ts';
import { type Collectable, type CreditHold, collectable } from './collectable.ts';
import { creditHolds } from './credit-holds.ts';
import type { GatedAct } from './gate.ts';

/** What a caller asks of a gate, and what the process knows of payments. */
export interface GateTerms {
  hours: number;
  /** throws where a provider's keys are missing */
  requireProvider: (name: ProviderName) => void;
  /** where the customer comes back to after confirming at the bank, by the contract's id */
  returnUrl: (contractId: string) => string;
}

/** A gate about to be opened, with what its payment makes. */
export interface NewGate {
  /** as it waits: `scheduled` or `pending` */
  contract: Contract;
  fromContractId: string | null;
  act: GatedAct;
  amounts: GateAmounts;
  /** what is held of prepaid credits */
  holds: CreditHold[];
  /** the invoice that the charge pays first */
  invoiceId: string;
  now: Instant;
}

/**
 * What a change or a signing would have to collect now, with the wallet and the grants locked; null: nothing, so that
 * no gate is needed.
 */
export async function toCollect(
  tx: Tx,
  { customerId, terms: { currency } }: Pick<Contract, 'customerId' | 'terms'>,
  effects: Effects,
): Promise<Collectable | null> {
  const [wallet] = await lockWallets(tx, [{ customerId, currency }]);
  // while open invoices are yet to be offered to credits, none can be held
  const grants = hasYetToPay(wallet) ? [] : await lockGrants(tx, [{ customerId, currency }]);
  const free = wallet === undefined ? ZERO : await freeMoney(tx, wallet);
  return collectable(effects, free, await creditHolds(tx, grants, effects), currency);
}

/**
 * Opens a gate: its contract stands by, prepaid credits and money of the wallet are held, and the rest is charged. The
 * caller has written the contract that waits and locked everything.
 *
 * @returns the attempt
 * @throws Refusal `payment_method_state`
 */
export async function openGate(tx: Tx, { hours, requireProvider, returnUrl }: GateTerms, gate: NewGate): Promise<string> {
  const { contract, fromContractId, amounts, now } = gate;
  const { id: contractId, vendorId, customerId, clockId, rootId } = contract;
  const { currency } = contract.terms;
  const method = await requireMethod(tx, vendorId, customerId);
  requireProvider(method.provider);
  const expires = now + hours * HOUR;
  await writeGate(tx, gate, { methodId: method.id, expires });
  await holdCredits(tx, gate.holds);
  if (dec(amounts.fromWallet).gt(ZERO)) await holdMoney(tx, customerId, currency, amounts.fromWallet);
  const whose = { vendorId, customerId, contractId: fromContractId ?? contractId, clockId, workflowId: rootId, held: false };
  await upsertAgenda(tx, [{ ...whose, kind: GATE_KIND, subject: contractId, dueAt: expires, detail: { contract_id: contractId } }]);
  const asked = { contract_id: contractId, amount: amounts.toPay, currency };
  await noteHistory(tx, fromContractId ?? contractId, now, 'payment_gate_opened', asked);
  enqueue(tx, 'contract', rootId);
  const payable = { contractId, vendorId, customerId, clockId, currency, toPay: amounts.toPay };
  return chargeGate(tx, payable, method, { now, returnUrl: returnUrl(contractId) });
}

/** Writes the gate, and on the contracts that it concerns what is waited for. */
async function writeGate(tx: Tx, gate: NewGate, { methodId, expires }: { methodId: string; expires: Instant }): Promise<void> {
  const { contract, fromContractId, act, amounts, holds, invoiceId, now: created } = gate;
  const { id: contractId, vendorId, customerId, clockId, rootId: workflowId } = contract;
  const { currency } = contract.terms;
  const shown: ContractGate = { contractId, expires, ...amounts };
  const concerned = fromContractId === null ? [contractId] : [contractId, fromContractId];
  await tx.em.nativeUpdate(ContractRecord, { id: { $in: concerned } }, { gate: shown });
  const whose = { contractId, vendorId, customerId, clockId, fromContractId, workflowId, methodId, givenUpId: null, currency, invoiceId };
  const status = initialState(paymentGateMachine, 'open');
  const facts = { input: act.input, basis: act.basis, contract: { ...contract, gate: shown } };
  tx.em.create(PaymentGate, { ...whose, ...amounts, holds, ...facts, status, created, expires });
  await tx.em.flush();
}

/** A gate with what an attempt to pay it needs. */
interface Payable {
  contractId: string;
  vendorId: string;
  customerId: string;
  clockId: string | null;
  currency: Currency;
  toPay: string;
}

/** Opens an attempt to pay a gate; a second open one is refused by the database. */
export async function chargeGate(
  tx: Tx,
  { contractId, toPay, ...owner }: Payable,
  { id: methodId, provider }: { id: string; provider: ProviderName },
  { now, returnUrl }: { now: Instant; returnUrl: string | null },
): Promise<string> {
  const status = initialState(paymentAttemptMachine, 'charge');
  const keyOf = (attemptId: string) => attemptKey(provider, attemptId);
  const attempt = {
    ...owner,
    invoiceId: null,
    gateId: contractId,
    amount: toPay,
    methodId,
    provider,
    status,
    created: now,
    returnUrl,
    keyOf,
  };
  const [id = ''] = await insertAttempts(tx, [{ ...attempt, origin: 'request' }]);
  enqueue(tx, 'payment', id);
  return id;
}

/** The default method of a customer who may be charged. */
async function requireMethod({ em }: Tx, vendorId: string, customerId: string): Promise<{ id: string; provider: ProviderName }> {
  const customer = await em.findOneOrFail(Customer, { id: customerId }, { refresh: true });
  if (customer.status !== 'active') throw new Refusal('payment_method_state', 'the customer is not active and cannot be charged');
  const found = await readMethod(em, vendorId, customerId, customer.defaultPayment);
  if (found === null || found.provider === 'self_handled')
    throw new Refusal('payment_method_state', 'the customer has no default payment method that can be charged');
  if (found.status !== 'active') throw new Refusal('payment_method_state', `the payment method is ${found.status}`);
  return found;
}
