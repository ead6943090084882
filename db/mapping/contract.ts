import type { Instant } from '../../billing/calendar/instant.ts';
import type { ContractFigures } from '../../billing/contract/charge/figures.ts';
import type {
  Cancellation,
  Configuration,
  Contract,
  ContractDiscount,
  ContractStatus,
  PendingChange,
  Terms,
} from '../../billing/contract/types.ts';
import type { Row } from '../connect.ts';
import { stamp, stampOrNull } from '../rows.ts';

/** A row of `contract` as the database gives it. */
export interface ContractRecordRow {
  id: string;
  vendor_id: string;
  customer_id: string;
  plan_id: string;
  pricing_id: string;
  test_clock_id: string | null;
  root_id: string;
  predecessor_id: string | null;
  successor_id: string | null;
  is_successor: boolean;
  status: ContractStatus;
  terms: Terms;
  discount: ContractDiscount | null;
  configuration: Configuration;
  free_cycles: number;
  created: Instant;
  activation: Instant | null;
  trial_days: number;
  trial_end: Instant | null;
  expiration_at: Instant | null;
  expiration_set_at: Instant | null;
  start_at: Instant | null;
  cycle_offset: number | null;
  first_cycle: number;
  cycles_before: number;
  began: Instant | null;
  ended: Instant | null;
  current_idx: number | null;
  custom_charged: Contract['customCharged'];
  cycles_left: Contract['cyclesLeft'];
  given_back: Contract['givenBack'];
  pending_change: PendingChange | null;
  cancellation: Cancellation | null;
  parked_reason: string | null;
  amount: string;
  next_cycle_start: Instant | null;
  version: number;
}

export function toContract(row: ContractRecordRow): Contract {
  return {
    id: row.id,
    vendorId: row.vendor_id,
    customerId: row.customer_id,
    clockId: row.test_clock_id,
    rootId: row.root_id,
    predecessorId: row.predecessor_id,
    successorId: row.successor_id,
    isSuccessor: row.is_successor,
    status: row.status,
    terms: row.terms,
    discount: row.discount,
    configuration: row.configuration,
    freeCycles: row.free_cycles,
    created: row.created,
    activation: row.activation,
    trialDays: row.trial_days,
    trialEnd: row.trial_end,
    expiration: row.expiration_at === null ? null : { at: row.expiration_at, setAt: row.expiration_set_at ?? row.created },
    start: row.start_at,
    offset: row.cycle_offset,
    firstCycle: row.first_cycle,
    cyclesBefore: row.cycles_before,
    began: row.began,
    ended: row.ended,
    currentIdx: row.current_idx,
    customCharged: row.custom_charged,
    cyclesLeft: row.cycles_left,
    givenBack: row.given_back,
    pendingChange: row.pending_change,
    cancellation: row.cancellation,
    parkedReason: row.parked_reason,
  };
}

export function fromContract(contract: Contract, figures: ContractFigures): Row {
  return {
    id: contract.id,
    vendor_id: contract.vendorId,
    customer_id: contract.customerId,
    plan_id: contract.terms.originalPlanId,
    pricing_id: contract.terms.pricingId,
    test_clock_id: contract.clockId,
    root_id: contract.rootId,
    predecessor_id: contract.predecessorId,
    successor_id: contract.successorId,
    is_successor: contract.isSuccessor,
    status: contract.status,
    cycle: contract.terms.cycle,
    currency: contract.terms.currency,
    terms: contract.terms,
    discount: contract.discount,
    configuration: contract.configuration,
    free_cycles: contract.freeCycles,
    created: stamp(contract.created),
    activation: stampOrNull(contract.activation),
    trial_days: contract.trialDays,
    trial_end: stampOrNull(contract.trialEnd),
    expiration_at: stampOrNull(contract.expiration?.at),
    expiration_set_at: stampOrNull(contract.expiration?.setAt),
    start_at: stampOrNull(contract.start),
    cycle_offset: contract.offset,
    first_cycle: contract.firstCycle,
    cycles_before: contract.cyclesBefore,
    began: stampOrNull(contract.began),
    ended: stampOrNull(contract.ended),
    current_idx: contract.currentIdx,
    custom_charged: contract.customCharged,
    cycles_left: contract.cyclesLeft,
    given_back: contract.givenBack,
    pending_change: contract.pendingChange,
    cancellation: contract.cancellation,
    parked_reason: contract.parkedReason,
    amount: figures.amount,
    next_cycle_start: stampOrNull(figures.nextCycleStart),
    version: 1,
  };
}
