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
import { providerActivities } from '../activities.ts';
import { databaseSteps } from '../contract/activities.ts';
import { Alarm } from '../contract/alarm.ts';
import { CHANGED_SIGNAL, type CustomerRef, type CustomerSchedule } from '../messages.ts';
import { customerText, customerWords } from './words.messages.ts';

const changedSignal = defineSignal(CHANGED_SIGNAL);
const step = databaseSteps<CustomerActivities>();
const { expireSessions } = providerActivities<CustomerActivities>();

/**
 * Waits for what is due of a customer and belongs to no contract: payment sessions that expire. It runs only while such
 * a row exists.
 */
export async function customerLifecycle(customer: CustomerRef): Promise<void> {
  let hasNews = false;
  setHandler(changedSignal, () => {
    hasNews = true;
  });
  const alarm = new Alarm();
  const read = (): Promise<CustomerSchedule> => {
    hasNews = false;
    return step((activities) => activities.readCustomerSchedule(customer));
  };
  await CancellationScope.nonCancellable(async () => {
    let schedule = await read();
    const { bundle } = schedule;
    while (schedule.due.length > 0 || hasNews) {
      const [next] = schedule.due;
      setCurrentDetails(customerText(schedule));
      alarm.arm(next === undefined || schedule.clockId !== null ? null : next.at, next === undefined ? '' : customerWords(next));
      await condition(() => hasNews || alarm.rang);
      if (!hasNews) {
        alarm.disarm();
        await expireSessions(customer);
      }
      schedule = await read();
      const isOld = schedule.bundle !== bundle || workflowInfo().continueAsNewSuggested;
      if (isOld && !hasNews && schedule.due.length > 0) await continueAsNew<typeof customerLifecycle>(customer);
    }
  });
}
