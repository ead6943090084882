import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { moneyText } from '../../billing/money/round.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' });
const MIDNIGHT = '00:00';

/** "1 July 2025", with the time when it is not midnight; all in UTC. */
export function moment(at: Instant): string {
  const time = timeFormat.format(at);
  return time === MIDNIGHT ? dayFormat.format(at) : `${dayFormat.format(at)}, ${time} UTC`;
}

const GROUP = /\B(?=(\d{3})+$)/g;
const grouped = (digits: string): string => digits.replace(GROUP, ',');

/** "USD 1,234.50", from the decimal text itself. */
export function moneyLabel(amount: string, currency: Currency): string {
  const [whole = '0', fraction] = moneyText(amount, currency).split('.');
  return `${currency.toUpperCase()} ${grouped(whole)}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** "12,345.5" */
export function quantity(units: string): string {
  const [whole = '0', fraction] = units.split('.');
  return `${grouped(whole)}${fraction === undefined ? '' : `.${fraction}`}`;
}
