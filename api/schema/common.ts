import { z } from 'zod';
import { CYCLES } from '../../billing/calendar/cycle.ts';
import { FIRST_INSTANT } from '../../billing/calendar/instant.ts';
import { LARGEST_COUNT } from '../../billing/largest-count.ts';
import { CURRENCIES, type Currency as CurrencyCode } from '../../billing/money/currency.ts';
import { MAX_FRACTION_DIGITS, MAX_INTEGER_DIGITS, plain } from '../../billing/money/decimal.ts';
import { exampleId } from '../example/ids.ts';
import { JsonNumber } from '../http/json.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

type Prefix =
  | 'Cust'
  | 'Cont'
  | 'CPMet'
  | 'Inv'
  | 'Plan'
  | 'Feat'
  | 'Price'
  | 'Disc'
  | 'Item'
  | 'Chrg'
  | 'Txn'
  | 'PSess'
  | 'Wall'
  | 'Evt'
  | 'Limit'
  | 'Alert'
  | 'Rsv'
  | 'Hook'
  | 'Key'
  | 'Clock'
  | 'Move'
  | 'Imp'
  | 'CNote'
  | 'Grant'
  | 'TopUp'
  | 'Wbc'
  | 'Audit';

/** An id: the prefix of its kind, an underscore, a UUID. */
export const idSchema = (prefix: Prefix) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_${UUID}$`), { error: `must be an id of the form ${prefix}_<uuid>`, abort: true })
    .meta({ examples: [exampleId(prefix, 1)] });

/** An id of any kind. */
export const AnyId = z.string().regex(new RegExp(`^[A-Z][A-Za-z]*_${UUID}$`), 'must be an id of the form Kind_<uuid>');

export const CustomerId = idSchema('Cust').meta({ id: 'CustomerId', description: 'Id of a customer, made by this service.' });
export const ContractId = idSchema('Cont').meta({
  id: 'ContractId',
  description: 'Id of a contract. Each change of a contract makes a new one.',
});
export const PlanId = idSchema('Plan').meta({
  id: 'PlanId',
  description: 'Id of a plan of the catalogue, or of a contract’s own copy.',
});
export const PricingId = idSchema('Price').meta({
  id: 'PricingId',
  description: 'Id of one pricing of a plan: its prices in one currency for one cycle.',
});
export const DiscountId = idSchema('Disc').meta({
  id: 'DiscountId',
  description: 'Id of a discount of the catalogue, or of a contract’s own copy.',
});
export const InvoiceId = idSchema('Inv').meta({
  id: 'InvoiceId',
  description: 'Id of an invoice. The number that customers see is `invoice_number`.',
});
export const ItemId = idSchema('Item').meta({
  id: 'InvoiceItemId',
  description: 'Id of an invoice item, which is one line of an invoice.',
});
export const ClockId = idSchema('Clock').meta({ id: 'TestClockId', description: 'Id of a test clock, the own time of some customers.' });
export const PaymentMethodId = idSchema('CPMet').meta({ id: 'PaymentMethodId', description: 'Id of a payment method of one customer.' });
export const EventId = idSchema('Evt').meta({ id: 'EventId', description: 'Id of a usage event, or of an entry in the event log.' });

/** In a create-or-update body null, absent or empty text means create. */
export const idOrEmpty = (prefix: Prefix) => z.union([z.literal(''), idSchema(prefix)]).nullish();

const DECIMAL = new RegExp(`^(-?)(\\d{1,${MAX_INTEGER_DIGITS}})(?:\\.(\\d{1,${MAX_FRACTION_DIGITS}}))?$`);
const EXPONENT = /^(-?\d+(?:\.\d+)?)[eE]([+-]?\d{1,3})$/;
const DECIMAL_MESSAGE = `must be a decimal with at most ${MAX_INTEGER_DIGITS} digits before and ${MAX_FRACTION_DIGITS} after the point`;

const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return DECIMAL.test(value) ? value : null;
  if (typeof value !== 'number' && !(value instanceof JsonNumber)) return null;
  const source = value instanceof JsonNumber ? value.source : String(value);
  const text = DECIMAL.test(source) || EXPONENT.test(source) ? plain(source) : null;
  return text !== null && DECIMAL.test(text) ? text : null;
};

/**
 * A decimal in a request: text, or a JSON number read digit by digit, since a float would lose digits.
 * The output is plain text.
 */
const decimalInput = (negative: boolean, description: string, written: (text: string) => string = plain) =>
  z
    .unknown()
    .transform((value, context): string => {
      const text = textOf(value);
      if (text === null || (!negative && text.startsWith('-') && plain(text) !== '0')) {
        const unreadable = value === undefined ? 'is required' : DECIMAL_MESSAGE;
        context.addIssue({ code: 'custom', message: text === null ? unreadable : 'must not be negative' });
        return z.NEVER;
      }
      return written(text);
    })
    .meta({
      anyOf: [
        {
          type: 'string',
          pattern: `^${negative ? '-?' : ''}\\d{1,${MAX_INTEGER_DIGITS}}(\\.\\d{1,${MAX_FRACTION_DIGITS}})?$`,
        },
        negative ? { type: 'number' } : { type: 'number', minimum: 0 },
      ],
      description,
      examples: ['10.00'],
    });

export const DecimalInput = decimalInput(false, 'decimal text (a JSON number is accepted), not negative');
/** As it was written, so that it is read back the same. */
export const DecimalAsGiven = decimalInput(false, 'decimal text (a JSON number is accepted), not negative', (text) => text);
export const SignedDecimalInput = decimalInput(true, 'decimal text (a JSON number is accepted)');

/** A decimal in a response, never with an exponent. */
export const DecimalText = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({ examples: ['10.00'] });

const FIRST_YEAR = 1970;
const LAST_YEAR = 2999;
const yearOf = (text: string) => Number(text.slice(0, 4));
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** The own message of a schema, for a value that is given; a missing value gets the same message everywhere. */
export const ifGiven =
  (message: string) =>
  ({ input }: { input?: unknown }): string | undefined =>
    input === undefined ? undefined : message;

const dateTime = () =>
  z.iso.datetime({ offset: true, error: ifGiven('must be a date-time with seconds, and with Z or an offset, like 2026-01-31T00:00:00Z') });

/** A date-time that is only compared with, so that years from 1 to 9999 are accepted: "always" can be asked for. */
export const AnyTimestampInput = dateTime()
  .refine((text) => Date.parse(text) >= FIRST_INSTANT && Date.parse(text) <= LAST_INSTANT, 'must lie between the years 1 and 9999 in UTC')
  .meta({ examples: ['2026-01-01T00:00:00.000Z'] });

/** A date-time that starts or ends a calendar, so that its years are limited. */
export const TimestampInput = dateTime()
  .refine((text) => yearOf(text) > FIRST_YEAR && yearOf(text) <= LAST_YEAR, `must lie between ${FIRST_YEAR + 1} and ${LAST_YEAR}`)
  .meta({ examples: ['2026-01-01T00:00:00.000Z'] });

/** The date of something whose type has none: a client may write it as null. */
export const NoDate = z
  .null({ error: 'must be left out: only the type "date" has one' })
  .optional()
  .describe('Null or absent: this type has no date.');

/** A date-time in a response: UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-01-01T00:00:00.000Z'] });

const inLowercase = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);

const NO_CURRENCY = 'must be an ISO 4217 code, such as usd, jpy or kwd';

export const Currency = z.preprocess(inLowercase, z.enum(CURRENCIES as readonly [CurrencyCode], { error: ifGiven(NO_CURRENCY) })).meta({
  id: 'Currency',
  description:
    'ISO 4217 code in lowercase; requests may use any case. Amounts have the digits of its smallest coin: "1000" jpy, "10.00" usd, "10.000" kwd.',
});
export const Cycle = z
  .enum(CYCLES as readonly ['once', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'constant'])
  .meta({ id: 'Cycle', description: 'once: one-time payment; constant: one payment for the duration of the contract' });

/** Who did something. */
export const Actor = z
  .object({
    type: z
      .enum(['key', 'console', 'person', 'portal', 'system'])
      .describe(
        'key: a key of the API; console: somebody of yours in the console, signed in with a key; person: one signed in with your sign-in service; portal: the customer in the portal; system: what time or a payment provider brought.',
      ),
    id: z.string().nullable().describe('Id of the key, of the person, or of the customer in the portal; null for the system.'),
  })
  .meta({ id: 'Actor', description: 'Who did something.' });

const MAX_TEXT = 10_000;
const MAX_NAME = 200;

/** Free text of several lines. */
export const Text = z.string().max(MAX_TEXT);
/** A short line of text. */
export const Name = z.string().max(MAX_NAME);
export const Slug = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/, 'must have 1 to 100 letters, digits, or . _ : - and begin with a letter or digit')
  .meta({ examples: ['seats'] });
export const Email = z
  .string()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');

/** Checks the number of entries before any entry, since thousands of wrong entries would block the process. */
const atMost = <S extends z.ZodType>(most: number, schema: S) =>
  z.preprocess((value, context) => {
    const size = Array.isArray(value) ? value.length : typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
    if (size > most) context.addIssue({ code: 'custom', message: `must have at most ${most} entries, not ${size}`, input: value });
    return value;
  }, schema);

/** A list with at most `most` entries. */
export const listOf = <V extends z.ZodType>(value: V, most: number, least = 0) => {
  const list = z.array(value).max(most);
  return atMost(most, least === 0 ? list : list.min(least));
};

const MAX_LABELS = 100;
/** A map with at most `most` entries, 100 unless given. */
export const mapOf = <V extends z.ZodType>(value: V, most = MAX_LABELS) =>
  atMost(most, z.record(z.string().min(1).max(MAX_NAME), value).meta({ maxProperties: most }));

/** The highest number of features of a plan. */
export const MAX_FEATURES = 200;
/** A map by feature slug. */
export const bySlug = <V extends z.ZodType>(value: V) => mapOf(value, MAX_FEATURES);

/** A map by currency. */
export const byCurrency = <V extends z.ZodType>(value: V) =>
  z.preprocess(eachCurrencyOnce, atMost(CURRENCIES.length, z.partialRecord(Currency, value).meta({ maxProperties: CURRENCIES.length })));

function eachCurrencyOnce(value: unknown, context: z.RefinementCtx): unknown {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const twice = names.find((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index);
  if (twice !== undefined) context.addIssue({ code: 'custom', path: [twice], message: 'names a currency twice', input: value });
  return value;
}

export const Metadata = mapOf(z.string().max(MAX_TEXT)).meta({
  id: 'Metadata',
  description: 'Text by name, at most 100 entries; never interpreted.',
  examples: [{ tier: 'gold' }],
});

/** A whole number from 0 on that fits into an int32. */
export const Count = z.int().min(0).max(LARGEST_COUNT);

/** A whole number within bounds in a query string. */
export const countInQuery = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number between ${min} and ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max, pattern: undefined });

/** A body that may be absent or empty. */
export const Nothing = z.strictObject({}).meta({ id: 'Nothing', description: 'No fields: the body may be left out.' });

const isObject = ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null;

/**
 * Options of a check of the whole body; `when` lets it run even if single fields are wrong,
 * so that all errors come together.
 */
export const needs = (field: string, message = 'is required') => ({ path: [field], message, when: isObject });

/** Requires these fields when there is no id, since then the body creates an object. */
export function requiredToCreate<S extends z.ZodType>(schema: S, ...fields: readonly string[]): S {
  const isGiven = (field: string) => (body: unknown) => {
    const given = body as Record<string, unknown>;
    return Boolean(given.id) || given[field] !== undefined;
  };
  return fields.reduce<S>((checked, field) => checked.refine(isGiven(field), needs(field)), schema);
}
