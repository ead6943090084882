import type { z } from 'zod';
import { JsonNumber } from './json.ts';

type RawIssue<T extends z.core.$ZodIssueBase = z.core.$ZodIssue> = z.core.$ZodRawIssue<T>;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** The most values that a message names; the OpenAPI document has the rest of a longer list. */
const MOST_VALUES = 20;

/**
 * What is wrong with a value, in words that need no knowledge of a programming language. A schema's own message comes
 * before this one.
 *
 * @example a number where a name belongs: 'must be text, not a number'
 */
export function complaintOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongKind(issue.expected, issue.input);
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${oneOf(issue.values)}`;
    case 'too_big':
      return bounds(issue.origin, 'at most', Number(issue.maximum));
    case 'too_small':
      return bounds(issue.origin, 'at least', Number(issue.minimum));
    case 'invalid_union':
      return noneOfThese(issue);
    case 'invalid_key':
      return `must be called otherwise: the name ${issue.issues[0]?.message ?? 'is not accepted'}`;
    case 'unrecognized_keys':
      return 'has fields that are not known here';
    default:
      return 'is not accepted';
  }
}

function wrongKind(expected: string, input: unknown): string {
  if (input === undefined) return 'is required';
  const wanted = KINDS[expected] ?? expected;
  const given = kindOf(input);
  // a number that isn't whole, or has more digits than a counter can
  return given === 'a number' && wanted.endsWith('number') ? 'must be a whole number' : `must be ${wanted}, not ${given}`;
}

function noneOfThese({ input, discriminator, options }: RawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (input === undefined) return 'is required';
  if (discriminator === undefined || !Array.isArray(options)) return 'has none of the forms that are accepted';
  const isGiven = (input as Readonly<Record<string, unknown>>)[String(discriminator)] !== undefined;
  return isGiven ? `must be ${oneOf(options)}` : `is required: ${oneOf(options)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof JsonNumber) return 'a number';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? String(value) : (KINDS[typeof value] ?? typeof value);
}

function oneOf(values: readonly unknown[]): string {
  const named = values.slice(0, MOST_VALUES).map((value) => (value === '' ? 'empty text' : JSON.stringify(value)));
  return values.length === 1 ? String(named[0]) : `one of ${named.join(', ')}${values.length > MOST_VALUES ? ' …' : ''}`;
}

function bounds(origin: string, limit: 'at most' | 'at least', count: number): string {
  if (limit === 'at least' && count === 1 && origin === 'string') return 'must not be empty';
  if (origin === 'string') return `must have ${limit} ${count} ${count === 1 ? 'character' : 'characters'}`;
  if (origin === 'number' || origin === 'int') return `must be ${limit} ${count}`;
  return `must have ${limit} ${count} ${count === 1 ? 'entry' : 'entries'}`;
}
