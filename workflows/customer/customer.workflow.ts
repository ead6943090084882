import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { CustomerActivities } from '../../activities/customer/index.ts';
import type { Instant } from '../../billing/calendar/instant.ts';
import { outsideActivities } from '../activities.ts';
import { databaseSteps } from '../contract/activities.ts';
import { Alarm } from '../contract/alarm.ts';
import { growingPause } from '../growing-pause.ts';
import { CHANGED_SIGNAL, type CustomerDue, type CustomerRef, type CustomerSchedule, type CustomerStepInput } from '../messages.ts';
import { customerText, customerWords } from './words.messages.ts';

const changedSignal = defineSignal(CHANGED_SIGNAL);
const step = databaseSteps<CustomerActivities>();
const { eraseSome, expireSessions, sendEmail } = outsideActivities<CustomerActivities>();

/** What carries out each kind of row of a customer. */
const CONCERNS: Readonly<Record<string, (input: CustomerStepInput) => Promise<void>>> = {
  session_expiry: expireSessions,
  email: sendEmail,
  invoice_reminder: remind,
  card_reminder: remind,
  freeze_end: endFreeze,
  credit_expiry: expireCredits,
  credit_top_up: topUp,
  payment_due: collectPayments,
  payment_retry: collectPayments,
  payment_answer: collectPayments,
  payment_rest: collectPayments,
  wallet_rest: collectPayments,
  credit_look: lookAtCredits,
  erasure: eraseSome,
};

function remind(input: CustomerStepInput): Promise<void> {
  return step((activities) => activities.remind(input));
}

function endFreeze(input: CustomerStepInput): Promise<void> {
  return step((activities) => activities.endFreeze(input));
}

function expireCredits(input: CustomerStepInput): Promise<void> {
  return step((activities) => activities.expireCredits(input));
}

function topUp(input: CustomerStepInput): Promise<void> {
  return step((activities) => activities.topUp(input));
}

function collectPayments(input: CustomerStepInput): Promise<void> {
  return step((activities) => activities.collectPayments(input));
}

function lookAtCredits(input: CustomerStepInput): Promise<void> {
  return step((activities) => activities.lookAtCredits(input));
}

/** Makes a row wait that is still due after it was carried out, longer each time, while other rows have their turn. */
class RowPauses {
  readonly #waits = new Map<string, { kind: string; times: number; until: Instant }>();

  /** On a test clock the clock's workflow does the rest. */
  next({ due }: CustomerSchedule): CustomerDue | undefined {
    const own = due.filter(({ onClock }) => !onClock);
    return own.reduce<CustomerDue | undefined>((first, one) => (first && this.at(first) <= this.at(one) ? first : one), undefined);
  }

  at(row: CustomerDue): Instant {
    return Math.max(row.at, this.#waits.get(keyOf(row))?.until ?? 0);
  }

  note(carriedOut: CustomerDue | undefined, { due }: CustomerSchedule): void {
    const left = new Set(due.map(keyOf));
    // a row that isn't in the schedule now may come back
    for (const [key, { until }] of this.#waits) if (!left.has(key) && until <= Date.now()) this.#waits.delete(key);
    if (carriedOut === undefined || !left.has(keyOf(carriedOut))) return;
    const times = (this.#waits.get(keyOf(carriedOut))?.times ?? 0) + 1;
    this.#waits.set(keyOf(carriedOut), { kind: carriedOut.kind, times, until: Date.now() + growingPause(times) });
  }

  /** Kinds of rows that are still due after they were carried out: they must not fill the schedule. */
  get stuck(): string[] {
    return [...this.#waits.values()].map(({ kind }) => kind);
  }
}

const keyOf = ({ id, at }: CustomerDue): string => `${id} ${at}`;

/**
 * Waits for what is due of a customer and belongs to no contract: the end of a freeze, payment sessions and prepaid
 * credits that expire, invoices of bought credits or left over of many, e-mails and reminders, personal data that are
 * to be erased. It runs only while such a row exists. On a test clock it sends e-mails, erases, and while the clock
 * stands still looks at prepaid credits and has credits and wallet pay; the clock's workflow does the rest.
 */
export async function customerLifecycle(customer: CustomerRef): Promise<void> {
  let signals = 0;
  setHandler(changedSignal, () => {
    signals += 1;
  });
  const alarm = new Alarm();
  const pauses = new RowPauses();
  const read = (): Promise<CustomerSchedule> =>
    step((activities) => activities.readCustomerSchedule({ ...customer, signals, stuck: pauses.stuck }));
  await CancellationScope.nonCancellable(async () => {
    let schedule = await read();
    const { bundle } = schedule;
    const hasNews = () => signals > schedule.signals;
    while (schedule.due.length > 0 || hasNews()) {
      const next = pauses.next(schedule);
      setCurrentDetails(customerText(schedule));
      alarm.arm(next === undefined ? null : pauses.at(next), next === undefined ? '' : customerWords(next));
      await condition(() => hasNews() || alarm.rang);
      // what is due comes first, and no timer is left after a signal, as in the workflow of a chain
      const carriedOut = alarm.rang ? next : undefined;
      alarm.disarm();
      if (carriedOut !== undefined) await CONCERNS[carriedOut.kind]?.({ ...customer, dueAt: carriedOut.at });
      schedule = await read();
      pauses.note(carriedOut, schedule);
      const isOld = schedule.bundle !== bundle || workflowInfo().continueAsNewSuggested;
      if (isOld && !hasNews() && schedule.due.length > 0) await continueAsNew<typeof customerLifecycle>(customer);
    }
  });
}
