import { z } from 'zod';
import { AnyTimestampInput, ContractId, Currency, CustomerId, DecimalText, InvoiceId, idOf, PlanId, Timestamp } from './common.ts';
import { ContractStatus } from './contract.ts';
import { CustomerStatus } from './customer.ts';
import { InvoiceStatus } from './invoice.ts';
import { Provider } from './payment.ts';

/** Fields beside `pricing_strategy` stand for per_unit (contracted, used, limits) and usage (used, limits, over-usage). */
export const EntitlementDetails = z
  .object({
    pricing_strategy: z.enum(['flat', 'per_unit', 'usage', 'unit_tiered', 'usage_tiered']),
    unit_name: z.string().optional(),
    contracted_unit_count: DecimalText.optional(),
    used_unit_count: DecimalText.optional(),
    minimum_units: DecimalText.nullable().optional(),
    maximum_units: DecimalText.nullable().optional(),
    over_usage_charge_strategy: z.string().optional(),
  })
  .meta({ id: 'EntitlementDetails' });

const ContractState = z.object({ contract_id: ContractId, status: ContractStatus });
const CustomerState = z.object({ status: CustomerStatus });

const EntitledPlan = z.object({
  name: z.string(),
  slug: z.string(),
  entitlement_details: EntitlementDetails,
  original_plan_id: PlanId,
  features: z.array(
    z.object({
      name: z.string(),
      slug: z.string(),
      entitlement_details: EntitlementDetails,
      original_feature_id: idOf('Feat'),
    }),
  ),
});

const Access = z.object({ contract: ContractState.nullable(), customer: CustomerState, plan: EntitledPlan.nullable() });

export const AccessEntitlement = Access.extend({ others: z.array(Access) }).meta({ id: 'AccessEntitlement' });

const Wallet = z
  .object({ balance: DecimalText, currency: Currency, customer_id: CustomerId, id: idOf('Wall'), wb_customer_id: idOf('Wbc') })
  .meta({ id: 'WalletBalance' });

export const BillingOther = z.object({
  contract: ContractState.nullable(),
  customer: CustomerState,
  payment: z.object({
    payment_provider: Provider,
    unpaid_invoices_info: z.array(
      z.object({
        currency: Currency,
        payment_threshold: DecimalText,
        total_unpaid: DecimalText,
        unpaid_invoices: z.array(z.object({ amount: DecimalText, due_date: Timestamp, id: InvoiceId, status: InvoiceStatus })),
      }),
    ),
    wallet_balance: DecimalText,
    wallet_balances: z.array(Wallet),
    next_payment_due: Timestamp.nullable(),
  }),
});

export const BillingEntitlement = BillingOther.extend({ others: z.array(BillingOther) }).meta({ id: 'BillingEntitlement' });

export const AccessQuery = z.strictObject({ contract_id: ContractId.optional() });
export const BillingQuery = z.strictObject({ contract_id: ContractId.optional(), due_date_before: AnyTimestampInput.optional() });

const WalletTransaction = z.object({
  id: idOf('Txn'),
  at: Timestamp,
  currency: Currency,
  amount: DecimalText,
  balance_after: DecimalText,
  kind: z.enum(['credit', 'grant', 'refund', 'payment']),
  description: z.string(),
  invoice_id: InvoiceId.nullable(),
});

export const CustomerWallet = z
  .object({ balances: z.array(Wallet), transactions: z.array(WalletTransaction) })
  .meta({ id: 'CustomerWallet' });
