import { condition, continueAsNew, defineSignal, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { WAKE_SIGNAL } from '../messages.ts';
import { outside, step } from './activities.ts';
import type { NextPayment, PaymentRef } from './messages.ts';

const wakeSignal = defineSignal(WAKE_SIGNAL);

/**
 * Collects one invoice: waits until something is due, claims an attempt, charges, records, until nothing is left to do. A child of nothing;
 * it may begin at any moment, since the rows say where the invoice stands. On a test clock it does what is due and ends: the clock starts
 * it again.
 */
export async function collectPayment({ invoiceId }: PaymentRef): Promise<void> {
  let told = 0;
  setHandler(wakeSignal, () => {
    told += 1;
  });
  for (let heard = told; ; heard = told) {
    const next = await step((activities) => activities.nextPayment({ invoiceId }));
    setCurrentDetails(detailsOf(invoiceId, next));
    if (next.todo === 'charge') await pay(next);
    else if (next.todo === 'wait' && next.clockId === null) await condition(() => told > heard, Math.max(1, next.until - Date.now()));
    else if (told === heard) return;
    if (workflowInfo().continueAsNewSuggested && told === heard) await continueAsNew<typeof collectPayment>({ invoiceId });
  }
}

async function pay({ attemptId, fence }: Extract<NextPayment, { todo: 'charge' }>): Promise<void> {
  const charged = await outside.chargeAttempt({ attemptId, fence });
  if (charged.status === 'superseded') return;
  await step((activities) => activities.recordAttempt({ attemptId, fence, charged }));
}

function detailsOf(invoiceId: string, next: NextPayment): string {
  if (next.todo === 'nothing') return `Invoice \`${invoiceId}\`: nothing to collect`;
  if (next.todo === 'charge') return `Invoice \`${invoiceId}\`: attempt \`${next.attemptId}\` under way`;
  return `Invoice \`${invoiceId}\`: waits for ${next.why.replaceAll('_', ' ')} at ${new Date(next.until).toISOString()}`;
}
