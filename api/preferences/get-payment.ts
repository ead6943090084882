import { isCurrency } from '../../billing/money/currency.ts';
import { moneyText } from '../../billing/money/round.ts';
import { readPaymentPreferences } from '../../services/preferences/payment.ts';
import { examplePayments } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { PaymentPreferences } from '../schema/payment.ts';

export const getPaymentRoute = route({
  method: 'get',
  path: '/v1/c/preferences/payment',
  operationId: 'get_payment_preferences',
  tag: 'Preferences',
  summary: 'Read the payment preferences',
  description:
    'When failed payments are retried and what follows the last retry, what ends a trial, and which amounts are too small to be collected automatically.',
  scope: 'read',
  response: { 200: PaymentPreferences },
  errors: [],
  example: { response: examplePayments },
  run: async ({ vendor }, { db, payments }) => {
    const { retryDays, thresholds, onTrialEnd, onDunningEnd } = await readPaymentPreferences(db.em(), vendor);
    const amounts = Object.entries(thresholds).flatMap(([currency, amount]) =>
      isCurrency(currency) ? [[currency, moneyText(amount, currency)] as const] : [],
    );
    return {
      retry_days: [...(retryDays ?? payments.retryDays)],
      payment_threshold: Object.fromEntries(amounts),
      on_trial_end: onTrialEnd,
      on_dunning_end: onDunningEnd,
    };
  },
});
