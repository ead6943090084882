import { changePaymentPreferences } from '../../services/preferences/payment.ts';
import { examplePayments } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { PaymentPreferencesRequest } from '../schema/payment.ts';

export const setPaymentRoute = route({
  method: 'post',
  path: '/v1/c/preferences/payment',
  operationId: 'set_payment_preferences',
  tag: 'Preferences',
  summary: 'Update the payment preferences',
  description:
    'When failed payments are retried and what follows the last retry, what ends a trial, and which amounts are too small to be collected automatically. Absent fields are not changed.',
  scope: 'full',
  body: PaymentPreferencesRequest,
  bodyOptional: true,
  response: { 200: null },
  errors: [],
  example: { body: examplePayments },
  write: async ({ vendor, body, tx }) => {
    const { retry_days: retryDays, payment_threshold: thresholds, on_trial_end: onTrialEnd, on_dunning_end: onDunningEnd } = body;
    await changePaymentPreferences(tx, vendor, {
      ...(retryDays === undefined ? {} : { retryDays }),
      ...(thresholds === undefined ? {} : { thresholds: thresholds ?? {} }),
      ...(onTrialEnd == null ? {} : { onTrialEnd }),
      ...(onDunningEnd == null ? {} : { onDunningEnd }),
    });
    return null;
  },
});
