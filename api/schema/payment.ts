import { z } from 'zod';
import {
  Currency,
  CustomerId,
  DecimalInput,
  DecimalText,
  ItemId,
  idOf,
  Name,
  PaymentMethodId,
  PlanId,
  PricingId,
  SignedDecimalInput,
  Text,
  Timestamp,
} from './common.ts';

export const Provider = z.enum(['authorize', 'self_handled', 'cardproc']).meta({ id: 'PaymentProvider' });
const ProviderRequest = z
  .enum(['authorize', 'self_handled', 'cardproc', 'sandbox'])
  .meta({ description: 'sandbox: the built-in processor of the embedded mode, which also stands for a cardproc without keys' });
export const SessionId = idOf('PSess').meta({ id: 'PaymentSessionId' });

export const SessionRequest = z
  .strictObject({
    address: z.boolean().nullish(),
    operation: z.literal('add_method').nullish(),
    detach_previous_on_success: z.boolean().nullish(),
    plan_id: PlanId.nullish(),
    pricing_id: PricingId.nullish(),
    provider: ProviderRequest.nullish(),
  })
  .meta({ id: 'PaymentSessionRequest' });

export const PaymentSession = z
  .object({
    address: z.boolean(),
    customer_id: CustomerId,
    wb_customer_id: idOf('Wbc'),
    detach_previous_on_success: z.boolean(),
    operation: z.literal('add_method'),
    provider: Provider,
    status: z.enum(['pending', 'succeeded', 'failed', 'expired', 'canceled']),
    token: SessionId,
    setup_intent: z
      .object({
        address: z.boolean(),
        customer_id: CustomerId,
        wb_customer_id: idOf('Wbc'),
        cardproc: z.object({ client_secret: z.string(), connected_account_id: z.string(), pk_key: z.string() }).nullable(),
        authorize: z.object({ token: z.string() }).nullable().meta({ description: 'token of the hosted page' }),
      })
      .nullable(),
  })
  .meta({ id: 'PaymentSession' });

export const ConfirmRequest = z.strictObject({ payment_method: Name.nullish() }).meta({ id: 'ConfirmRequest' });

const Selection = z.union([PaymentMethodId, z.enum(['none', 'manual'])]);
export const SelectionRequest = z.strictObject({ payment_method: Selection }).meta({ id: 'SelectionRequest' });
export const SelectionAnswer = z.array(Selection);

export const PaymentMethod = z
  .object({
    id: PaymentMethodId,
    created: Timestamp,
    method_type: z.enum(['card', 'sepa_debit', 'vban_bank_transfer_eu']),
    provider: Provider,
    status: z.enum(['active', 'inactive', 'detached', 'invalid']),
    details: z.record(z.string(), z.unknown()),
    holder_name: z.string().nullable(),
    preference: z.string().nullable(),
  })
  .meta({ id: 'PaymentMethod' });

export const PaymentMethods = z.array(PaymentMethod);

export const WalletRequest = z
  .strictObject({ currency: Currency, amount: SignedDecimalInput, description: z.string().min(1).max(1000) })
  .meta({ id: 'WalletTransactionRequest' });

export const PayRequest = z
  .strictObject({ method: z.union([PaymentMethodId, z.literal('manual')]).nullish(), reference: Name.nullish() })
  .meta({ id: 'PayRequest' });

export const CreditNoteRequest = z
  .strictObject({
    items: z
      .array(z.strictObject({ invoice_item_id: ItemId, amount: DecimalInput.nullish().describe('absent: all that is left of the item') }))
      .min(1)
      .max(1000),
    to: z.enum(['wallet', 'payment']),
    notes: Text.nullish(),
  })
  .meta({ id: 'CreditNoteRequest' });
export const CreditNoteId = idOf('CNote').meta({ id: 'CreditNoteId' });

const MAX_RETRIES = 20;
const MAX_DAYS = 365;

export const PaymentPreferencesRequest = z
  .strictObject({
    retry_days: z
      .array(z.int().min(1).max(MAX_DAYS))
      .max(MAX_RETRIES)
      .refine((days) => days.every((day, index) => day > (days[index - 1] ?? 0)), 'must be growing whole days')
      .nullish()
      .meta({ description: 'days after the first failure at which a payment is tried again; null: as the installation is configured' }),
    payment_threshold: z
      .partialRecord(Currency, DecimalInput)
      .nullish()
      .meta({ description: 'smallest amount collected automatically, by currency' }),
  })
  .meta({ id: 'PaymentPreferencesRequest' });

export const PaymentPreferences = z
  .object({ retry_days: z.array(z.int()), payment_threshold: z.record(z.string(), DecimalText) })
  .meta({ id: 'PaymentPreferences' });
