import type { EntityManager } from '@mikro-orm/postgresql';
import { HOUR, type Instant } from '../../billing/calendar/instant.ts';
import type { Contract, ContractGate, Effects } from '../../billing/contract/types.ts';
import { Wallet } from '../../db/entities/wallet.ts';
import { collectable } from './collectable.ts';

/** What a gate would wait for if it were opened now; null: nothing would have to be paid. */
export async function foreseeGate(
  em: EntityManager,
  { customerId, terms: { currency } }: Pick<Contract, 'customerId' | 'terms'>,
  effects: Effects,
  { now, hours }: { now: Instant; hours: number },
): Promise<Omit<ContractGate, 'contractId'> | null> {
  const due = collectable(effects, await em.findOne(Wallet, { customerId, currency }), currency);
  return due === null ? null : { ...due.amounts, expires: now + hours * HOUR };
}
