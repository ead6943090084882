import type { Instant } from '../../billing/calendar/instant.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { type ChainSchedule, HERD, readChainSchedule } from '../../db/sql/contract/chain-schedule.ts';
import { dueInChain } from '../../db/sql/contract/due-in-chain.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { PAYMENT_KINDS } from '../payment/collect.ts';
import { collectDueOf } from '../payment/collect-due.ts';
import { GATE_KIND } from '../payment-gate/close.ts';
import { endDueGatesOfChain } from '../payment-gate/due.ts';
import { advanceBatch } from './advance.ts';

export interface ChainAdvanced {
  /** true: the contracts that are due were not advanced here; the bill run that has been started advances them */
  isLeft: boolean;
  parked: { contractId: string; error: unknown }[];
}

/**
 * Does everything that is due for a chain of contracts on the wall clock, contracts first, payments last. A chain that
 * finds a herd due with it starts the bill run and leaves its contracts to it, but only once: if they are still due the
 * next time, it bills them itself. On a test clock only the clock advances, so nothing is done.
 *
 * @param mayLeave false: what is due is done here, even where others are due
 */
export async function advanceChain(tx: Tx, chainId: string, mayLeave: boolean): Promise<ChainAdvanced> {
  const nothing: ChainAdvanced = { isLeft: false, parked: [] };
  const schedule = await readChainSchedule(tx, chainId, null);
  if (schedule === null || schedule.clockId !== null) return nothing;
  const now = await nowOf(tx, null);
  const [first] = schedule.due;
  if (first === undefined || first.dueAt > now) return nothing;
  const contractIds = await dueInChain(tx, chainId, now);
  if (mayLeave && contractIds.length > 0 && schedule.undone >= HERD) {
    enqueue(tx, 'bill_run', '');
    await endGates(tx, schedule, now);
    await collect(tx, schedule, now);
    return { isLeft: true, parked: [] };
  }
  const { parked } = await advanceBatch(tx, contractIds, now);
  await endGates(tx, schedule, now);
  await collect(tx, schedule, now);
  return { isLeft: false, parked };
}

/** Payment gates whose time has passed end before anything is collected: money comes in time or it does not. */
async function endGates(tx: Tx, { chainId, due }: ChainSchedule, now: Instant): Promise<void> {
  if (due.some(({ kind, dueAt }) => kind === GATE_KIND && dueAt <= now)) await endDueGatesOfChain(tx, chainId, now);
}

/** Collections that were due when the schedule was read; those of invoices made here are charged with them. */
async function collect(tx: Tx, { chainId, due }: ChainSchedule, now: Instant): Promise<void> {
  if (due.some(({ kind, dueAt }) => PAYMENT_KINDS.includes(kind) && dueAt <= now)) await collectDueOf(tx, chainId, now);
}
