import type { DueItem } from '../messages.ts';
import { activation } from './activation.ts';
import type { Concern } from './concern.ts';
import { dunningEnd } from './dunning-end.ts';
import { contractEnd } from './end.ts';
import { collection } from './payment.ts';
import { paymentGate } from './payment-gate.ts';
import { rollover } from './rollover.ts';
import { scheduledChange } from './scheduled-change.ts';
import { trial } from './trial.ts';
import { trialEnding } from './trial-ending.ts';
import { usageClosing } from './usage-closing.ts';
import { usageThreshold } from './usage-threshold.ts';

/**
 * Every kind of agenda row and the concern of the lifecycle that carries it out; their order at one instant is in
 * `order.messages.ts`.
 */
export const lifecycle: Readonly<Record<string, Concern>> = {
  usage_closing: usageClosing,
  cancellation: contractEnd,
  expiration: contractEnd,
  trial_cancellation: trial,
  scheduled_change: scheduledChange,
  trial_end: trial,
  activation,
  boundary: rollover,
  custom_charge: rollover,
  payment_gate: paymentGate,
  trial_ending: trialEnding,
  usage_threshold: usageThreshold,
  payment_due: collection,
  payment_retry: collection,
  payment_answer: collection,
  dunning_end: dunningEnd,
};

/** What a due item means, in words. */
export const wordsOf = (item: DueItem): string => lifecycle[item.kind]?.words(item) ?? item.kind.replaceAll('_', ' ');
