import type { Form } from '../../http/form.ts';
import { readerOf } from '../../messages/language.ts';
import type { MessageKey } from '../../messages/pages.ts';

/** Why customers cancel, by the name that the form sends. */
export const REASONS_TO_CANCEL = {
  too_expensive: 'cancel.reason_too_expensive',
  not_needed: 'cancel.reason_not_needed',
  missing: 'cancel.reason_missing',
  other_product: 'cancel.reason_other_product',
  quality: 'cancel.reason_quality',
  support: 'cancel.reason_support',
  other: 'cancel.reason_other',
} as const satisfies Record<string, MessageKey>;

const isReason = (name: string): name is keyof typeof REASONS_TO_CANCEL => Object.hasOwn(REASONS_TO_CANCEL, name);

/** The longest text that fits into the notes of a cancellation, in characters. */
export const MOST_WORDS = 1_000;

/** The notes of the cancellation: the reason in English, as the vendor reads it, and what the customer wrote. */
export function cancellationNotes(form: Form): string | null {
  const [reason, words] = [form.text('reason'), form.text('words')];
  const parts = [...(isReason(reason) ? [readerOf('en').t(REASONS_TO_CANCEL[reason])] : []), ...(words === '' ? [] : [words])];
  return parts.length === 0 ? null : parts.join(': ');
}
