import { z } from 'zod';
import { Address, AddressRequest } from './address.ts';
import { Count, Cycle, DecimalAsGiven, DecimalInput, DecimalText, listOf, Name } from './common.ts';
import { Country } from './country.ts';

export const DueDatePolicy = z.enum(['start_of_period', 'end_of_period']).meta({
  id: 'DueDatePolicy',
  description:
    'start_of_period: due when a billing period starts; end_of_period: due when it ends. The invoice is made at the start either way.',
});
export const NetDays = z.int().min(0).max(120).meta({
  id: 'NetDays',
  description: 'Payment terms: whole days of 24 hours from the date by `due_date_policy` to the due date; 30 for “net 30”.',
});
export const InvoiceThreshold = DecimalAsGiven.refine((amount) => !/^-?[0.]*$/.test(amount), {
  error: 'give an amount above 0, or null for no threshold',
}).meta({
  id: 'InvoiceThreshold',
  description:
    'An amount of money in the contract’s currency: each time the usage of open periods that isn’t invoiced yet comes to it, an invoice of that usage is made at once. The price’s own fee and its minimum wait for the end of the period. Not possible with volume tiers and `all_usage_overcharge`.',
  examples: ['200.00'],
});
export const UsagePeriodClosingPolicy = z.enum(['automatic', 'manual', '15 minutes', '1 hour', '1 day']).meta({
  id: 'UsagePeriodClosingPolicy',
  description:
    'When a usage period stops taking events and is billed: `automatic` at its end, `15 minutes`, `1 hour` or `1 day` after it, `manual` when it is closed by a call.',
});

export const OnTrialEnd = z.enum(['continue', 'cancel_without_method']).meta({
  id: 'OnTrialEnd',
  description:
    'What the end of a free trial does: continue (the default): the first period begins; cancel_without_method: without an active default payment method the contract is canceled instead.',
});
export const OnDunningEnd = z.enum(['continue', 'cancel', 'freeze']).meta({
  id: 'OnDunningEnd',
  description:
    'What happens when an automatic invoice is still unpaid on the day of its last retry: continue (the default): nothing; cancel: the contract is canceled, without a credit; freeze: the customer is frozen.',
});

export const InvoiceTrigger = z
  .union([
    z.enum(['immediate', 'manual', 'every_cycle']),
    z.strictObject({
      periodic: z
        .strictObject({
          cycle_count: z.int().min(1).max(1000).describe('Number of cycles between two invoices, for example 2 for every second month.'),
          cycle: Cycle.describe('The cycle that is counted, for example month.'),
          cycle_start_offset: Count.nullish().describe('Days from the natural start of that cycle; null or absent: none is given.'),
        })
        .describe('How often invoices are wanted. It is stored, but works like manual.'),
    }),
  ])
  .meta({
    id: 'InvoiceTrigger',
    description:
      'immediate (the default): items are invoiced as soon as they exist; manual: they wait for `POST /v1/c/invoice`. `every_cycle` and `periodic` are stored, but work like manual.',
  });

/** A field that can be left empty: absent, null or empty text. */
const orEmpty = <S extends z.ZodType>(value: S) => z.union([value, z.literal('')]).nullish();

const invoicingFields = {
  automatic_payment: orEmpty(z.boolean()).describe(
    'Whether the default payment method is charged when an invoice is due. A new vendor starts with true.',
  ),
  due_date_policy: orEmpty(DueDatePolicy).describe('When lines of cycles and changes are due. A new vendor starts with start_of_period.'),
  net_days: orEmpty(NetDays).describe(
    'How many days after the date by `due_date_policy` invoices are due, 0 to 120. A new vendor starts with 0.',
  ),
  invoice_trigger: orEmpty(InvoiceTrigger).describe('When items become invoices. A new vendor starts with immediate.'),
  usage_period_closing_policy: orEmpty(UsagePeriodClosingPolicy).describe(
    'When usage is summed and billed. A new vendor starts with automatic.',
  ),
  invoice_threshold: orEmpty(InvoiceThreshold).describe(
    'Open usage is invoiced each time it comes to this amount, in the currency of the contract. A new vendor starts with none.',
  ),
};

/** It ends with no digit, so that two numbers never look the same: A1 and 1, A and 11. */
const Prefix = z
  .string()
  .regex(/^([A-Za-z0-9._/#-]{0,19}[A-Za-z._/#-])?$/, 'must have at most 20 letters, digits and . _ / # -, the last one no digit');

const NumberFormatRequest = z
  .strictObject({
    prefix: Prefix.nullish().describe(
      'Comes before each invoice number, for example `INV-2026-`; its last character is no digit. Empty for none.',
    ),
    width: z.int().min(1).max(12).nullish().describe('Digits at least: zeros come before the number, so 5 prints 00042.'),
    credit_note_prefix: Prefix.nullish().describe('Comes before each number of a credit note; null: the same as `prefix`.'),
  })
  .meta({ id: 'NumberFormatRequest', description: 'How numbers of documents are printed; absent fields are not changed.' });

const NumberFormat = z
  .object({
    prefix: z.string().describe('Comes before each invoice number; empty for none.'),
    width: z.int().describe('Digits at least: zeros come before the number.'),
    credit_note_prefix: z.string().nullable().describe('Comes before each number of a credit note; null: the same as `prefix`.'),
  })
  .meta({ id: 'NumberFormat', description: 'How numbers of documents are printed.' });

const withNumber = {
  number: NumberFormatRequest.nullish().describe(
    'How the numbers of invoices and credit notes are printed from now on. Each series, also of a test clock, counts on without a gap.',
  ),
};

export const PreferencesRequest = z.strictObject({ ...invoicingFields, ...withNumber }).meta({
  id: 'PreferencesRequest',
  description: 'How invoices are made and paid; a field that is absent, null or empty text is not changed.',
});

export const ConfigurationRequest = z
  .strictObject({
    ...invoicingFields,
    on_trial_end: orEmpty(OnTrialEnd).describe('What the end of a free trial does without a payment method.'),
    on_dunning_end: orEmpty(OnDunningEnd).describe('What happens when an invoice is still unpaid on the day of its last retry.'),
  })
  .meta({
    id: 'ConfigurationRequest',
    description: 'A customer’s own settings, replaced as a whole; a field that is absent, null or empty text is the vendor’s preference.',
  });

const invoicing = {
  automatic_payment: z
    .boolean()
    .describe('Whether the default payment method is charged when an invoice is due. The wallet pays in any case.'),
  due_date_policy: DueDatePolicy.describe('When lines of cycles and changes are due, before `net_days` are added.'),
  net_days: NetDays.describe('How many days after the date by `due_date_policy` invoices are due. Automatic payments wait until then.'),
  invoice_trigger: InvoiceTrigger.describe('When items become invoices.'),
  usage_period_closing_policy: UsagePeriodClosingPolicy.describe('When usage is summed and billed.'),
  invoice_threshold: DecimalText.nullable().describe(
    'Open usage is invoiced each time it comes to this amount, in the currency of the contract; null: only when its period closes.',
  ),
};

export const InvoicingPreferences = z
  .object({ ...invoicing, number: NumberFormat.describe('How the numbers of invoices and credit notes are printed.') })
  .meta({ id: 'InvoicingPreferences', description: 'How invoices are made, and when they are due: what contracts fall back to.' });

export const Configuration = z
  .object({
    ...invoicing,
    on_trial_end: OnTrialEnd.describe('What the end of the free trial does without a payment method.'),
    on_dunning_end: OnDunningEnd.describe('What happens when an invoice is still unpaid on the day of its last retry.'),
    invoice_threshold_from: z
      .enum(['contract', 'customer', 'vendor'])
      .nullable()
      .describe('Where `invoice_threshold` was given when the contract was signed; null where there is none.'),
  })
  .meta({
    id: 'Configuration',
    description: 'How invoices are made and paid. A contract keeps its own copy from the time of its signing.',
  });

export const OwnConfiguration = z
  .object({
    automatic_payment: z
      .boolean()
      .nullable()
      .describe('Whether the default payment method is charged when an invoice is due; null: the vendor’s preference.'),
    due_date_policy: DueDatePolicy.nullable().describe('When lines of cycles and changes are due; null: the vendor’s preference.'),
    net_days: NetDays.nullable().describe(
      'How many days after the date by `due_date_policy` invoices are due; null: the vendor’s preference.',
    ),
    invoice_trigger: InvoiceTrigger.nullable().describe('When items become invoices; null: the vendor’s preference.'),
    usage_period_closing_policy: UsagePeriodClosingPolicy.nullable().describe(
      'When usage is summed and billed; null: the vendor’s preference.',
    ),
    invoice_threshold: DecimalText.nullable().describe(
      'Open usage is invoiced each time it comes to this amount, in the currency of the contract; null: the vendor’s preference.',
    ),
    on_trial_end: OnTrialEnd.nullable().describe(
      'What the end of a free trial does without a payment method; null: the vendor’s preference.',
    ),
    on_dunning_end: OnDunningEnd.nullable().describe(
      'What happens when an invoice is still unpaid on the day of its last retry; null: the vendor’s preference.',
    ),
  })
  .meta({
    id: 'OwnConfiguration',
    description: 'The customer’s own settings; null in a field means that the vendor’s preference is used.',
  });

export const TaxPolicy = z
  .enum(['tax_included', 'tax_excluded'])
  .meta({ id: 'TaxPolicy', description: 'tax_included (the default): prices include the tax; tax_excluded: the tax is added to prices.' });

type PlacedRate = { [Name in 'tax_code' | 'country' | 'state']?: string | null | undefined } & { rate: string };

/**
 * Refuses two rates for the same place: nobody could know which is meant. Names of places are compared as in billing.
 */
function requireOneRate(rates: readonly PlacedRate[], context: z.RefinementCtx): void {
  const first = new Map<string, { index: number; rate: string }>();
  for (const [index, { tax_code, country, state, rate }] of rates.entries()) {
    const place = JSON.stringify([tax_code ?? null, country ?? null, state?.trim().toUpperCase() || null]);
    const before = first.get(place);
    if (before === undefined) first.set(place, { index, rate });
    else if (before.rate !== rate) {
      const message = `must be ${before.rate} as in rates[${before.index}], which has the same tax_code, country and state: give each place one rate`;
      context.addIssue({ code: 'custom', path: [index, 'rate'], message });
    }
  }
}

const Rate = DecimalInput.refine((rate) => !/^[1-9]\d*(\.|$)/.test(rate) || /^1(\.0+)?$/.test(rate), 'must be between 0 and 1');

export const TaxRequest = z
  .strictObject({
    rates: listOf(
      z.strictObject({
        tax_code: Name.nullish().describe('Applies to prices with this `tax_code`; null or absent: to all.'),
        country: Country.nullish().describe('Applies to customers in this country; null or absent: to all.'),
        state: Name.nullish().describe('Applies to customers in this region of the country; null or absent: to all.'),
        rate: Rate.describe('The share of the net price, from 0 to 1: "0.19" is 19 %.'),
      }),
      5000,
    )
      .superRefine(requireOneRate)
      .nullish()
      .describe(
        'All rates, replaced as a whole. Of the rates that apply, the most specific one by tax code, country and state wins; without one there is no tax. Two different rates of the same tax code, country and state are a 400.',
      ),
    policy: TaxPolicy.nullish().describe('Whether prices include the tax.'),
    seller: z
      .strictObject({
        name: Name.describe('Legal name of the seller.'),
        address: AddressRequest.nullish().describe('Address of the seller’s business; null or absent for none.'),
        vat_id: z.string().max(50).nullish().describe('VAT identification number of the seller; null or absent for none.'),
      })
      .nullish()
      .describe('The seller as printed on invoices from now on; null clears it. Reverse charge needs a seller in the EU.'),
  })
  .meta({ id: 'TaxRequest', description: 'What is charged as tax; absent fields are not changed.' });

export const TaxPreferences = z
  .object({
    rates: z
      .array(
        z.object({
          tax_code: z.string().nullable().describe('Applies to prices with this `tax_code`; null: to all.'),
          country: z.string().nullable().describe('Applies to customers in this country; null: to all.'),
          state: z.string().nullable().describe('Applies to customers in this region of the country; null: to all.'),
          rate: DecimalText.describe('The share of the net price: "0.19" is 19 %.'),
        }),
      )
      .describe('All rates, in the same shape as in the update.'),
    policy: TaxPolicy.describe('Whether prices include the tax.'),
    seller: z
      .object({
        name: z.string().describe('Legal name of the seller.'),
        address: Address.nullable().describe('Address of the seller’s business; null for none.'),
        vat_id: z.string().nullable().describe('VAT identification number of the seller; null for none.'),
      })
      .nullable()
      .describe('The seller as printed on invoices; null when none was given.'),
  })
  .meta({ id: 'TaxPreferences', description: 'What is charged as tax.' });
