import { iso } from '../calendar/instant.ts';
import type { Pause } from '../calendar/pauses.ts';
import { agendaOf } from './schedule.ts';
import { isFrozen, isLive, periodBounds } from './time.ts';
import type { AgendaRow, Contract, UsagePeriod } from './types.ts';

/**
 * What an agenda row means, in words. Ids and instants only, nothing personal.
 *
 * @example describeRow({ kind: 'boundary', dueAt: 1 Feb, detail: { idx: 2 }, … }) // '2025-02-01T00:00:00Z: period 2 begins'
 */
export function describeRow({ kind, dueAt, subject, detail }: AgendaRow): string {
  const words: Record<AgendaRow['kind'], string> = {
    usage_closing: `usage of period ${subject} closes`,
    cancellation: detail.credit === true ? 'canceled, unused time given back' : 'canceled',
    expiration: 'expires',
    scheduled_change: `changes to ${String(detail.successorId)}`,
    trial_end: 'free trial ends, first period begins',
    activation: 'becomes active',
    boundary: `period ${String(detail.idx)} begins`,
    custom_charge: `${String(detail.trigger)} charge ${Number(detail.occurrence) + 1}`,
  };
  return `${moment(dueAt)}: ${words[kind]}`;
}

/**
 * A contract in a few lines: who, which plan, which period, what happens next and when, why it stands still.
 *
 * @example describeContract(contract, periods, []) // 'Cust_0191… on Plan_0191…, active\nperiod 1, until 2025-02-01T00:00:00Z\nnext: …'
 */
export function describeContract(contract: Contract, periods: readonly UsagePeriod[], pauses: Pause[]): string {
  const { customerId, terms, status, parkedReason } = contract;
  const lines = [`${customerId} on ${terms.originalPlanId}, ${status}`];
  const stage = stageOf(contract, pauses);
  if (stage !== null) lines.push(stage);
  if (isFrozen(pauses) && isLive(contract)) lines.push(`frozen since ${moment(pauses.at(-1)?.from ?? 0)}`);
  lines.push(...agendaOf(contract, periods, pauses).map((row) => `next: ${describeRow(row)}`));
  if (contract.successorId !== null) lines.push(`goes on as ${contract.successorId}`);
  if (parkedReason !== null) lines.push(`parked: ${parkedReason}`);
  return lines.join('\n');
}

function stageOf(contract: Contract, pauses: Pause[]): string | null {
  if (contract.status !== 'active') return null;
  if (contract.start === null || contract.currentIdx === null) return 'in its free trial';
  const { end } = periodBounds(contract, contract.currentIdx, pauses);
  return `period ${contract.currentIdx}, ${end === null ? 'no known end' : `until ${moment(end)}`}`;
}

function moment(instant: number): string {
  return iso(instant).replace('.000Z', 'Z');
}
