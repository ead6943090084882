import type { z } from 'zod';
import type { Configuration, InvoiceTrigger } from '../../billing/contract/types.ts';
import type { NumberFormat } from '../../db/entities/vendor.ts';
import type {
  ConfigurationRequest,
  Configuration as ConfigurationWire,
  InvoicingPreferences,
  OwnConfiguration,
  PreferencesRequest,
} from '../schema/preferences.ts';

type Input = Partial<z.output<typeof ConfigurationRequest>>;
type TriggerInput = Exclude<NonNullable<Input['invoice_trigger']>, ''>;

const triggerFromWire = (trigger: TriggerInput): InvoiceTrigger =>
  typeof trigger === 'string'
    ? trigger
    : {
        periodic: {
          cycleCount: trigger.periodic.cycle_count,
          cycle: trigger.periodic.cycle,
          cycleStartOffset: trigger.periodic.cycle_start_offset ?? null,
        },
      };

const orUndefined = <T>(value: T): Exclude<T, '' | null> | undefined =>
  value === '' || value === null ? undefined : (value as Exclude<T, '' | null>);

/** The fields of a request that are not empty; an empty field changes nothing. */
export function configurationFromWire(body: Input): Partial<Configuration> {
  const automaticPayment = orUndefined(body.automatic_payment);
  const dueDatePolicy = orUndefined(body.due_date_policy);
  const netDays = orUndefined(body.net_days);
  const trigger = orUndefined(body.invoice_trigger);
  const usagePeriodClosingPolicy = orUndefined(body.usage_period_closing_policy);
  const invoiceThreshold = orUndefined(body.invoice_threshold);
  const onTrialEnd = orUndefined(body.on_trial_end);
  const onDunningEnd = orUndefined(body.on_dunning_end);
  return {
    ...(automaticPayment === undefined ? {} : { automaticPayment }),
    ...(dueDatePolicy === undefined ? {} : { dueDatePolicy }),
    ...(netDays === undefined ? {} : { netDays }),
    ...(trigger === undefined ? {} : { invoiceTrigger: triggerFromWire(trigger) }),
    ...(usagePeriodClosingPolicy === undefined ? {} : { usagePeriodClosingPolicy }),
    ...(invoiceThreshold === undefined ? {} : { invoiceThreshold }),
    ...(onTrialEnd === undefined ? {} : { onTrialEnd }),
    ...(onDunningEnd === undefined ? {} : { onDunningEnd }),
  };
}

const triggerToWire = (trigger: InvoiceTrigger): z.input<typeof ConfigurationWire>['invoice_trigger'] =>
  typeof trigger === 'string'
    ? trigger
    : {
        periodic: {
          cycle_count: trigger.periodic.cycleCount,
          cycle: trigger.periodic.cycle,
          cycle_start_offset: trigger.periodic.cycleStartOffset,
        },
      };

/** What is given of a format; a null prefix of credit notes means that of invoices. */
export function numberFormatFromWire(body: z.output<typeof PreferencesRequest>['number']): Partial<NumberFormat> {
  const { prefix, width, credit_note_prefix: creditNotePrefix } = body ?? {};
  return {
    ...(prefix == null ? {} : { prefix }),
    ...(width == null ? {} : { width }),
    ...(creditNotePrefix === undefined ? {} : { creditNotePrefix }),
  };
}

export const preferencesToWire = (configuration: Configuration, format: NumberFormat): z.input<typeof InvoicingPreferences> => ({
  ...invoicingToWire(configuration),
  number: { prefix: format.prefix, width: format.width, credit_note_prefix: format.creditNotePrefix },
});

const invoicingToWire = (configuration: Configuration): Omit<z.input<typeof InvoicingPreferences>, 'number'> => ({
  automatic_payment: configuration.automaticPayment,
  due_date_policy: configuration.dueDatePolicy,
  net_days: configuration.netDays,
  invoice_trigger: triggerToWire(configuration.invoiceTrigger),
  usage_period_closing_policy: configuration.usagePeriodClosingPolicy,
  invoice_threshold: configuration.invoiceThreshold ?? null,
});

export const configurationToWire = (configuration: Configuration): z.input<typeof ConfigurationWire> => ({
  ...invoicingToWire(configuration),
  on_trial_end: configuration.onTrialEnd,
  on_dunning_end: configuration.onDunningEnd,
  invoice_threshold_from: configuration.invoiceThresholdFrom ?? null,
});

/** A customer's own settings: null for a field without one, and null as a whole when there is none. */
export function ownConfigurationToWire(own: Partial<Configuration>): z.input<typeof OwnConfiguration> | null {
  if (Object.keys(own).length === 0) return null;
  return {
    automatic_payment: own.automaticPayment ?? null,
    due_date_policy: own.dueDatePolicy ?? null,
    net_days: own.netDays ?? null,
    invoice_trigger: own.invoiceTrigger === undefined ? null : triggerToWire(own.invoiceTrigger),
    usage_period_closing_policy: own.usagePeriodClosingPolicy ?? null,
    invoice_threshold: own.invoiceThreshold ?? null,
    on_trial_end: own.onTrialEnd ?? null,
    on_dunning_end: own.onDunningEnd ?? null,
  };
}
