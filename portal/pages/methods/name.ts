import type { Instant } from '../../../billing/calendar/instant.ts';
import type { MethodDetails, MethodType } from '../../../billing/payment/types.ts';
import type { Reader } from '../../messages/language.ts';
import { isMessageKey } from '../../messages/pages.ts';

interface Shown {
  readonly type: MethodType;
  readonly details: MethodDetails;
}

const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' };

/** A card of the sandbox is called after how it behaves. */
function brandName({ t }: Pick<Reader, 't'>, brand: string): string {
  const key = `methods.${brand}`;
  return BRANDS[brand] ?? (isMessageKey(key) ? t(key) : brand);
}

/** "Visa ending in 4242"; what the provider doesn't report is left out. */
export function methodName({ t }: Reader, { type, details: { brand, last4 } }: Shown): string {
  const name = brand === null ? t(`methods.${type}`) : brandName({ t }, brand);
  return last4 === null ? name : t('methods.ending', { name, digits: last4 });
}

/** "12/2030"; null where a method has no end. */
export function expiryText({ details: { expMonth, expYear } }: Shown): string | null {
  return expMonth === null || expYear === null ? null : `${String(expMonth).padStart(2, '0')}/${expYear}`;
}

/** A card can be charged until its month has ended. */
export function hasExpired({ details: { expMonth, expYear } }: Shown, now: Instant): boolean {
  return expMonth !== null && expYear !== null && Date.UTC(expYear, expMonth) <= now;
}
