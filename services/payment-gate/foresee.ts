import type { EntityManager } from '@mikro-orm/postgresql';
import { HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { cycleEnd } from '../../billing/contract/period/time.ts';
import type { Contract, ContractGate, ContractSnapshot, Effects } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { type Decimal, dec, sum, ZERO } from '../../billing/money/decimal.ts';
import type { Database } from '../../db/connect.ts';
import { PaymentGate } from '../../db/entities/payment-gate.ts';
import { Wallet } from '../../db/entities/wallet.ts';
import { readOpenGrants } from '../../db/sql/credit/lock-grants.ts';
import { afterOpen, foreseePayments, withoutHolds } from '../wallet/foresee.ts';
import { freeMoney, hasYetToPay } from '../wallet/free.ts';
import { type CreditHold, collectable } from './collectable.ts';
import { creditHolds } from './credit-holds.ts';

/** What a gate is asked for: when, for how long, and the contract whose open gate it would replace; null: a signing. */
interface GateAsked {
  now: Instant;
  hours: number;
  fromContractId: string | null;
}

/** What a gate would wait for if it were opened now; null: nothing would have to be paid. */
export async function foreseeGate(
  db: Database,
  { customerId, terms: { currency } }: Pick<Contract, 'customerId' | 'terms'>,
  effects: Effects,
  { now, hours, fromContractId }: GateAsked,
): Promise<Omit<ContractGate, 'contractId'> | null> {
  const em = db.em();
  const wallet = await em.findOne(Wallet, { customerId, currency });
  const freed = await freedBy(db, fromContractId);
  const free = (wallet === null ? ZERO : await freeMoney(db, wallet)).plus(freed.money);
  const owner = { customerId, currency };
  const set = hasYetToPay(wallet) ? [] : withoutHolds(await readOpenGrants(db, [owner]), freed.credits);
  const grants = freed.credits.length === 0 ? set : await afterOpen(db, owner, set);
  const holds = await creditHolds(db, grants, effects);
  const due = collectable(effects, free, holds, currency);
  return due === null ? null : { ...due.amounts, expires: now + hours * HOUR };
}

/** Money and credits that gates hold now and that will be free again. */
export interface FreeByThen {
  money: Decimal;
  credits: CreditHold[];
  /** whether some of it is free only from that very instant on */
  isLast: boolean;
}

/** What the end of a contract's open gate leaves in the wallet and in grants, after what is open has been paid. */
export async function freedBy(db: Database, fromContractId: string | null): Promise<FreeByThen> {
  const open = fromContractId === null ? null : await db.em().findOne(PaymentGate, { fromContractId, status: 'waiting' });
  if (open === null) return { money: ZERO, credits: [], isLast: false };
  const payments = [...(await foreseePayments(db, open, { surplus: open.fromWallet, freed: open.holds })).values()];
  const paid = sum(payments.map(({ fromWallet }) => dec(fromWallet)));
  return { money: dec(open.fromWallet).minus(paid), credits: open.holds, isLast: true };
}

/**
 * What gates hold of a customer's money and credits that will be free again by an instant: because a gate expires, or
 * because the contract that it was to change goes into its next cycle, which ends the gate.
 *
 * @param ahead contracts as they stand now
 */
export async function heldUntil(
  em: EntityManager,
  customerId: string,
  ahead: readonly ContractSnapshot[],
  at: Instant,
): Promise<Map<Currency, FreeByThen>> {
  const renewals = ahead.flatMap(({ contract, customer }) => {
    const renewal = cycleEnd(contract, customer.pauses);
    return renewal !== null && renewal <= at ? [[contract.id, renewal] as const] : [];
  });
  const renewed = new Map<string | null, Instant>(renewals);
  const fromContractId = { $in: renewals.map(([id]) => id) };
  const gates = await em.find(PaymentGate, { customerId, status: 'waiting', $or: [{ expires: { $lte: at } }, { fromContractId }] });
  const inCurrency = Map.groupBy(gates, ({ currency }) => currency);
  const endOf = ({ expires, fromContractId: from }: (typeof gates)[number]): Instant => Math.min(expires, renewed.get(from) ?? expires);
  const freeOf = (own: typeof gates): FreeByThen => ({
    money: sum(own.map(({ fromWallet }) => dec(fromWallet))),
    credits: own.flatMap(({ holds }) => holds),
    isLast: own.some((gate) => endOf(gate) >= at),
  });
  return new Map([...inCurrency].map(([currency, own]) => [currency, freeOf(own)]));
}
