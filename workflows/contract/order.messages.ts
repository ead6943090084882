/**
 * The declared order of what is due at one instant: usage closing, cancellation, expiration and the end of a trial
 * without a payment method, scheduled change, trial end and activation, cycle charges, reminder of a trial's end, look
 * at an invoice threshold, end of a payment gate, payment, end of dunning. The first of them names the activity of a
 * wake-up.
 */
const ORDER: readonly string[] = [
  'usage_closing',
  'cancellation',
  'expiration',
  'trial_cancellation',
  'scheduled_change',
  'trial_end',
  'activation',
  'boundary',
  'custom_charge',
  'trial_ending',
  'usage_threshold',
  'payment_gate',
  'payment_due',
  'payment_retry',
  'payment_answer',
  'dunning_end',
];

/** The place of a kind in that order. @example placeOf('usage_closing') // 0 */
export const placeOf = (kind: string): number => ORDER.indexOf(kind);
