import { ApplicationFailure, condition, setCurrentDetails } from '@temporalio/workflow';
import type { ContractActivities } from '../../activities/contract/index.ts';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Command, Json, Operation, Schedule, StateAnswer, TimelineEntry } from '../messages.ts';
import { step } from './activities.ts';
import { Alarm } from './alarm.ts';
import { Attributes } from './attributes.ts';
import { Turns } from './turns.ts';
import { dateText, detailsText, waitingText } from './words.ts';

const REMEMBERED = 50;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 300_000;

/**
 * A contract's life as its workflow sees it: the last schedule read, one alarm, and who has spoken since. Nothing in here is worth
 * keeping: it can be made again from the contract's rows at any moment.
 */
export class ContractLife {
  readonly #contractId: string;
  readonly #alarm = new Alarm();
  readonly #turns = new Turns();
  readonly #attributes = new Attributes();
  readonly #timeline: TimelineEntry[] = [];
  #schedule: Schedule | null = null;
  /** a message asked to look at the rows again */
  #told = false;
  /** an Update has brought a new schedule */
  #changed = false;
  /** schedules taken so far */
  #taken = 0;
  /** wake-ups in a row that left what was due as it was */
  #idle = 0;

  constructor(contractId: string) {
    this.#contractId = contractId;
  }

  get over(): boolean {
    return this.#schedule?.over ?? false;
  }

  /** Nobody has spoken since the last look, and nothing is due: a good moment to begin a new run. */
  get quiet(): boolean {
    return !this.#told && !this.#changed && !this.#alarm.rang;
  }

  wake(): void {
    this.#told = true;
  }

  state(): StateAnswer | null {
    return this.#schedule && { ...this.#schedule, waitingFor: waitingText(this.#schedule) };
  }

  timeline(): TimelineEntry[] {
    return this.#timeline;
  }

  /** Does what is due and learns what comes next; the first thing a run does, and what every wake-up does. */
  async advance(): Promise<void> {
    const dueAt = this.#schedule?.due[0]?.at ?? null;
    this.#told = false;
    if (this.#alarm.rang) this.#alarm.disarm();
    const { outcome, taken } = await this.#step((activities) => activities.advanceContract({ contractId: this.#contractId, dueAt }));
    this.#take(outcome, taken);
    const next = this.#schedule?.due[0]?.at ?? null;
    this.#idle = next !== null && next === dueAt && next <= Date.now() ? this.#idle + 1 : 0;
  }

  /** Shows where the contract stands, then waits for the earliest due instant or for somebody to speak. */
  async untilDueOrTold(): Promise<void> {
    const schedule = this.#known();
    this.#changed = false;
    const [next] = schedule.due;
    const waitsForTime = next !== undefined && schedule.parked === null && schedule.clockId === null;
    this.#alarm.arm(waitsForTime ? this.#notBefore(schedule.wakeAt ?? next.at) : null, waitingText(schedule));
    await condition(() => this.#told || this.#changed || this.#alarm.rang);
  }

  /** Whether there is something to do beyond what an Update has done already. */
  get hasWork(): boolean {
    return this.#told || this.#alarm.rang;
  }

  /** Carries out an operation for a caller; its answer is given after the commit. */
  async carryOut(operation: Operation, command: Command): Promise<Json> {
    await condition(() => this.#schedule !== null);
    const { outcome, taken } = await this.#step((activities) => activities.carryOut({ contractId: this.#contractId, operation, command }));
    this.#remember(operation);
    this.#take(outcome.schedule, taken);
    this.#changed = true;
    return outcome.answer;
  }

  /** Synchronous, before anything is written: refuses what can't be meant. */
  check(command: Command): void {
    const wellFormed = typeof command?.deadline === 'number' && typeof command.vendorId === 'string';
    if (!wellFormed) throw ApplicationFailure.nonRetryable('the command lacks its vendor or its deadline', 'invalid_request');
    if (Date.now() > command.deadline) throw ApplicationFailure.nonRetryable('the deadline has passed', 'unavailable');
    if (this.over) throw ApplicationFailure.nonRetryable('the contract is over', 'contract_not_live');
  }

  /** What was due and didn't go away is tried again after growing pauses, not at once for ever. */
  #notBefore(at: Instant): Instant {
    return this.#idle === 0 ? at : Date.now() + Math.min(FIRST_PAUSE * 2 ** this.#idle, LONGEST_PAUSE);
  }

  /** A step's outcome, and how many schedules were taken when it began. */
  async #step<T>(run: (activities: ContractActivities) => Promise<T>): Promise<{ outcome: T; taken: number }> {
    let taken: number | undefined;
    const outcome = await step(this.#turns, (activities) => {
      taken ??= this.#taken;
      return run(activities);
    });
    return { outcome, taken: taken ?? this.#taken };
  }

  #known(): Schedule {
    if (this.#schedule === null) throw new Error('the contract has not been opened');
    return this.#schedule;
  }

  /** @param taken schedules taken when this one was asked for: if more by now, it may be the older one, so the rows are read once more */
  #take(schedule: Schedule, taken: number): void {
    if (this.#taken !== taken) this.#told = true;
    this.#taken += 1;
    const before = this.#schedule;
    this.#schedule = schedule;
    this.#attributes.show(schedule);
    setCurrentDetails(detailsText(schedule));
    if (before?.status !== schedule.status || before.periodIdx !== schedule.periodIdx || before.parked !== schedule.parked) {
      this.#remember(schedule.periodIdx === null ? schedule.status : `${schedule.status}, period ${schedule.periodIdx}`);
    }
  }

  #remember(what: string): void {
    this.#timeline.push({ at: dateText(Date.now()), what });
    if (this.#timeline.length > REMEMBERED) this.#timeline.shift();
  }
}
