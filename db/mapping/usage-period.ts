import type { Instant } from '../../billing/calendar/instant.ts';
import type { UsagePeriod } from '../../billing/contract/types.ts';
import type { Row } from '../connect.ts';
import { stamp, stampOrNull } from '../rows.ts';

export interface UsagePeriodRecordRow {
  contract_id: string;
  idx: number;
  start_at: Instant;
  end_at: Instant | null;
  usage_from: Instant;
  usage_until: Instant | null;
  closes_at: Instant | null;
  status: UsagePeriod['status'];
  closed_at: Instant | null;
  follows_contract_id: string | null;
  follows_idx: number | null;
  goes_on: string[];
}

export function toUsagePeriod(row: UsagePeriodRecordRow): UsagePeriod {
  return {
    contractId: row.contract_id,
    idx: row.idx,
    start: row.start_at,
    end: row.end_at,
    from: row.usage_from,
    until: row.usage_until,
    closesAt: row.closes_at,
    status: row.status,
    closedAt: row.closed_at,
    follows:
      row.follows_contract_id === null || row.follows_idx === null ? null : { contractId: row.follows_contract_id, idx: row.follows_idx },
    goesOn: row.goes_on,
  };
}

export function fromUsagePeriod(period: UsagePeriod): Row {
  return {
    contract_id: period.contractId,
    idx: period.idx,
    start_at: stamp(period.start),
    end_at: stampOrNull(period.end),
    usage_from: stamp(period.from),
    usage_until: stampOrNull(period.until),
    closes_at: stampOrNull(period.closesAt),
    status: period.status,
    closed_at: stampOrNull(period.closedAt),
    follows_contract_id: period.follows?.contractId ?? null,
    follows_idx: period.follows?.idx ?? null,
    goes_on: period.goesOn,
  };
}
