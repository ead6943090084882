import type { EntityManager } from '@mikro-orm/postgresql';
import { HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { cycleEnd } from '../../billing/contract/period/time.ts';
import type { Contract, ContractGate, ContractSnapshot, Effects } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { type Decimal, dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { PaymentGate } from '../../db/entities/payment-gate.ts';
import { Wallet } from '../../db/entities/wallet.ts';
import { foreseeWalletPayments } from '../wallet/foresee.ts';
import { collectable } from './collectable.ts';

/** What a gate is asked for: when, for how long, and the contract whose open gate it would replace; null: a signing. */
interface GateAsked {
  now: Instant;
  hours: number;
  fromContractId: string | null;
}

/** What a gate would wait for if it were opened now; null: nothing would have to be paid. */
export async function foreseeGate(
  em: EntityManager,
  { customerId, terms: { currency } }: Pick<Contract, 'customerId' | 'terms'>,
  effects: Effects,
  { now, hours, fromContractId }: GateAsked,
): Promise<Omit<ContractGate, 'contractId'> | null> {
  const wallet = await em.findOne(Wallet, { customerId, currency });
  const [balance, held] = [dec(wallet?.balance ?? '0'), dec(wallet?.held ?? '0')];
  const free = balance.minus(held).plus(await freedBy(em, fromContractId));
  const due = collectable(effects, { balance: free.toFixed(), held: '0' }, currency);
  return due === null ? null : { ...due.amounts, expires: now + hours * HOUR };
}

/** Held money that the end of a contract's open gate leaves in the wallet: first it pays what is open. */
async function freedBy(em: EntityManager, fromContractId: string | null): Promise<Decimal> {
  const open = fromContractId === null ? null : await em.findOne(PaymentGate, { fromContractId, status: 'waiting' });
  if (open === null || dec(open.fromWallet).isZero()) return ZERO;
  const payments = await foreseeWalletPayments(em, open, { surplus: open.fromWallet });
  return dec(open.fromWallet).minus(sum([...payments.values()].map(({ amount }) => dec(amount))));
}

/**
 * Held money of a customer that is free again by an instant: of gates that will have expired, and of those that the
 * next cycle of the contract they were to change will have ended.
 *
 * @param ahead contracts as they stand now
 */
export async function heldUntil(
  em: EntityManager,
  customerId: string,
  ahead: readonly ContractSnapshot[],
  at: Instant,
): Promise<Map<Currency, Decimal>> {
  const renewed = ahead.filter(({ contract, customer }) => (cycleEnd(contract, customer.pauses) ?? Number.POSITIVE_INFINITY) <= at);
  const fromContractId = { $in: renewed.map(({ contract }) => contract.id) };
  const gates = await em.find(PaymentGate, { customerId, status: 'waiting', $or: [{ expires: { $lte: at } }, { fromContractId }] });
  const inCurrency = Map.groupBy(gates, ({ currency }) => currency);
  return new Map([...inCurrency].map(([currency, own]) => [currency, sum(own.map(({ fromWallet }) => dec(fromWallet)))]));
}
