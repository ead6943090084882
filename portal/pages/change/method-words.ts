import type { Method } from '../../../services/payment/method.ts';
import type { Reader } from '../../messages/language.ts';

/** "visa ending in 4242"; what the provider doesn't report is left out. */
export function methodWords({ t }: Pick<Reader, 't'>, { type, details: { brand, last4 } }: Pick<Method, 'type' | 'details'>): string {
  const name = brand ?? t(`change.method_${type}`);
  return last4 === null ? name : t('change.method_ending', { name, digits: last4 });
}
