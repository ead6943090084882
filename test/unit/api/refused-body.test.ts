import { z } from 'zod';
import { JsonNumber, parseJson } from '../../../api/http/json.ts';
import { asSentence, Problem, problemBody } from '../../../api/http/problem.ts';
import { parseWith } from '../../../api/http/validation-error.ts';
import { AddressRequest } from '../../../api/schema/address.ts';
import { listOf, mapOf } from '../../../api/schema/common.ts';
import { CancelRequest, SignRequest } from '../../../api/schema/contract.ts';
import { CustomerRequest, CustomerSearch, LoginRequest } from '../../../api/schema/customer.ts';
import { ContractLine } from '../../../api/schema/import.ts';
import { PayRequest, SelectionRequest } from '../../../api/schema/payment.ts';
import { PlanRequest } from '../../../api/schema/plan.ts';
import { TaxRequest } from '../../../api/schema/preferences.ts';
import { UpgradeConfiguration } from '../../../api/schema/upgrade.ts';
import { AlertRequest } from '../../../api/schema/usage-alert.ts';

/** The error of a refused body. */
function refusal(schema: z.ZodType, value: unknown): Problem {
  try {
    parseWith(schema, value, 'body');
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was taken');
}

const complaints = (problem: Problem): Record<string, string> =>
  Object.fromEntries(Object.entries(problem.feedback).map(([field, { value }]) => [field, value]));
const bodyOf = (problem: Problem) => problemBody(problem, '/v1/c/customer', 'r');
const many = (count: number, entry: (n: number) => string): string => Array.from({ length: count }, (_, n) => entry(n)).join(',');

describe('a login', () => {
  const one = 'give at least one of id, email, reference';

  it.each([
    [{}, { body: one }],
    [{ id: null }, { body: one }],
    [{ id: '' }, { id: `is empty: ${one}` }],
    [{ email: '' }, { email: `is empty: ${one}` }],
    [
      { id: '', email: '', reference: '' },
      { id: `is empty: ${one}`, email: `is empty: ${one}`, reference: `is empty: ${one}` },
    ],
    [{ id: 'Cust_1', email: 'ada@example.com' }, { id: expect.stringContaining('must be an id of the form Cust_<uuid>') }],
  ])('of nobody names what is empty: %j', (body, expected) => {
    expect(complaints(refusal(LoginRequest, body))).toEqual(expected);
  });

  it.each([
    { id: '', email: 'ada@example.com' },
    { email: '', reference: 'crm-1' },
    { id: null, email: null, reference: 'crm-1' },
  ])('takes empty text as absent: %j', (body) => {
    expect(LoginRequest.parse(body)).toEqual(body);
  });
});

describe('a body with many errors', () => {
  it('of 900 unknown keys names 20 and their number', () => {
    const problem = refusal(CustomerRequest, parseJson(`{${many(900, (n) => `"key${n}":1`)}}`));
    expect(Object.keys(problem.feedback)).toHaveLength(20);
    expect(problem.feedback.key19).toEqual({ type: 'error', value: 'is not known here' });
    expect(problem.message).toMatch(/^900 fields are not valid: key0 \(is not known here\), .* and 8\d\d more\.$/);
    expect(JSON.stringify(bodyOf(problem)).length).toBeLessThan(20_000);
  });

  it('of 900 addresses is refused by their number, and no entry is checked', () => {
    const body = parseJson(`{"addresses":{${many(900, (n) => `"a${n}":{}`)}}}`);
    expect(complaints(refusal(CustomerRequest, body))).toEqual({ addresses: 'must have at most 100 entries, not 900' });
    let checkedEntries = 0;
    const counting = z.unknown().refine(() => {
      checkedEntries += 1;
      return true;
    });
    expect(mapOf(counting).safeParse(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`a${n}`, n]))).success).toBe(false);
    expect(listOf(counting, 100).safeParse(Array.from({ length: 101 })).success).toBe(false);
    expect(checkedEntries).toBe(0);
    expect(listOf(counting, 100).safeParse(Array.from({ length: 100 })).success).toBe(true);
    expect(checkedEntries).toBe(100);
  });

  it('with long wrong names gets a short response, and counts names with the same beginning', () => {
    const body = parseJson(`{${many(1000, (n) => `"${'\\u0001'.repeat(100)}${n}":1`)}}`);
    const problem = refusal(CustomerRequest, body);
    expect(problem.message).toMatch(/^1000 fields are not valid/);
    expect(JSON.stringify(bodyOf(problem)).length).toBeLessThan(20_000);
    const one = refusal(CustomerRequest, { ['x'.repeat(900_000)]: 1 });
    expect(JSON.stringify(bodyOf(one)).length).toBeLessThan(1_000);
  });

  it('deep inside alternatives still names its errors', () => {
    const features = parseJson(`{${many(200, (n) => `"f${n}":{${many(390, (m) => `"k${m}":1`)}}`)}}`);
    const union = z.union([z.literal('none'), z.strictObject({ features: z.record(z.string(), z.strictObject({})) })]);
    expect(refusal(union, { features }).message).toMatch(/^78000 fields are not valid/);
  });
});

describe('what is wrong with a field', () => {
  const shape = z.strictObject({
    text: z.string().min(1).max(5).optional(),
    number: z.int().min(2).max(9).optional(),
    flag: z.boolean().optional(),
    list: z.array(z.string()).min(1).optional(),
    object: z.strictObject({}).optional(),
    word: z.enum(['a', 'b']).optional(),
    only: z.literal('x').optional(),
  });
  it.each([
    [{ text: 1 }, 'must be text, not a number'],
    [{ text: ['a'] }, 'must be text, not a list'],
    [{ text: null }, 'must be text, not null'],
    [{ text: '' }, 'must not be empty'],
    [{ text: '123456' }, 'must have at most 5 characters'],
    [{ number: '3' }, 'must be a number, not text'],
    [{ number: 2.5 }, 'must be a whole number'],
    [{ number: new JsonNumber('12345678901234567890') }, 'must be a whole number'],
    [{ number: 1 }, 'must be at least 2'],
    [{ number: 10 }, 'must be at most 9'],
    [{ flag: 'yes' }, 'must be true or false, not text'],
    [{ list: {} }, 'must be a list, not an object'],
    [{ list: [] }, 'must have at least 1 entry'],
    [{ object: [] }, 'must be an object, not a list'],
    [{ object: true }, 'must be an object, not true'],
    [{ word: 'c' }, 'must be one of "a", "b"'],
    [{ only: 7 }, 'must be "x"'],
  ])('of %j: %s', (value, complaint) => {
    const problem = refusal(shape, value);
    const [field = ''] = Object.keys(value);
    expect(complaints(problem)).toEqual({ [field]: complaint });
    expect(problem.message).toBe(`One field is not valid: ${field} (${complaint}).`);
  });

  it('of missing values: the whole body, an amount, the kind of an alternative', () => {
    expect(complaints(refusal(CustomerRequest, undefined))).toEqual({ body: 'is required' });
    expect(complaints(refusal(CustomerRequest, []))).toEqual({ body: 'must be an object, not a list' });
    const price = { currency: 'usd', cycle: 'month', price: { strategy_details: {} } };
    const plan = { slug: 'p', internal_name: 'p', strategy: 'plan', pricings: [price] };
    expect(complaints(refusal(PlanRequest, plan))).toEqual({
      'pricings[0].price.amount': 'is required',
      'pricings[0].price.strategy_details.pricing_strategy': expect.stringMatching(/^is required: one of "flat", "per_unit", "usage"/),
    });
    const activation = { type: 'soon' };
    expect(complaints(refusal(UpgradeConfiguration, { upgrade_strategy: 'new_plan', plan_id: null, activation }))).toEqual({
      'activation.type': 'must be one of "immediate", "next_cycle", "date"',
      plan_id: 'is required',
    });
  });

  it('of a search without a parameter: all parameters', () => {
    expect(refusal(CustomerSearch, {}).message).toMatch(/give at least one of id, email, customer_reference, plan, status, search, /);
  });
});

const ID = '0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
const signing = { customer: `Cust_${ID}`, plan: `Plan_${ID}`, currency: 'usd', cycle: 'month' };
const change = { upgrade_strategy: 'change_unit_count' };
const main = { line_1: '1 Main St', city: 'Berlin', zip: '10115', country: 'DE' };
const line = { type: 'contract', ref: 'c1', ...signing };
const inDates = (date: string | null, value: string | null) => ({
  ...change,
  unit_count_configuration: { seats: '5' },
  activation: { type: 'date', date, value },
});
const [june, july] = ['2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z'];

describe('a body that contradicts itself', () => {
  it.each<[string, z.ZodType, unknown, Record<string, string>]>([
    [
      'other units of a feature in its configuration',
      SignRequest,
      { ...signing, unit_count_configuration: { seats: '5', desks: '2' }, feature_configuration: { seats: { units: '7' } } },
      { 'feature_configuration.seats.units': 'must be 5 as in unit_count_configuration.seats: give the units once' },
    ],
    [
      'the same in a line of an import',
      ContractLine,
      { ...line, unit_count_configuration: { seats: 5 }, feature_configuration: { seats: { units: 7 } } },
      { 'feature_configuration.seats.units': 'must be 5 as in unit_count_configuration.seats: give the units once' },
    ],
    [
      'the same in a change',
      UpgradeConfiguration,
      { ...change, unit_count_configuration: { seats: '5' }, unit_configuration: { seats: { unit_count: '7' } } },
      { 'unit_configuration.seats.unit_count': 'must be 5 as in unit_count_configuration.seats: give the units once' },
    ],
    [
      'both names of the units of a feature',
      UpgradeConfiguration,
      { ...change, unit_configuration: { seats: { units: '5', unit_count: '7' } } },
      { 'unit_configuration.seats.unit_count': 'must be 5 as in units: give the units once' },
    ],
    [
      'both names of the date of a change',
      UpgradeConfiguration,
      inDates(june, july),
      { 'activation.value': 'must be the same as date: give one of them' },
    ],
    [
      'a date of a change at the next cycle',
      UpgradeConfiguration,
      { ...change, unit_count_configuration: { seats: '5' }, activation: { type: 'next_cycle', date: june } },
      { 'activation.date': 'must be left out: only the type "date" has one' },
    ],
    [
      'a date of an end that is now',
      CancelRequest,
      { when: { type: 'now', date: june } },
      { 'when.date': 'must be left out: only the type "date" has one' },
    ],
    [
      'two rates of one place',
      TaxRequest,
      {
        rates: [
          { country: 'US', state: 'CA', rate: '0.0725' },
          { country: 'US', rate: '0.05' },
          { country: 'US', state: ' ca', rate: '0.08' },
        ],
      },
      { 'rates[2].rate': 'must be 0.0725 as in rates[0], which has the same tax_code, country and state: give each place one rate' },
    ],
    [
      'a first line under both of its names',
      CustomerRequest,
      { addresses: { main: { ...main, address: '2 Side St' } } },
      { 'addresses.main.address': 'must be the same as line_1: give one of them' },
    ],
  ])('by %s names what to correct', (_, schema, body, expected) => {
    expect(complaints(refusal(schema, body))).toEqual(expected);
  });

  it.each<[string, z.ZodType, unknown]>([
    [
      'units',
      SignRequest,
      {
        ...signing,
        unit_count_configuration: { seats: '5' },
        feature_configuration: { seats: { units: '5.0', price: '9' }, desks: { units: '1' } },
      },
    ],
    [
      'units under three names',
      UpgradeConfiguration,
      { ...change, unit_count_configuration: { seats: 5 }, unit_configuration: { seats: { units: '5', unit_count: '5.00' } } },
    ],
    ['a date', UpgradeConfiguration, inDates(june, '2026-06-01T02:00:00+02:00')],
    ['a date beside null', UpgradeConfiguration, inDates(null, june)],
    ['a null date', CancelRequest, { when: { type: 'now', date: null } }],
    [
      'a rate',
      TaxRequest,
      {
        rates: [
          { country: 'DE', rate: '0.19' },
          { country: 'DE', tax_code: null, rate: '0.190' },
        ],
      },
    ],
    [
      'a place under several tax codes',
      TaxRequest,
      {
        rates: [
          { country: 'DE', rate: '0.19' },
          { country: 'DE', tax_code: 'books', rate: '0.07' },
        ],
      },
    ],
    ['a first line', CustomerRequest, { addresses: { main: { ...main, address: main.line_1 } } }],
  ])('is none that says %s twice', (_, schema, body) => {
    expect(parseWith(schema, body, 'body')).toBeDefined();
  });
});

describe('an address', () => {
  it('has a first line, a city and a country; a place without zip codes has an empty one', () => {
    const empty = { ...main, line_1: '', city: '  ', zip: '' };
    expect(complaints(refusal(AddressRequest, empty))).toEqual({ line_1: 'must not be empty', city: 'must not be empty' });
    expect(complaints(refusal(CustomerRequest, { address: { ...empty, line_1: undefined, address: ' ' } }))).toEqual({
      'address.address': 'must not be empty',
      'address.city': 'must not be empty',
    });
    expect(parseWith(AddressRequest, { ...main, zip: '' }, 'body')).toMatchObject({ zip: '' });
  });
});

describe('a value of a few forms', () => {
  const method = 'must be an id of the form CPMet_<uuid>, or must be "manual"';
  const step = 'must be a percentage such as "80%", or must be a decimal with at most 26 digits before and 12 after the point';
  const alert = (at: unknown) => ({ on: 'usage', feature_slug: 'calls', at });
  it.each<[string, z.ZodType, unknown, Record<string, string>]>([
    ['paid in cash', PayRequest, { method: 'cash' }, { method }],
    [
      'a default method',
      SelectionRequest,
      { payment_method: 'cash' },
      { payment_method: method.replace('"manual"', 'one of "none", "manual"') },
    ],
    ['a step that is a word', AlertRequest, alert(['many']), { 'at[0]': step }],
    ['a step with a space', AlertRequest, alert(['5', '80 %']), { 'at[1]': step }],
    ['a step that is null', AlertRequest, alert([null]), { 'at[0]': step }],
    ['one step without a list', AlertRequest, alert('80%'), { at: 'must be a list of numbers and percentages, such as ["8000", "80%"]' }],
  ])('of %s names all of them', (_, schema, body, expected) => {
    expect(complaints(refusal(schema, body))).toEqual(expected);
  });
});

describe('a detail', () => {
  it.each([
    ['the customer is frozen; activate it first', 'The customer is frozen; activate it first.'],
    ['There is no plan.', 'There is no plan.'],
    ['A clock never runs back', 'A clock never runs back.'],
    ['usage_period x is closed', 'usage_period x is closed.'],
  ])('is a sentence: %s', (clause, sentence) => {
    expect(asSentence(clause)).toBe(sentence);
  });
});
