import type { z } from 'zod';
import type { Configuration, InvoiceTrigger } from '../../billing/contract/types.ts';
import type { PreferencesRequest, Configuration as Wire } from '../schema/preferences.ts';

type Input = Partial<z.output<typeof PreferencesRequest>>;
type TriggerInput = NonNullable<Input['invoice_trigger']>;

export const triggerFromWire = (trigger: TriggerInput): InvoiceTrigger =>
  typeof trigger === 'string'
    ? trigger
    : {
        periodic: {
          cycleCount: trigger.periodic.cycle_count,
          cycle: trigger.periodic.cycle,
          cycleStartOffset: trigger.periodic.cycle_start_offset,
        },
      };

/** Only what was given; an empty field changes nothing. */
export function configurationFromWire(body: Input): Partial<Configuration> {
  return {
    ...(body.automatic_payment == null ? {} : { automaticPayment: body.automatic_payment }),
    ...(body.due_date_policy == null ? {} : { dueDatePolicy: body.due_date_policy }),
    ...(body.invoice_trigger == null ? {} : { invoiceTrigger: triggerFromWire(body.invoice_trigger) }),
    ...(body.usage_period_closing_policy == null ? {} : { usagePeriodClosingPolicy: body.usage_period_closing_policy }),
  };
}

export function presentConfiguration(configuration: Configuration): z.input<typeof Wire> {
  const { invoiceTrigger: trigger } = configuration;
  return {
    automatic_payment: configuration.automaticPayment,
    due_date_policy: configuration.dueDatePolicy,
    invoice_trigger:
      typeof trigger === 'string'
        ? trigger
        : {
            periodic: {
              cycle_count: trigger.periodic.cycleCount,
              cycle: trigger.periodic.cycle,
              cycle_start_offset: trigger.periodic.cycleStartOffset,
            },
          },
    usage_period_closing_policy: configuration.usagePeriodClosingPolicy,
  };
}
