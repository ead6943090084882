import { DAY, HOUR } from '../billing/calendar/instant.ts';
import { type Currency, minorDigits } from '../billing/money/currency.ts';
import { dec } from '../billing/money/decimal.ts';
import type { FractionText } from '../billing/money/fraction.ts';
import { moneyText } from '../billing/money/round.ts';
import type { Address } from '../db/entities/vendor.ts';

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** "31 January 2025", in UTC. */
export function longDate(at: number): string {
  const [year = '', month = '', day = ''] = new Date(at).toISOString().slice(0, 10).split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** "31 Jan 2025", with the time when it isn't midnight. */
function shortDate(at: number): string {
  const iso = new Date(at).toISOString();
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-');
  const time = iso.slice(11, 16) === '00:00' ? '' : ` ${iso.slice(11, 16)}`;
  return `${Number(day)} ${MONTHS[Number(month) - 1]?.slice(0, 3)} ${year}${time}`;
}

/** "1 Jan 2025 – 1 Feb 2025"; an open end is left out. */
export function spanText(span: { start: number; end: number | null } | null): string | null {
  if (span === null) return null;
  return span.end === null ? `from ${shortDate(span.start)}` : `${shortDate(span.start)} – ${shortDate(span.end)}`;
}

/** "-1234567.5" → "−1,234,567.50" */
export function amountText(amount: string, currency: Currency): string {
  return grouped(moneyText(amount, currency));
}

/** "USD 1,234.50": the code says which dollar, peso or real it is. */
export function totalText(amount: string, currency: Currency): string {
  return `${currency.toUpperCase()} ${amountText(amount, currency)}`;
}

/** A price with as many digits as it needs. */
export function groupedPriceText(price: string, currency: Currency): string {
  const value = dec(price);
  return grouped(value.toFixed(Math.max(minorDigits(currency), value.decimalPlaces())));
}

/** An amount before rounding, with the digits it needs: "154.320875" stays, "3.225806451613" → "3.225806". */
export function exactText(amount: string, currency: Currency): string {
  return groupedPriceText(shortened(amount), currency);
}

/** "12000" → "12,000"; a share of a minimum can have many digits: "32.258064516129" → "32.258065". */
export function quantityText(quantity: string): string {
  return grouped(shortened(quantity));
}

const SHOWN_DIGITS = 6;

/** At most six decimal places, but all of them where the text would become zero. */
function shortened(text: string): string {
  const value = dec(text);
  const short = value.toDecimalPlaces(SHOWN_DIGITS);
  return (short.isZero() ? value : short).toFixed();
}

/** "0.19" → "19 %" */
export function rateText(rate: string): string {
  return `${dec(rate).times(100).toFixed()} %`;
}

function grouped(text: string): string {
  const [whole = '', fraction] = text.replace('-', '').split('.');
  const body = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
  return text.startsWith('-') ? `−${body}` : body;
}

const UNITS: readonly (readonly [number, string])[] = [
  [DAY, 'days'],
  [HOUR, 'hours'],
];

/** "15 of 30 days", or whole hours, else "50.17 % of the period"; null for a whole period. */
export function shareText({ part, whole }: { part: number; whole: number }): string | null {
  if (part === whole) return null;
  const unit = UNITS.find(([length]) => part % length === 0 && whole % length === 0);
  if (unit === undefined) return `${dec(part).div(whole).times(100).toFixed(2)} % of the period`;
  const [length, name] = unit;
  return `${quantityText(String(part / length))} of ${quantityText(String(whole / length))} ${name}`;
}

const LARGEST_DENOMINATOR = 12;

/** "1/6 of the cycle"; a fraction with a large denominator as a percentage: "23.48 % of the cycle". */
export function fractionShareText({ num, den }: FractionText): string {
  if (dec(den).lte(LARGEST_DENOMINATOR)) return `${num}/${den} of the cycle`;
  return `${dec(num).div(den).times(100).toFixed(2)} % of the cycle`;
}

/** "DE" → "Germany"; text that is no country code stays unchanged. */
function countryText(country: string): string {
  return /^[A-Z]{2}$/i.test(country) ? (REGIONS.of(country.toUpperCase()) ?? country) : country;
}

export function addressLines(address: Address | null): string[] {
  if (address === null) return [];
  const place = [address.zip, address.city, address.state].filter((part) => part !== null && part !== '').join(' ');
  return [address.line_1, address.line_2, place, countryText(address.country)].filter(
    (line): line is string => line !== null && line !== '',
  );
}
