import { z } from 'zod';
import {
  byCurrency,
  Currency,
  CustomerId,
  DecimalInput,
  DecimalText,
  ItemId,
  idSchema,
  listOf,
  Name,
  PaymentMethodId,
  PlanId,
  PricingId,
  SignedDecimalInput,
  Text,
  Timestamp,
} from './common.ts';
import { OnDunningEnd, OnTrialEnd } from './preferences.ts';

export const Provider = z.enum(['authorize', 'self_handled', 'cardproc']).meta({
  id: 'PaymentProvider',
  description:
    'cardproc: a card processor, or the sandbox in its place; authorize: hosted card pages; self_handled: you collect the money and record it.',
});
const ProviderRequest = z
  .enum(['authorize', 'self_handled', 'cardproc', 'sandbox'])
  .describe('sandbox is the built-in processor of the embedded mode; it also replaces a cardproc without keys.');
export const SessionId = idSchema('PSess').meta({
  id: 'PaymentSessionId',
  description: 'Id of a payment session. It is also its secret token: everybody who has it may confirm the session.',
});

export const SessionRequest = z
  .strictObject({
    address: z.boolean().nullish().describe('Whether a billing address is collected too. Default false.'),
    operation: z.literal('add_method').nullish().describe('What the session is for; only `add_method` exists.'),
    detach_previous_on_success: z
      .boolean()
      .nullish()
      .describe('Whether the new method becomes the default and the previous default is detached. Default false.'),
    plan_id: PlanId.nullish().describe('The plan that it is collected for; stored only, without effect. Null or absent for none.'),
    pricing_id: PricingId.nullish().describe('The pricing that it is collected for; stored only, without effect. Null or absent for none.'),
    provider: ProviderRequest.nullish().describe(
      'The provider that collects it; absent or null: the one that this installation is configured for.',
    ),
  })
  .meta({ id: 'PaymentSessionRequest', description: 'How a payment method is collected.' });

export const PaymentSession = z
  .object({
    address: z.boolean().describe('Whether a billing address is collected too.'),
    customer_id: CustomerId.describe('The customer whose method is collected.'),
    wb_customer_id: idSchema('Wbc').describe('Your own id as the vendor.'),
    detach_previous_on_success: z.boolean().describe('Whether the previous default method is detached once the new one is set up.'),
    operation: z.literal('add_method').describe('What the session is for.'),
    provider: Provider.describe('The provider that collects the method.'),
    status: z
      .enum(['pending', 'succeeded', 'failed', 'expired', 'canceled'])
      .describe(
        'pending: waits for the customer; succeeded: the method is set up; failed: the provider refused it; expired: not finished within 24 hours; canceled: never happens.',
      ),
    token: SessionId.describe(
      'Id of the session for later calls. It confirms the session without a key, so show it to this customer only.',
    ),
    setup_intent: z
      .object({
        address: z.boolean().describe('Whether the script collects a billing address.'),
        customer_id: CustomerId.describe('The customer whose method is collected.'),
        wb_customer_id: idSchema('Wbc').describe('Your own id as the vendor.'),
        cardproc: z
          .object({
            client_secret: z.string().describe('Lets the script set up this one method.'),
            connected_account_id: z.string().describe('Your account at the processor; empty text for none, `sandbox` in the sandbox.'),
            pk_key: z.string().describe('Publishable key of the processor, `sandbox` in the sandbox.'),
          })
          .nullable()
          .describe(
            'Secrets for the card processor’s script, shown once when the session is created; null afterwards and for other providers.',
          ),
        authorize: z
          .object({ token: z.string().describe('Secret that opens the hosted page.') })
          .nullable()
          .describe('What opens the hosted page, shown once when the session is created; null afterwards and for other providers.'),
      })
      .nullable()
      .describe('What a client-side script needs; null for self_handled.'),
  })
  .meta({ id: 'PaymentSession', description: 'A session of 24 hours in which a customer sets up a payment method.' });

export const ConfirmRequest = z
  .strictObject({
    payment_method: Name.nullish().describe(
      'In the sandbox the method to set up, for example `sandbox_ok` or `sandbox_declined`; absent for other providers, which collect it themselves.',
    ),
  })
  .meta({ id: 'ConfirmRequest', description: 'How a payment session is confirmed.' });

const Selection = z.union([PaymentMethodId, z.enum(['none', 'manual'])]);
export const SelectionRequest = z
  .strictObject({
    payment_method: Selection.describe(
      'A method of this customer; with `none` or `manual` nothing is charged automatically, and `manual` says that payments are made outside.',
    ),
  })
  .meta({ id: 'SelectionRequest', description: 'Which payment method is the default.' });
export const SelectionResponse = z.array(Selection).describe('The selection as the only entry of a list.');

export const PaymentMethod = z
  .object({
    id: PaymentMethodId.describe('Id of the method, for later calls.'),
    created: Timestamp.describe('When it was set up, on the customer’s clock.'),
    method_type: z
      .enum(['card', 'sepa_debit', 'vban_bank_transfer_eu'])
      .describe('card: a card; sepa_debit: direct debit from a bank account; vban_bank_transfer_eu: transfer to a virtual account number.'),
    provider: Provider.describe('The provider that charges this method.'),
    status: z
      .enum(['active', 'inactive', 'detached', 'invalid'])
      .describe('active: can be charged; detached: never charged again. inactive and invalid never happen.'),
    details: z
      .record(z.string(), z.unknown())
      .describe('Known details: `brand`, `last4`, `exp_month` and `exp_year` of a card; null where unknown. Never a full number.'),
    holder_name: z.string().nullable().describe('Name on it; null when unknown.'),
    preference: z.string().nullable().describe('`default` for the method that is charged automatically, else null.'),
  })
  .meta({ id: 'PaymentMethod', description: 'A card, account or bank transfer that a customer pays with.' });

export const PaymentMethods = z.array(PaymentMethod).describe('The customer’s payment methods, oldest first.');

export const WalletRequest = z
  .strictObject({
    currency: Currency.describe('The wallet’s currency; one wallet per currency.'),
    amount: SignedDecimalInput.describe(
      'Positive gives money, negative takes it back, not below a balance of zero. At most the currency’s minor digits.',
    ),
    description: z.string().min(1).max(1000).describe('What it is for; the customer sees it.'),
  })
  .meta({ id: 'WalletTransactionRequest', description: 'Money given to a wallet or taken back.' });

export const PayRequest = z
  .strictObject({
    method: z
      .union([PaymentMethodId, z.literal('manual')])
      .nullish()
      .describe(
        'A method of the customer, or `manual` for money received outside; absent or null: the default method, or manual when there is no default and a reference is given.',
      ),
    reference: Name.nullish().describe('Your note on money received outside, for example of a bank transfer; null or absent for none.'),
  })
  .meta({ id: 'PayRequest', description: 'How an invoice is paid.' });

export const CreditNoteRequest = z
  .strictObject({
    items: listOf(
      z.strictObject({
        invoice_item_id: ItemId.describe('A line of this invoice that is not fully credited yet.'),
        amount: DecimalInput.nullish().describe('Amount to give back, tax included; absent or null: all that is left of the line.'),
      }),
      1000,
      1,
    ).describe('The lines to give back, each in whole or in part.'),
    to: z
      .enum(['wallet', 'payment'])
      .describe(
        'Where money that was paid goes: to the wallet, or back to the payment method up to what was paid in money. What is unpaid is lowered first.',
      ),
    notes: Text.nullish().describe('The reason; null or absent for none.'),
  })
  .meta({ id: 'CreditNoteRequest', description: 'What is given back of an invoice, and where the money goes.' });
export const CreditNoteId = idSchema('CNote').meta({
  id: 'CreditNoteId',
  description: 'Id of a credit note, which gives back an invoice in whole or in part.',
});

const MAX_RETRIES = 20;
const MAX_DAYS = 365;

export const PaymentPreferencesRequest = z
  .strictObject({
    retry_days: listOf(z.int().min(1).max(MAX_DAYS), MAX_RETRIES)
      .refine((days) => days.every((day, index) => day > (days[index - 1] ?? 0)), 'must be growing whole days')
      .nullish()
      .describe(
        'Days after the first failure on which a payment is retried, in ascending order; null: the setting of the installation (1, 3, 5 and 7 unless set).',
      ),
    payment_threshold: byCurrency(DecimalInput)
      .nullish()
      .describe('Smallest amount that is collected automatically, by currency, replaced as a whole; null: none. "0.00" unless set.'),
    on_trial_end: OnTrialEnd.nullish().describe(
      'What the end of a free trial does to contracts signed from now on, unless the customer or the contract says otherwise.',
    ),
    on_dunning_end: OnDunningEnd.nullish().describe(
      'What happens when an invoice is still unpaid on the day of its last retry, for contracts signed from now on, unless the customer or the contract says otherwise.',
    ),
  })
  .meta({ id: 'PaymentPreferencesRequest', description: 'How payments are collected; absent fields are not changed.' });

export const PaymentPreferences = z
  .object({
    retry_days: z.array(z.int()).describe('Days after the first failure on which a payment is retried.'),
    payment_threshold: z
      .record(z.string(), DecimalText)
      .describe('Smallest amount that is collected automatically, by currency; "0.00" for currencies that are not named.'),
    on_trial_end: OnTrialEnd.describe('What the end of a free trial does without a payment method, where a contract says nothing else.'),
    on_dunning_end: OnDunningEnd.describe(
      'What happens when an invoice is still unpaid on the day of its last retry, where a contract says nothing else.',
    ),
  })
  .meta({ id: 'PaymentPreferences', description: 'How payments are collected.' });
