import { z } from 'zod';
import { Address, AddressRequest } from './address.ts';
import { Count, Cycle, DecimalInput, DecimalText, Name } from './common.ts';
import { Country } from './country.ts';

export const DueDatePolicy = z.enum(['start_of_period', 'end_of_period']).meta({ id: 'DueDatePolicy' });
export const UsagePeriodClosingPolicy = z
  .enum(['automatic', 'manual', '15 minutes', '1 hour', '1 day'])
  .meta({ id: 'UsagePeriodClosingPolicy' });

export const InvoiceTrigger = z
  .union([
    z.enum(['immediate', 'manual', 'every_cycle']),
    z.strictObject({
      periodic: z.strictObject({ cycle_count: z.int().min(1).max(1000), cycle: Cycle, cycle_start_offset: Count }),
    }),
  ])
  .meta({ id: 'InvoiceTrigger', description: 'every_cycle and periodic behave as manual' });

/** Left empty: absent, null or empty text. */
const orEmpty = <S extends z.ZodType>(value: S) => z.union([value, z.literal('')]).nullish();

export const PreferencesRequest = z
  .strictObject({
    automatic_payment: orEmpty(z.boolean()),
    due_date_policy: orEmpty(DueDatePolicy),
    invoice_trigger: orEmpty(InvoiceTrigger),
    usage_period_closing_policy: orEmpty(UsagePeriodClosingPolicy),
  })
  .meta({ id: 'PreferencesRequest' });

export const Configuration = z
  .object({
    automatic_payment: z.boolean(),
    due_date_policy: DueDatePolicy,
    invoice_trigger: InvoiceTrigger,
    usage_period_closing_policy: UsagePeriodClosingPolicy,
  })
  .meta({ id: 'Configuration' });

/** What a customer has settled for itself; null: as the vendor's preferences say. */
export const OwnConfiguration = z
  .object({
    automatic_payment: z.boolean().nullable(),
    due_date_policy: DueDatePolicy.nullable(),
    invoice_trigger: InvoiceTrigger.nullable(),
    usage_period_closing_policy: UsagePeriodClosingPolicy.nullable(),
  })
  .meta({ id: 'OwnConfiguration' });

export const TaxPolicy = z.enum(['tax_included', 'tax_excluded']).meta({ id: 'TaxPolicy' });

const Rate = DecimalInput.refine((rate) => !/^[1-9]\d*(\.|$)/.test(rate) || /^1(\.0+)?$/.test(rate), 'must be between 0 and 1');

export const TaxRequest = z
  .strictObject({
    rates: z
      .array(z.strictObject({ tax_code: Name.nullish(), country: Country.nullish(), state: Name.nullish(), rate: Rate }))
      .max(5000)
      .nullish(),
    policy: TaxPolicy.nullish(),
    seller: z.strictObject({ name: Name, address: AddressRequest.nullish(), vat_id: z.string().max(50).nullish() }).nullish(),
  })
  .meta({ id: 'TaxRequest' });

export const TaxPreferences = z
  .object({
    rates: z.array(
      z.object({ tax_code: z.string().nullable(), country: z.string().nullable(), state: z.string().nullable(), rate: DecimalText }),
    ),
    policy: TaxPolicy,
    seller: z.object({ name: z.string(), address: Address.nullable(), vat_id: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'TaxPreferences' });
