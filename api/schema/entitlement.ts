import { z } from 'zod';
import { AnyTimestampInput, ContractId, Currency, CustomerId, DecimalText, InvoiceId, idSchema, PlanId, Timestamp } from './common.ts';
import { ContractStatus } from './contract.ts';
import { CustomerStatus } from './customer.ts';
import { InvoiceStatus } from './invoice.ts';
import { Provider } from './payment.ts';

/** Which fields are present depends on `pricing_strategy`, so that all but that one are optional. */
export const EntitlementDetails = z
  .object({
    pricing_strategy: z
      .enum(['flat', 'per_unit', 'usage', 'unit_tiered', 'usage_tiered'])
      .describe('How the price is computed; `flat` also for features without a price.'),
    unit_name: z.string().optional().describe('What is counted; absent for flat.'),
    contracted_unit_count: DecimalText.optional().describe('Units bought; only for per_unit and unit_tiered.'),
    used_unit_count: DecimalText.optional().describe(
      'Units reported in the running billing period, also before a change in it; absent for flat.',
    ),
    minimum_units: DecimalText.nullable().optional().describe('Fewest units bought, or charged at least; null for none, absent for flat.'),
    maximum_units: DecimalText.nullable()
      .optional()
      .describe('Most units that may be bought, or units at the usual price; null for no limit, absent for flat.'),
    value: z
      .union([z.string(), z.boolean()])
      .optional()
      .describe('What the plan gives in the place of a price; only for a feature that has a value.'),
    over_usage_charge_strategy: z.string().optional().describe('Which units cost the over-usage price above the maximum; only for usage.'),
  })
  .meta({
    id: 'EntitlementDetails',
    description: 'How much may be used. Which fields are present depends on `pricing_strategy`; flat has no others but a `value`.',
  });

const ContractState = z.object({
  contract_id: ContractId.describe('The live contract that this describes.'),
  status: ContractStatus.describe('Whether it runs or waits.'),
});
const CustomerState = z.object({
  status: CustomerStatus.describe('active: may use it all; inactive: frozen; temporary: not registered yet.'),
});

const EntitledPlan = z.object({
  name: z.string().describe('The external name of the plan if there is one, else the internal one.'),
  slug: z.string().describe('Name of the plan for machines.'),
  entitlement_details: EntitlementDetails.describe('How the plan’s own price counts.'),
  original_plan_id: PlanId.describe('The plan of the catalogue that was signed.'),
  features: z
    .array(
      z.object({
        name: z.string().describe('Name of the feature for people.'),
        slug: z.string().describe('Name of the feature for machines, to be used in your code.'),
        entitlement_details: EntitlementDetails.describe('How much of it may be used.'),
        original_feature_id: idSchema('Feat').describe('The feature of the catalogue, the same in every contract.'),
      }),
    )
    .describe('What the customer may use now; empty while it is frozen or the contract is not active.'),
});

const Access = z.object({
  contract: ContractState.nullable().describe('The most recently activated live contract, or the requested one; null for none.'),
  customer: CustomerState.describe('Whether the customer is active, frozen or not registered.'),
  plan: EntitledPlan.nullable().describe('What that contract allows; null without a contract.'),
});

export const AccessEntitlement = Access.extend({
  others: z.array(Access).describe('The customer’s further live contracts, in the same shape.'),
}).meta({ id: 'AccessEntitlement', description: 'What a customer may use.' });

const Wallet = z
  .object({
    balance: DecimalText.describe('Money in it; never below zero.'),
    held: DecimalText.describe(
      'The part of the balance that is kept for changes and signings that wait for their payment; it pays nothing else.',
    ),
    currency: Currency.describe('Currency of its money and of the invoices that it pays.'),
    customer_id: CustomerId.describe('The customer who owns the money.'),
    id: idSchema('Wall').describe('Id of the customer’s wallet.'),
    wb_customer_id: idSchema('Wbc').describe('Your own id as the vendor.'),
  })
  .meta({ id: 'WalletBalance', description: 'Money of a customer that pays open invoices of its currency automatically.' });

export const BillingOther = z.object({
  contract: ContractState.nullable().describe('The most recently activated live contract, or the requested one; null for none.'),
  customer: CustomerState.describe('Whether the customer is active, frozen or not registered.'),
  payment: z
    .object({
      payment_provider: Provider.describe('Provider of the default payment method; self_handled without one.'),
      unpaid_invoices_info: z
        .array(
          z.object({
            currency: Currency.describe('Currency of these invoices.'),
            payment_threshold: DecimalText.describe('Smallest amount that is collected automatically; "0.00" unless set.'),
            total_unpaid: DecimalText.describe('What is left to pay of all of them.'),
            unpaid_invoices: z
              .array(
                z.object({
                  amount: DecimalText.describe('What is left to pay of it.'),
                  due_date: Timestamp.describe('When it is or was due.'),
                  id: InvoiceId.describe('Id of the unpaid invoice.'),
                  status: InvoiceStatus.describe('Always ready_for_payment.'),
                }),
              )
              .describe('Earliest due date first; of very many the first: 1,000 for all contracts.'),
          }),
        )
        .describe('What is owed, by currency; empty for nothing.'),
      wallet_balance: DecimalText.describe('Balance in the contract’s currency; "0.00" without a wallet.'),
      wallet_balances: z.array(Wallet).describe('All wallets of the customer, one per currency.'),
      next_payment_due: Timestamp.nullable().describe(
        'Earliest due date of an unpaid invoice, or of one that is due to be made, else that of the next cycle; null when no payment is known to come.',
      ),
    })
    .describe('What is owed, and money in wallets.'),
});

export const BillingEntitlement = BillingOther.extend({
  others: z.array(BillingOther).describe('The same for the customer’s further live contracts.'),
}).meta({ id: 'BillingEntitlement', description: 'What a customer owes and has in wallets.' });

export const AccessQuery = z.strictObject({
  contract_id: ContractId.optional().describe('Describe this contract and not the most recently activated one.'),
});
export const BillingQuery = z.strictObject({
  contract_id: ContractId.optional().describe('Describe this contract and not the most recently activated one.'),
  due_date_before: AnyTimestampInput.optional().describe('Count only invoices due before this instant, which is not included.'),
});

const WalletTransaction = z.object({
  id: idSchema('Txn').describe('Id of the wallet transaction.'),
  at: Timestamp.describe('When it was booked, on the customer’s clock.'),
  currency: Currency.describe('The wallet’s currency.'),
  amount: DecimalText.describe('Positive for money that came in, negative for money that went out.'),
  balance_after: DecimalText.describe('Money in the wallet after this transaction.'),
  kind: z
    .enum(['credit', 'grant', 'opening', 'refund', 'payment'])
    .describe(
      'credit: surplus of an invoice; grant: given or taken back by you; opening: taken over by an import; refund: from a credit note or an overpayment; payment: paid an invoice.',
    ),
  description: z.string().describe('What it was for.'),
  invoice_id: InvoiceId.nullable().describe('The invoice that it came from or paid; null for a grant.'),
});

export const CustomerWallet = z
  .object({
    balances: z.array(Wallet).describe('One wallet for each currency that ever had money.'),
    transactions: z.array(WalletTransaction).describe('The newest 200 transactions, the oldest of them first.'),
  })
  .meta({ id: 'CustomerWallet', description: 'The wallets of a customer and their transactions.' });
