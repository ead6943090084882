import { z } from 'zod';
import { JsonNumber, parseJson } from '../../../api/http/json.ts';
import { asSentence, Problem, problemBody } from '../../../api/http/problem.ts';
import { parseWith } from '../../../api/http/validation-error.ts';
import { listOf, mapOf } from '../../../api/schema/common.ts';
import { CustomerRequest, CustomerSearch } from '../../../api/schema/customer.ts';
import { PlanRequest } from '../../../api/schema/plan.ts';
import { UpgradeConfiguration } from '../../../api/schema/upgrade.ts';

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
