import { type SearchAttributePair, TypedSearchAttributes } from '@temporalio/common';
import type { Instant } from '../billing/calendar/instant.ts';
import type { Queryable } from '../db/connect.ts';
import { ON_IDLE_CLOCK } from '../db/customer/schedule.ts';
import { type ChainSchedule, readChainSchedules } from '../db/sql/contract/chain-schedule.ts';
import { type MessageSubject, type SubjectDue, subjectsOf } from '../db/sql/outbox/read-subjects.ts';
import type { WorkflowMessage } from '../db/transaction.ts';
import { chainAttributes } from '../workflows/contract/attributes.messages.ts';
import { CUT_OFF, startText } from '../workflows/contract/words.messages.ts';
import { type CustomerDueInWords, customerText } from '../workflows/customer/words.messages.ts';
import type { Json, Schedule } from '../workflows/messages.ts';
import { scheduleOf } from './schedule.ts';
import { attributesOf } from './search-attributes.ts';

/** What the Temporal UI shows of a workflow before it has run, and when it has something to do for the first time. */
export interface WorkflowStart {
  attributes: TypedSearchAttributes;
  /** added to the summary of its kind: the invoice that is paid, or the contract that waits for its payment */
  about: string | null;
  details: string | null;
  /** by this machine's clock; null: at once */
  runsAt: Instant | null;
  /** the number of the latest event known at the start: its first look lists what came after it; null: the latest */
  seen: string | null;
  /**
   * when the run of a chain begins that another may take the place of, by Postgres' clock; null: there is something to
   * do at once, it is on a test clock, or payments of it have failed
   */
  beginsAt: Instant | null;
  /** a chain that was made within the last hour; null: it is on a test clock, or no chain */
  isNew: boolean | null;
}

/**
 * How the workflows of messages are to be started, read from Postgres when the messages are sent. A workflow that can't
 * be read any more is left out.
 */
export async function startsOf(db: Queryable, messages: readonly WorkflowMessage[]): Promise<Map<string, WorkflowStart>> {
  const chains = messages.filter(({ kind }) => kind === 'contract');
  const others = messages.filter(({ kind }) => kind !== 'contract' && kind !== 'bill_run');
  const subjects = await subjectsOf(db, others);
  const now = Date.now();
  const starts = [...subjects].map(([workflowId, subject]): [string, WorkflowStart] => [workflowId, startOf(subject, now)]);
  return new Map([...starts, ...(await startsOfChains(db, chains))]);
}

async function startsOfChains(db: Queryable, messages: readonly WorkflowMessage[]): Promise<[string, WorkflowStart][]> {
  if (messages.length === 0) return [];
  const rows = await readChainSchedules(
    db,
    messages.map(({ workflowId }) => workflowId),
  );
  const now = Date.now();
  return rows.map((row) => {
    const schedule = scheduleOf(row, { isLeft: false, bundle: '', signals: 0 });
    const delay = delayOf(schedule, row.readAt);
    const start: WorkflowStart = {
      attributes: new TypedSearchAttributes(chainAttributes(schedule).filter((pair): pair is SearchAttributePair => pair.value !== null)),
      about: null,
      details: startText(schedule, row.readAt),
      runsAt: delay === null ? null : now + delay,
      seen: schedule.seen,
      beginsAt: delay === null || delay === 0 || !waitsUnseen(row) ? null : row.readAt + delay,
      isNew: row.isNew,
    };
    return [schedule.chainId, start];
  });
}

/**
 * Whether a chain's first task may wait until something is due. Not while its payments fail, since operators want to
 * see each try, and not on a test clock, which signals its chains at each step.
 */
const waitsUnseen = ({ clockId, dunned }: ChainSchedule): boolean => clockId === null && dunned.length === 0;

const YEAR = 365 * 86_400_000;

/**
 * Milliseconds until a chain has something to do for the first time: until its first due instant, or until a signal
 * where nothing is due by itself; null where it can end at once. A workflow that isn't signalled looks once a year.
 */
function delayOf({ wakeAt, clockId, hasEnded }: Schedule, now: Instant): number | null {
  if (hasEnded) return null;
  return wakeAt === null || clockId !== null ? YEAR : Math.min(Math.max(0, wakeAt - now), YEAR);
}

/**
 * A customer's workflow waits until something is due by the wall clock, or may be due on a test clock that stands
 * still; all others run at once.
 */
function startOf(subject: MessageSubject, now: Instant): WorkflowStart {
  const { invoiceId, contractIds, due } = subject;
  const next = due.find(({ onClock }) => !onClock);
  const runsNow = due.length === 0 || due.some(({ kind, onClock }) => onClock && ON_IDLE_CLOCK.has(kind));
  const runsAt = runsNow ? null : Math.min(next?.at ?? Number.POSITIVE_INFINITY, now + YEAR);
  const about = invoiceId ?? contractIds[0] ?? null;
  return { attributes: attributesOf(subject), about, details: detailsOf(subject), runsAt, seen: null, beginsAt: null, isNew: null };
}

/** The objects a workflow works on, by ids that the Temporal UI and the API find. */
function detailsOf({ customerId, clockId, contractIds, invoiceId, waitingWorkflowId, due }: MessageSubject): string | null {
  if (customerId !== null && due.length > 0) return customerText({ customerId, clockId, due: due.map(toCustomerDue) });
  if (waitingWorkflowId === null) return null;
  const [gated] = contractIds;
  if (invoiceId === null && gated !== undefined)
    return `Payment gate of contract \`${gated}\`, customer \`${customerId}\`.\n\nIts end stands in the workflow \`${waitingWorkflowId}\`.${CUT_OFF}`;
  if (invoiceId === null) return null;
  const contract = contractIds.map((id) => ` of contract \`${id}\``).join('');
  return `Invoice \`${invoiceId}\`${contract}, customer \`${customerId}\`.\n\nWhat is due of it stands in the workflow \`${waitingWorkflowId}\`.${CUT_OFF}`;
}

const toCustomerDue = ({ kind, at, detail, onClock }: SubjectDue): CustomerDueInWords => ({
  kind,
  at,
  onClock,
  contractId: null,
  detail: detail as Record<string, Json>,
});
