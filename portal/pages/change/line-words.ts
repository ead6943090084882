import { DAY, HOUR, MINUTE } from '../../../billing/calendar/instant.ts';
import type { ChargeDerivation, CreditDerivation, RatioStep } from '../../../billing/explain/derivation.ts';
import { readDerivation } from '../../../billing/explain/explain-line.ts';
import type { Line } from '../../../billing/invoice/types.ts';
import { dec, plain } from '../../../billing/money/decimal.ts';
import { isUnitPriced } from '../../../billing/pricing/price.ts';
import type { Reader } from '../../messages/language.ts';

/** A line in a customer's words, with what has to be known beside it. */
export interface LineWords {
  text: string;
  notes: string[];
  /** as the line's price counts: with tax where prices include it */
  amount: string;
}

/** What a line charges or gives back, from its stored derivation alone. */
export function lineWords(reader: Reader, line: Line): LineWords {
  const amount = line.taxPolicy === 'tax_included' ? line.totalIncludingTax : line.totalExcludingTax;
  const derivation = readDerivation(line.derivation);
  switch (derivation.type) {
    case 'credit':
      return { text: creditText(reader, derivation), notes: [], amount };
    case 'charge':
      return { text: chargeText(reader, line, derivation), notes: chargeNotes(reader, line, derivation), amount };
    case 'correction': {
      const { start, end } = derivation.period;
      return { text: spanText(reader, 'lines.correction', line.name, { start, end }), notes: [], amount };
    }
    case 'difference':
      return { text: reader.t('lines.difference', { name: line.name }), notes: [], amount };
    case 'wallet':
      return { text: reader.t('lines.wallet'), notes: [], amount };
    case 'purchase':
      return { text: line.name, notes: [], amount };
  }
}

function creditText(reader: Reader, { line, ratio }: CreditDerivation): string {
  if (ratio.part === ratio.whole) return reader.t('lines.unused_whole', { name: line.name });
  return reader.t('lines.unused', { name: line.name, time: timeText(reader, ratio) });
}

function chargeText(reader: Reader, line: Line, { kind, units, ratio, ratioUse, price }: ChargeDerivation): string {
  const { t, format } = reader;
  if (kind === 'usage') return t('lines.usage', { name: line.name, units: format.number(plain(units)) });
  const name = isUnitPriced(price.price) ? t('lines.units', { count: format.number(plain(line.unitCount)), name: line.name }) : line.name;
  if (kind === 'one_off') return t('lines.once', { name });
  if (ratioUse === 'line' && ratio.part !== ratio.whole) return t('lines.part', { name, time: timeText(reader, ratio) });
  return line.span === null ? name : spanText(reader, 'lines.span', name, line.span);
}

function spanText({ t, format }: Reader, key: 'lines.span' | 'lines.correction', name: string, span: NonNullable<Line['span']>): string {
  const start = format.moment(span.start);
  return span.end === null ? t('lines.from', { name, start }) : t(key, { name, start, end: format.moment(span.end) });
}

function chargeNotes({ t, format }: Reader, line: Line, { free, freePart, discount, continues, price }: ChargeDerivation): string[] {
  const { amount, strategy } = price.price;
  const hasPriceEach = strategy.kind === 'per_unit' && !free;
  return [
    ...(hasPriceEach ? [t('lines.each', { price: format.price(amount, line.currency) })] : []),
    ...(free ? [t('lines.free')] : freePart === undefined ? [] : [t('lines.free_part')]),
    ...(discount === null || dec(line.discountAmount).isZero()
      ? []
      : [t('lines.discount', { name: discount.name, amount: format.money(line.discountAmount, line.currency) })]),
    ...(continues === undefined ? [] : [t('lines.as_given_back')]),
    ...(line.reverseCharge ? [t('lines.reverse_charge')] : []),
  ];
}

/** "21 of 31 days": in the largest unit of which the whole is at least two. */
function timeText({ t, format }: Reader, { part, whole }: RatioStep): string {
  const [unit, length] =
    whole >= 2 * DAY ? (['days', DAY] as const) : whole >= 2 * HOUR ? (['hours', HOUR] as const) : (['minutes', MINUTE] as const);
  return t('lines.time_of', {
    unit,
    part: format.number(rounded(part, length, whole)),
    whole: format.number(rounded(whole, length, whole)),
  });
}

const DIGITS = [0, 1, 2];

/** A part in as few digits as tell it apart from nothing and from the whole: 20.4 days, but 30.99 of 31. */
function rounded(part: number, length: number, whole: number): string {
  const exact = part / length;
  const shown = DIGITS.map((digits) => exact.toFixed(digits));
  if (exact === Math.round(exact)) return shown[0] ?? '';
  const tells = shown.slice(1).find((text) => Number(text) > 0 && Number(text) !== whole / length);
  return plain(tells ?? shown[2] ?? '');
}
