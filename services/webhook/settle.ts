import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { count } from '../../db/counted.ts';
import { WebhookBacklog, WebhookSkip } from '../../db/entities/webhook.ts';
import type { DueLane, LaneEvent } from '../../db/sql/webhook/due-lanes.ts';
import { type DeliveringEndpoint, lockDelivering } from '../../db/sql/webhook/lock-endpoint.ts';
import { type LaneOutcome, moveLanes } from '../../db/sql/webhook/move-lanes.ts';
import { type NotedTry, noteTries } from '../../db/sql/webhook/note-tries.ts';
import { pauseEndpoint } from './pause.ts';
import { nextTryAt, type RetrySchedule } from './retry.ts';

/** What was sent of a lane, in order. Only the last try may have failed. */
export interface SentLane {
  lane: DueLane;
  tries: { event: LaneEvent; noted: NotedTry }[];
}

/**
 * Writes down what became of lanes: the tries, how far each object was delivered, and when it is tried again. An
 * endpoint that has refused an event for as long as the schedule lasts is paused.
 */
export async function settleLanes(db: Database, schedule: RetrySchedule, endpointId: string, sent: readonly SentLane[]): Promise<void> {
  await db.transaction(
    async (tx) => {
      const endpoint = await lockDelivering(tx, endpointId);
      if (endpoint === null) return;
      const tries = sent.flatMap((one) => one.tries.map(({ noted }) => noted));
      await noteTries(tx, endpointId, tries);
      for (const outcome of ['delivered', 'failed'] as const)
        count(tx, 'deliveries', { outcome }, tries.filter(({ status }) => status === outcome).length);
      const judged = (await asTheyStand(tx, endpoint, sent)).map((one) => judge(one, schedule));
      await moveLanes(
        tx,
        endpointId,
        judged.map(({ outcome }) => outcome),
      );
      const givenUp = judged.find(({ outcome, isGivenUp }) => isGivenUp && outcome.failed !== null);
      if (givenUp !== undefined) await pauseEndpoint(tx, endpoint, reasonOf(givenUp.last));
    },
    { prepare: true, by: 'timer', within: endpointId },
  );
}

/**
 * Leaves out lanes that were read again from elsewhere while they were sent, and brings the others up to date: the
 * endpoint may have been opened meanwhile, and then its schedule begins again.
 */
async function asTheyStand(
  { em }: Tx,
  { id: endpoint, opens }: Pick<DeliveringEndpoint, 'id' | 'opens'>,
  sent: readonly SentLane[],
): Promise<StandingLane[]> {
  const failed = new Map(sent.filter(hasFailed).map(({ lane, tries }) => [lane.lane, tries.at(-1)?.event.seq ?? '']));
  if (failed.size === 0) return sent.map((one) => ({ ...one, isSkipped: false }));
  const rows = await em.find(WebhookBacklog, { endpoint, lane: { $in: [...failed.keys()] } });
  const skips = await em.find(WebhookSkip, { endpoint, eventSeq: { $in: [...failed.values()] } });
  const now = new Map(rows.map((row) => [row.lane, row]));
  const skipped = new Set(skips.map(({ eventSeq }) => eventSeq));
  return sent.flatMap((one): StandingLane[] => {
    const { lane, tries } = one;
    if (!hasFailed(one)) return [{ lane, tries, isSkipped: false }];
    const row = now.get(lane.lane);
    if (row?.eventSeq !== lane.eventSeq) return [];
    const isSkipped = lane.lane === lane.objectId && skipped.has(failed.get(lane.lane) ?? '');
    // opening the endpoint forgets its earlier failures; the row may still have them
    const { failures, failingSince } = opens ? { failures: 0, failingSince: null } : row;
    return [{ lane: { ...lane, failures, failingSince }, tries, isSkipped }];
  });
}

const hasFailed = ({ tries }: SentLane): boolean => tries.at(-1)?.noted.status === 'failed';

interface StandingLane extends SentLane {
  /** the event that has failed was skipped while it was sent */
  isSkipped: boolean;
}

interface Judged {
  outcome: LaneOutcome;
  isGivenUp: boolean;
  last: NotedTry | undefined;
}

/**
 * Where a lane goes on after its tries. An event that was sent again on request is given up without pausing the
 * endpoint.
 */
function judge({ lane, tries, isSkipped }: StandingLane, schedule: RetrySchedule): Judged {
  const last = tries.at(-1);
  const passed = isSkipped ? last : tries.findLast(({ noted }) => noted.status === 'delivered');
  const known = { lane: lane.lane, eventSeq: lane.eventSeq, asked: lane.asked, delivered: passed?.event.sequence ?? lane.sequence - 1 };
  const goesOn = { outcome: { ...known, failed: null }, isGivenUp: false, last: last?.noted };
  if (last?.noted.status !== 'failed' || isSkipped) return goesOn;
  const { event, noted } = last;
  const failures = (isHead(lane, event) ? lane.failures : 0) + 1;
  const ended = noted.at + noted.durationMs;
  const failingSince = (isHead(lane, event) ? lane.failingSince : null) ?? ended;
  const nextTry = nextTryAt(schedule, failures, { failingSince, now: ended });
  if (nextTry === null && lane.lane !== lane.objectId) return goesOn;
  const failed = { seq: event.seq, sequence: event.sequence, attempts: noted.attempt, failures, failingSince, nextTry: nextTry ?? ended };
  return { outcome: { ...known, failed }, isGivenUp: nextTry === null, last: noted };
}

const isHead = (lane: DueLane, event: LaneEvent): boolean => event.seq === lane.eventSeq;

function reasonOf(last: NotedTry | undefined): string {
  const why = last?.statusCode == null ? last?.error : `the endpoint answered ${last.statusCode}`;
  return `${last?.eventId} was not taken in ${last?.attempt} tries: ${why}`;
}

/** The number of this try of an event. */
export const attemptOf = (lane: DueLane, event: LaneEvent): number => (isHead(lane, event) ? lane.attempts : 0) + 1;

/** A try as it is noted. */
export function notedTry(
  { eventId, attempt, at }: { eventId: string; attempt: number; at: Instant },
  { statusCode, error, answer }: { statusCode: number | null; error: string | null; answer: string },
): NotedTry {
  const isDelivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
  return {
    eventId,
    at,
    attempt,
    status: isDelivered ? 'delivered' : 'failed',
    statusCode,
    durationMs: Date.now() - at,
    error,
    answer: isDelivered || answer === '' ? null : answer,
  };
}
