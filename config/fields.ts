import { isIP } from 'node:net';
import { z } from 'zod';

/** The shapes of single variables. Each message says what to do; `ConfigError` adds the variable's name. */

const TCP_PORT = 'give a port number between 1 and 65535';

export const port = z.coerce.number(TCP_PORT).int(TCP_PORT).min(1, TCP_PORT).max(65535, TCP_PORT);

/** An address as the drivers read it; one for a socket has no host behind the password. */
const isAddress = (text: string): boolean => URL.canParse(text.replace('@/', '@localhost/'));
const ENCODED = 'is no address: in a user or password write # as %23, / as %2F, ? as %3F and % as %25';

export const databaseUrl = z
  .string('give the address of the database, like postgres://user:password@host:5432/perennial')
  .regex(/^postgres(ql)?:\/\//, { error: 'must look like postgres://user:password@host:5432/perennial', abort: true })
  .refine(isAddress, ENCODED);

/**
 * `on`: connections reach Postgres itself; `pooled`: a pooler hands them out by transaction and knows prepared
 * statements; `off`: one that doesn't know them.
 */
export const preparedStatements = z.enum(['on', 'pooled', 'off'], { error: 'must be on, pooled or off' });

const HOST_AND_PORT = 'must be host:port, like temporal:7233';

export const hostAndPort = z
  .string('give the address of the Temporal server, like temporal:7233')
  .regex(/^[^\s:/]+:\d{1,5}$/, { error: HOST_AND_PORT, abort: true })
  .refine((text) => port.safeParse(text.split(':')[1]).success, `${HOST_AND_PORT}, with a port between 1 and 65535`);

export const secret = z
  .string('give a random text of at least 32 characters, for instance the output of `openssl rand -hex 32`')
  .min(32, 'must have at least 32 characters, for instance the output of `openssl rand -hex 32`');

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be a web address, like https://billing.example.com' })
  .transform((address) => address.replace(/\/+$/, ''));

const SMTP_URL = 'must look like smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start';

export const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\/\S+$/, { error: SMTP_URL, abort: true })
  .refine(isAddress, ENCODED);

export const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
  error: 'must be one of trace, debug, info, warn, error, fatal, silent',
});

/** A later day would lie beyond what a date can say, and fail when a payment is to be tried again. */
const LATEST_DAY = 365;

/** "1,3,5,7" → [1, 3, 5, 7]; the days count from the first failure, so they must be ascending. */
export const dayList = z
  .string()
  .regex(/^\d+(\s*,\s*\d+)*$/, 'must be whole days separated by commas, like 1,3,5,7')
  .transform((text) => text.split(',').map((day) => Number.parseInt(day.trim(), 10)))
  .refine((days) => days.every((day, i) => day > (days[i - 1] ?? 0)), 'must be growing whole days from 1 on, like 1,3,5,7')
  .refine((days) => days.every((day) => day <= LATEST_DAY), `must be at most ${LATEST_DAY} days`);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A hundred years: times further from now than that could lie beyond what a date can say. */
const LONGEST_DAYS = 36_500;
const isShort = (milliseconds: number): boolean => milliseconds <= LONGEST_DAYS * 86_400_000;
const TOO_LONG = `must be at most ${LONGEST_DAYS}d`;
const millisecondsOf = (text: string): number => Number.parseInt(text, 10) * (UNITS[text.replace(/^\d+/, '')] ?? 0);

/** "10m" → 600000 */
export const duration = z
  .string()
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, 'must be a number with its unit ms, s, m, h or d, like 10m')
  .transform(millisecondsOf)
  .refine(isShort, TOO_LONG);

/** "5s,2m" → [5000, 120000] */
export const durationList = z
  .string()
  .regex(
    /^\d{1,9}(ms|s|m|h|d)(\s*,\s*\d{1,9}(ms|s|m|h|d))*$/,
    'must be numbers with units ms, s, m, h or d, separated by commas, like 5s,2m',
  )
  .transform((text) => text.split(',').map((one) => millisecondsOf(one.trim())))
  .refine((pauses) => pauses.every(isShort), TOO_LONG);

/** 512 bits in hexadecimal; other text would be decoded to an empty key, with which everybody could sign. */
export const signatureKey = z
  .string()
  .regex(/^(?:[0-9a-fA-F]{2}){32,}$/, 'must be hexadecimal, 64 digits or more in pairs: copy the signature key as the provider shows it');

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return isIP(address) !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
};

/** "10.0.0.5, 10.1.0.0/16" → the two of them */
export const networkList = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .refine((entries) => entries.every(isNetwork), 'must be addresses or networks separated by commas, like 10.0.0.5,10.1.0.0/16');

/** A number of requests, or `off`. */
export const requestsPerMinute = z
  .union([z.literal('off'), z.coerce.number().int().min(1)], { error: 'must be a whole number of requests, or off' })
  .transform((value) => (value === 'off' ? null : value));
