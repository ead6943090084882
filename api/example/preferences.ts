import type { z } from 'zod';
import type { ChangeRules } from '../schema/change-rules.ts';
import type { EmailPreferences } from '../schema/email.ts';
import type { PauseRules } from '../schema/pause-rules.ts';
import type { PaymentPreferences } from '../schema/payment.ts';
import type { PortalPreferences } from '../schema/portal.ts';
import type { InvoicingPreferences, TaxPreferences } from '../schema/preferences.ts';
import { ids } from './ids.ts';

/** 19 % tax in Germany, included in prices. */
export const exampleTax = {
  rates: [{ tax_code: null, country: 'DE', state: null, rate: '0.19' }],
  policy: 'tax_included',
  seller: {
    name: 'Analytical Engines GmbH',
    vat_id: 'DE123456789',
    address: { zip: '10117', city: 'Berlin', state: null, line_1: '2 Mill Lane', line_2: null, country: 'DE' },
  },
} satisfies z.input<typeof TaxPreferences>;

export const exampleInvoicing = {
  automatic_payment: true,
  due_date_policy: 'end_of_period',
  net_days: 30,
  invoice_trigger: 'immediate',
  usage_period_closing_policy: 'automatic',
  invoice_threshold: null,
  number: { prefix: 'INV-', width: 5, credit_note_prefix: 'CN-' },
} satisfies z.input<typeof InvoicingPreferences>;

const byTime = { when: 'now', proration: 'time', collect: 'now', credit: 'wallet' } as const;

/** The rules where nobody has given one. */
export const usualChangeRules = {
  upgrade: byTime,
  downgrade: { ...byTime, when: 'next_cycle' },
  units_up: byTime,
  units_down: { ...byTime, when: 'next_cycle' },
} satisfies z.input<typeof ChangeRules>;

/** An upgrade charges the difference of the full prices; twenty changes of seats make one invoice. */
export const exampleChangeRules = {
  upgrade: { ...byTime, proration: 'difference' },
  downgrade: { ...byTime, when: 'next_cycle' },
  units_up: { ...byTime, collect: 'next_invoice' },
  units_down: { ...byTime, when: 'next_cycle' },
} satisfies z.input<typeof ChangeRules>;

/** The rules for freezes where nobody has given one. */
export const usualPauseRules = {
  resume_after_days: null,
  usage: 'refuse',
  trial: 'move',
  expiration: 'move',
  discount: 'move',
} satisfies z.input<typeof PauseRules>;

/** A freeze lasts a month at most, and doesn't prolong what was sold for a fixed time. */
export const examplePauseRules = {
  ...usualPauseRules,
  resume_after_days: 30,
  usage: 'hold',
  expiration: 'run_on',
} satisfies z.input<typeof PauseRules>;

export const examplePayments = {
  retry_days: [1, 3, 5, 7],
  payment_threshold: { usd: '5.00' },
  on_trial_end: 'cancel_without_method',
  on_dunning_end: 'freeze',
} satisfies z.input<typeof PaymentPreferences>;

export const exampleEmail = {
  enabled: true,
  from: 'billing@example.com',
  reply_to: 'help@example.com',
  bcc: null,
  texts: {
    invoice: { en: 'Thank you for your business.', de: 'Vielen Dank für Ihr Vertrauen.' },
    footer: 'Analytical Engines GmbH, Berlin',
  },
  remind_days: [-3, 1, 7, 14],
  test_clocks: true,
} satisfies Omit<z.input<typeof EmailPreferences>, 'server'>;

export const examplePortal = {
  plans: [ids.business],
  name: 'Analytical Engines',
  logo_url: 'https://www.example.com/logo.svg',
  color: '#1f6f54',
  links: [
    { label: { en: 'Terms', de: 'AGB' }, url: 'https://www.example.com/terms' },
    { label: 'help@example.com', url: 'mailto:help@example.com' },
  ],
  texts: { welcome: { en: 'Good to see you.', de: 'Willkommen.' }, footer: 'Analytical Engines GmbH, Berlin' },
  return_urls: ['https://app.example.com'],
  language: 'en',
} satisfies z.input<typeof PortalPreferences>;
