import { ApplicationFailure } from '@temporalio/common';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../../db/connect.ts';
import { type ContractSchedule, readSchedule } from '../../db/contract/schedule.ts';
import type { Json, Schedule } from '../../workflows/messages.ts';
import { wakeInstant } from './spread.ts';

/** What the contract's workflow waits for from now on. */
export async function scheduleOf(tx: Queryable, contractId: string): Promise<Schedule> {
  return (await readOf(tx, contractId)).schedule;
}

/** The schedule, and the wall clock's time when it was read. */
export async function readOf(tx: Queryable, contractId: string): Promise<{ schedule: Schedule; now: Instant }> {
  const row = await readSchedule(tx, contractId);
  if (row === null) throw ApplicationFailure.nonRetryable(`there is no contract ${contractId}`, 'contract_not_found');
  return { schedule: toSchedule(row), now: row.readAt };
}

function toSchedule(row: ContractSchedule): Schedule {
  const ended = row.status === 'moved' || row.status === 'canceled';
  return {
    contractId: row.contractId,
    vendorId: row.vendorId,
    customerId: row.customerId,
    planId: row.planId,
    planSlug: row.planSlug,
    clockId: row.clockId,
    predecessorId: row.predecessorId,
    successorId: row.successorId,
    status: row.status,
    frozen: row.customerFrozen,
    periodIdx: row.periodIdx,
    parked: row.parked,
    over: ended && row.openPeriods === 0 && row.due.length === 0,
    due: row.due.map(({ kind, dueAt, detail }) => ({ at: dueAt, kind, detail: detail as Record<string, Json> })),
    wakeAt: row.due[0] === undefined ? null : wakeInstant(row.contractId, row.due[0].dueAt, row.sharing),
  };
}
