import { condition, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { ContractActivities } from '../../activities/contract/index.ts';
import type { Instant } from '../../billing/calendar/instant.ts';
import { growingPause } from '../growing-pause.ts';
import {
  type ChainActivityInput,
  type ChainDue,
  type DueItem,
  type Schedule,
  SEEN_MEMO,
  type StateResponse,
  type TimelineEntry,
} from '../messages.ts';
import { databaseSteps } from './activities.ts';
import { Alarm } from './alarm.ts';
import { showAttributes } from './attributes.ts';
import { dateText, detailsText, doneText, summaryText, waitingText } from './words.messages.ts';

const REMEMBERED = 50;
const YEAR = 365 * 86_400_000;

const step = databaseSteps<ContractActivities>();

/**
 * What the workflow of a chain knows: the schedule that was read last, and one alarm. The schedule can be read again at
 * any moment.
 */
export class ContractState {
  /** received by this run so far */
  signals = 0;
  readonly #chainId: string;
  readonly #alarm = new Alarm();
  readonly #timeline: TimelineEntry[] = [];
  #schedule: Schedule | null = null;
  #firstBundle: string | null = null;
  /** how many wake-ups in a row have left the same item due */
  #idle = 0;
  /**
   * the instant whose work was left for the bill run to do; this happens only once for an instant, even if a signal
   * comes before the next wake-up
   */
  #leftAt: Instant | null = null;

  constructor(chainId: string) {
    this.#chainId = chainId;
  }

  /**
   * The facts have changed since they were last read. The answer says which signals it knows of, because a replay can
   * deliver a signal earlier than the first execution did: where a local activity outlasted its workflow task, or a
   * query was answered meanwhile, the replay joins that task with the next one.
   */
  get hasNews(): boolean {
    return this.signals > (this.#schedule?.signals ?? 0);
  }

  get hasEnded(): boolean {
    return this.#schedule?.hasEnded ?? false;
  }

  /** True: what is due was left for the bill run to do; the next activity only reads whether it has done so. */
  get isLeft(): boolean {
    return this.#schedule?.isLeft ?? false;
  }

  get state(): StateResponse | null {
    return this.#schedule && { ...this.#schedule, waitingFor: waitingText(this.#schedule) };
  }

  /** The number of the latest event it knows: of its last look, or of the start of its run. */
  get seen(): string | null {
    const atStart = workflowInfo().memo?.[SEEN_MEMO];
    return this.#schedule?.seen ?? (typeof atStart === 'string' ? atStart : null);
  }

  get timeline(): TimelineEntry[] {
    return this.#timeline;
  }

  /** Reads the schedule. A change during the read leads to another read. */
  async read(): Promise<void> {
    this.#accept(await step((activities) => activities.readSchedule(this.#inputFor(null))));
    this.#idle = 0;
  }

  /** Runs the activity of what is due: it does all that is due at that instant in one transaction. */
  async carryOut(item: ChainDue, activity: keyof ContractActivities): Promise<void> {
    this.#accept(await step((activities) => activities[activity](this.#inputFor(item.at))));
    const { due, isLeft } = this.#known();
    const [next] = due;
    if (isLeft) this.#leftAt = item.at;
    const isSame = next !== undefined && next.at === item.at && next.kind === item.kind && next.subject === item.subject;
    this.#idle = isSame && !isLeft ? this.#idle + 1 : 0;
  }

  /**
   * Waits for the earliest due instant or for a signal, whichever comes first; null: the facts have changed. What is
   * due comes first where both have come, and after a signal no timer is left: so a replay that joins two workflow
   * tasks finds the same.
   */
  async nextDueOrSignal(): Promise<ChainDue | null> {
    const schedule = this.#known();
    const [next] = schedule.due;
    // on a test clock the clock's workflow does what is due
    const waitsForTime = next !== undefined && schedule.clockId === null;
    this.#alarm.arm(waitsForTime ? this.#wakeAt(next, schedule) : null, summaryText(schedule));
    await condition(() => this.hasNews || this.#alarm.rang);
    const isDue = this.#alarm.rang;
    this.#alarm.disarm();
    return isDue && next !== undefined ? next : null;
  }

  /**
   * Whether to continue as new: nothing is due and there is no news, and the worker's code is another one, the history
   * has grown long, or a year has passed.
   */
  get shouldContinueAsNew(): boolean {
    if (this.hasNews || this.#alarm.rang || this.#schedule === null) return false;
    const { continueAsNewSuggested, runStartTime } = workflowInfo();
    return this.#schedule.bundle !== this.#firstBundle || continueAsNewSuggested || Date.now() > runStartTime.getTime() + YEAR;
  }

  #inputFor(dueAt: Instant | null): ChainActivityInput {
    return { chainId: this.#chainId, signals: this.signals, dueAt, seen: this.seen, wasLeft: dueAt !== null && dueAt === this.#leftAt };
  }

  /**
   * An item that is still due after its activity is tried again after growing pauses, and not at once again and again.
   */
  #wakeAt(next: DueItem, schedule: Schedule): Instant {
    return this.#idle === 0 ? (schedule.wakeAt ?? next.at) : Date.now() + growingPause(this.#idle);
  }

  #known(): Schedule {
    if (this.#schedule === null) throw new Error('the schedule has not been read');
    return this.#schedule;
  }

  #accept(schedule: Schedule): void {
    this.#schedule = schedule;
    this.#firstBundle ??= schedule.bundle;
    showAttributes(schedule);
    setCurrentDetails(detailsText(schedule));
    for (const item of schedule.done) this.#remember(doneText(item));
  }

  #remember(what: string): void {
    this.#timeline.push({ at: dateText(Date.now()), what });
    if (this.#timeline.length > REMEMBERED) this.#timeline.shift();
  }
}
