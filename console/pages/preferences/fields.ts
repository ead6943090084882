import type { ConsoleKey } from '../../messages/pages.ts';

/** Groups of preferences, as the API has them. */
export const PREFERENCE_GROUPS = ['invoicing', 'payment', 'change', 'pause', 'tax', 'email', 'portal'] as const;
export type PreferenceGroup = (typeof PREFERENCE_GROUPS)[number];

/** How a value is written in a form: `days` as numbers with commas, `amounts` as a currency and an amount each. */
export type FieldKind = 'flag' | 'choice' | 'whole' | 'text' | 'days' | 'amounts';

/** A preference that a form changes. */
export interface PreferenceField {
  /** its place in the body of the API's call, with dots */
  readonly path: string;
  readonly kind: FieldKind;
  /** of a choice: its values, and the messages that name them */
  readonly options?: readonly { readonly value: string; readonly key: ConsoleKey }[];
  readonly label: ConsoleKey;
  /** what stands before the label: the direction of a change */
  readonly of?: ConsoleKey;
  readonly hint?: ConsoleKey;
}

type RuleKey = Extract<ConsoleKey, `rules.${string}`> extends `rules.${infer Key}` ? Key : never;
type OwnKey = Extract<ConsoleKey, `prefs.${string}`> extends `prefs.${infer Key}` ? Key : never;

const own = (kind: FieldKind, path: string, label: OwnKey, hint?: OwnKey): PreferenceField => ({
  path,
  kind,
  label: `prefs.${label}`,
  ...(hint === undefined ? {} : { hint: `prefs.${hint}` as ConsoleKey }),
});

const choice = (path: string, label: OwnKey, options: Readonly<Record<string, OwnKey>>): PreferenceField => ({
  ...own('choice', path, label),
  options: Object.entries(options).map(([value, key]) => ({ value, key: `prefs.${key}` })),
});

const rule = (path: string, label: RuleKey, values: Readonly<Record<string, RuleKey>>, of?: RuleKey): PreferenceField => ({
  path,
  kind: 'choice',
  label: `rules.${label}`,
  options: Object.entries(values).map(([value, key]) => ({ value, key: `rules.${key}` })),
  ...(of === undefined ? {} : { of: `rules.${of}` as ConsoleKey }),
});

const changeRules = (direction: 'upgrade' | 'downgrade' | 'units_up' | 'units_down'): PreferenceField[] => [
  rule(`${direction}.when`, 'when', { now: 'when_now', next_cycle: 'when_next_cycle' }, direction),
  rule(
    `${direction}.proration`,
    'proration',
    { time: 'proration_time', difference: 'proration_difference', full: 'proration_full', none: 'proration_none' },
    direction,
  ),
  rule(`${direction}.collect`, 'collect', { now: 'collect_now', next_invoice: 'collect_next_invoice' }, direction),
  rule(`${direction}.credit`, 'credit', { wallet: 'credit_wallet', none: 'credit_none' }, direction),
];

const MOVES = { move: 'pause_move', run_on: 'pause_run_on' } as const;

/** What the form of each group has. Lists of many parts (tax rates, links, texts) are changed by the API. */
export const PREFERENCE_FIELDS: Readonly<Record<PreferenceGroup, readonly PreferenceField[]>> = {
  invoicing: [
    own('flag', 'automatic_payment', 'automatic_payment'),
    choice('due_date_policy', 'due_date_policy', { start_of_period: 'start_of_period', end_of_period: 'end_of_period' }),
    own('whole', 'net_days', 'net_days', 'net_days_hint'),
    choice('invoice_trigger', 'invoice_trigger', { immediate: 'immediate', manual: 'manual', every_cycle: 'every_cycle' }),
    choice('usage_period_closing_policy', 'closing', {
      automatic: 'closing_automatic',
      '15 minutes': 'closing_15_minutes',
      '1 hour': 'closing_1_hour',
      '1 day': 'closing_1_day',
      manual: 'closing_manual',
    }),
    own('text', 'invoice_threshold', 'invoice_threshold', 'invoice_threshold_hint'),
    own('text', 'number.prefix', 'number_prefix', 'number_prefix_hint'),
    own('whole', 'number.width', 'number_width', 'number_width_hint'),
    own('text', 'number.credit_note_prefix', 'note_prefix', 'note_prefix_hint'),
  ],
  payment: [
    own('days', 'retry_days', 'retry_days', 'retry_days_hint'),
    own('amounts', 'payment_threshold', 'payment_threshold', 'payment_threshold_hint'),
    choice('on_trial_end', 'on_trial_end', { continue: 'trial_continue', cancel_without_method: 'trial_cancel' }),
    choice('on_dunning_end', 'on_dunning_end', { continue: 'dunning_continue', cancel: 'dunning_cancel', freeze: 'dunning_freeze' }),
  ],
  change: (['upgrade', 'downgrade', 'units_up', 'units_down'] as const).flatMap(changeRules),
  pause: [
    own('whole', 'resume_after_days', 'resume_after_days', 'resume_after_days_hint'),
    rule('usage', 'pause_usage', { refuse: 'pause_refuse', hold: 'pause_hold' }),
    rule('trial', 'pause_trial', MOVES),
    rule('expiration', 'pause_expiration', MOVES),
    rule('discount', 'pause_discount', MOVES),
  ],
  tax: [choice('policy', 'tax_policy', { tax_included: 'tax_included', tax_excluded: 'tax_excluded' })],
  email: [
    own('flag', 'enabled', 'email_enabled'),
    own('text', 'from', 'email_from'),
    own('text', 'reply_to', 'email_reply_to', 'email_reply_to_hint'),
    own('text', 'bcc', 'email_bcc'),
    own('days', 'remind_days', 'remind_days', 'remind_days_hint'),
    own('flag', 'test_clocks', 'email_test_clocks'),
  ],
  portal: [
    own('text', 'name', 'portal_name', 'portal_name_hint'),
    own('text', 'color', 'portal_color', 'portal_color_hint'),
    choice('language', 'portal_language', { en: 'language_en', de: 'language_de' }),
  ],
};
