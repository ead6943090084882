import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { moneyText, priceText } from '../../billing/money/round.ts';

/** Amounts, instants and numbers as one language writes them. Dates are in UTC. */
export interface Format {
  /** "USD 1,234.50", "−USD 5.00", rounded to the currency's minor unit */
  money(amount: string, currency: Currency): string;
  /** as `money`, with all digits of a price: "USD 0.0006" */
  price(amount: string, currency: Currency): string;
  /** "12,345.5" */
  number(units: string): string;
  /** "81 %" of a share between 0 and 1, without decimals */
  percent(share: number): string;
  /** "7.7%" of "0.077" */
  rate(share: string): string;
  /** "1 July 2025" */
  day(at: Instant): string;
  /** "1 Jul 2025", for tables */
  shortDay(at: Instant): string;
  /** "1 July 2025", with the time when it is not midnight */
  moment(at: Instant): string;
  /** few letters for an axis: "14:00" of hours, "1 Jul" of days, "Jul 25" of quarters and years */
  brief(at: Instant, step: 'hour' | 'day' | 'year'): string;
  /** "12K", for an axis */
  compact(value: number): string;
}

const MIDNIGHT = '00:00';
/** More than any amount has; Intl would round after three. */
const ALL_DIGITS = 50;

/** The formats of a locale. Intl's formatters are made once, since making one takes longer than a hundred uses. */
export function formatOf(locale: string): Format {
  const date = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const long = date({ day: 'numeric', month: 'long', year: 'numeric' });
  const short = date({ day: 'numeric', month: 'short', year: 'numeric' });
  const time = date({ hour: '2-digit', minute: '2-digit' });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: ALL_DIGITS });
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 });
  const brief = { hour: time, day: date({ day: 'numeric', month: 'short' }), year: date({ month: 'short', year: '2-digit' }) };
  const rate = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: ALL_DIGITS });
  const money = moneyFormat(locale);
  return {
    money: (amount, currency) => money(moneyText(amount, currency), currency),
    price: (amount, currency) => money(priceText(amount, currency), currency),
    number: (units) => number.format(units as Intl.StringNumericLiteral),
    percent: (share) => percent.format(share),
    rate: (share) => rate.format(share as Intl.StringNumericLiteral),
    day: (at) => long.format(at),
    shortDay: (at) => short.format(at),
    moment: (at) => (time.format(at) === MIDNIGHT ? long.format(at) : `${long.format(at)}, ${time.format(at)} UTC`),
    brief: (at, step) => brief[step].format(at),
    compact: (value) => compact.format(value),
  };
}

/** Amounts are decimal text, which Intl formats exactly; each count of digits has a formatter of its own. */
function moneyFormat(locale: string): (text: string, currency: Currency) => string {
  const formats = new Map<string, Intl.NumberFormat>();
  return (text, currency) => {
    const digits = text.split('.')[1]?.length ?? 0;
    const name = `${currency} ${digits}`;
    const known = formats.get(name);
    const format =
      known ??
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'code',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
    if (known === undefined) formats.set(name, format);
    return format
      .format(text as Intl.StringNumericLiteral)
      .replaceAll('\u00a0', ' ')
      .replace('-', '−');
  };
}
