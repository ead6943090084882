import { createHash } from 'node:crypto';
import type { Instant } from '../billing/calendar/instant.ts';
import { type ChainSchedule, HERD } from '../db/sql/contract/chain-schedule.ts';
import { placeOf } from '../workflows/contract/order.messages.ts';
import type { Json, Schedule } from '../workflows/messages.ts';

const HOUR = 3_600_000;
/**
 * Milliseconds after their instant over which the timers of a herd are spread, 30 s at least: two cores wake some
 * thirty chains a second, and the bill run has done the work before most of them wake.
 */
const SPREAD = { least: 30_000, perChain: 150 };
/**
 * The part of the spread, from its beginning, in which no timer of the herd fires but the first, so that the bill run
 * has the machine to itself: 15 ms for each contract, which takes the bill run 1 ms.
 */
const HEAD_START = 0.1;

export interface ScheduleAnswer {
  /** what is due has just been left for the bill run to do: the chain reads its schedule again a little later */
  isLeft: boolean;
  /** names the workflow code that answers */
  bundle: string;
  /** how many signals the workflow had received when it asked */
  signals: number;
}

/** The schedule that was read, as the workflow of a chain receives it. */
export function scheduleOf(row: ChainSchedule, { isLeft, bundle, signals }: ScheduleAnswer): Schedule {
  const { chainId, vendorId, customerId, clockId, isFrozen, resumesAt, dunned, seen } = row;
  const due = row.due
    .map(({ kind, dueAt, contractId, subject, detail }) => ({
      ...{ at: dueAt, kind, contractId, subject },
      detail: detail as Record<string, Json>,
    }))
    .sort((a, b) => a.at - b.at || placeOf(a.kind) - placeOf(b.kind));
  return {
    chainId,
    vendorId,
    customerId,
    clockId,
    isFrozen,
    resumesAt,
    contracts: row.contracts.map(({ isOpen, hasThreshold, ...contract }) => ({
      ...contract,
      hasThreshold: hasThreshold && (contract.isLive || isOpen),
    })),
    due,
    dunned,
    wakeAt: isLeft ? row.readAt + placeIn(spreadOf(row), chainId) : wakeInstant(row),
    isLeft,
    hasEnded: due.length === 0 && row.heldRows === 0 && row.contracts.every(({ isLive, isOpen }) => !isLive && !isOpen),
    done: row.done.map(({ at, type, object, actor }) => ({ at, what: type.replace('v1.', ''), object, by: actor })),
    seen,
    bundle,
    signals,
  };
}

/**
 * When a chain wakes for what is due first: at the instant itself, but some time after it where a herd is due together,
 * and at full hours, when every contract that follows the calendar is due. Of the chains that are due then, only the
 * one with the smallest id wakes at the instant itself, and starts the bill run.
 */
export function wakeInstant({
  chainId,
  due,
  firstThen,
  dueThen,
}: Pick<ChainSchedule, 'chainId' | 'firstThen' | 'dueThen'> & { due: readonly { dueAt: Instant }[] }): Instant | null {
  const [first] = due;
  if (first === undefined) return null;
  const isHerd = dueThen >= HERD;
  const isShared = isHerd || first.dueAt % HOUR === 0;
  if (!isShared || firstThen === chainId) return first.dueAt;
  const spread = spreadOf({ dueThen });
  const headStart = isHerd ? HEAD_START * spread : 0;
  return first.dueAt + headStart + placeIn(spread - headStart, chainId);
}

/** Milliseconds over which the chains that are due at one instant wake. */
const spreadOf = ({ dueThen }: Pick<ChainSchedule, 'dueThen'>): number => Math.max(SPREAD.least, SPREAD.perChain * dueThen);

/** The chain's own delay within a spread, always the same. */
const placeIn = (spread: number, chainId: string): number =>
  Math.floor((createHash('sha256').update(chainId).digest().readUInt32BE(0) / 2 ** 32) * spread);
