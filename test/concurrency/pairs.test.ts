import { dec, sum } from '../../billing/money/decimal.ts';
import { planBody } from '../api/support.ts';
import { alwaysWrong, ledgerWrong } from '../model/invariants.ts';
import { type AnyJson, type Api, api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { RUNS } from '../support/runs.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { ACTS, type ActName, figuresOf, type Plans, type Standing, standing } from './pair-acts.ts';

type Pair = readonly [ActName, ActName];
const NAMES = Object.keys(ACTS) as ActName[];
const EVERY: Pair[] = NAMES.flatMap((one, at) => NAMES.slice(at).map((other): Pair => [one, other]));
const FEW: Pair[] = [
  ['more seats', 'a cancellation'],
  ['more seats', 'a freeze'],
  ['a change behind a gate', 'a cancellation'],
  ['a change behind a gate', 'a freeze'],
  ['a change behind a gate', 'a credit note'],
  ['a change behind a gate', 'a charge'],
  ['a payment by card', 'a payment by hand'],
  ['a payment by card', 'a credit note'],
  ['a refund', 'a credit note of what is paid'],
  ['a validation', 'a void'],
  ['credits that are voided', 'a charge'],
  ['an early close', 'usage'],
  ['a confirmation', 'a release'],
];

let vendor: TestVendor;
let second: SecondApi;
let plans: Plans;
beforeAll(async () => {
  vendor = await newVendor();
  second = await secondApi();
  const [basic, big, byHand] = [planBody('of-29'), planBody('of-90', '90'), planBody('by-hand', '12')];
  const make = (body: AnyJson) => vendor.api.made('/v1/c/plan', body);
  // its seats and calls are those of another contract
  const alone = { ...byHand, features: [], pricings: byHand.pricings.map((pricing: AnyJson) => ({ ...pricing, features: {} })) };
  plans = { basic: await make(basic), big: await make(big), byHand: await make(alone) };
});
afterAll(() => second.stop());

type Answer = 'done' | 'refused';

/** As clients do it, what can't be done at the moment, or was outdated once it was paid, is asked for again. */
async function answerTo(calls: Api, name: ActName, of: Standing): Promise<Answer> {
  const [path, body] = ACTS[name](of, plans);
  const status = await eventually(async () => {
    const answer = await calls.post(path, body);
    const code = answer.body?.code;
    if (answer.headers.get('retry-after') !== null || code === 'estimate_outdated')
      throw new Error(`POST ${path}: ${answer.status} ${code}`);
    return answer.status;
  });
  expect(status).toBeLessThan(500);
  // why it is refused depends on how far the other one was
  return status < 300 ? 'done' : 'refused';
}

const WAYS = ['at once', 'in order', 'the other way round'] as const;
type Way = (typeof WAYS)[number];

/** What two acts come to, each asked of another process. */
async function outcomeOf([one, other]: Pair, way: Way): Promise<AnyJson> {
  const of = await standing(vendor, plans);
  const first = () => answerTo(vendor.api, one, of);
  const then = () => answerTo(api(vendor.apiKey, second.baseUrl), other, of);
  const answers = await played(first, then, way);
  const { neverMade, ...figures } = await settledFigures(of);
  // a payment that was taken on, and not made because of the other act, comes to the same as one that was refused
  const cameTo = (answer: Answer, at: number): Answer => ([one, other][at] === 'a payment by card' && neverMade > 0 ? 'refused' : answer);
  return { answers: answers.map(cameTo), ...figures };
}

type Asked = () => Promise<Answer>;

async function played(first: Asked, then: Asked, way: Way): Promise<Answer[]> {
  if (way === 'at once') return Promise.all([first(), then()]);
  if (way === 'in order') return [await first(), await then()];
  return [await then(), await first()].reverse();
}

/** Once no payment is under way. */
const settledFigures = (of: Standing): Promise<AnyJson> =>
  eventually(async () => {
    const figures = await figuresOf(vendor.api, of);
    if (JSON.stringify(figures).includes('"processing"')) throw new Error('a payment is under way');
    return figures;
  });

/**
 * A change behind a gate takes two steps. What the other act does between them finds the money held for the change, and
 * a payment for a change that is then outdated pays other open invoices: only the sum of paid and due is the same.
 */
function comesTo({ answers, contracts, invoices, credit, features }: AnyJson): AnyJson {
  const billed = invoices.map(({ total, lines, notes }: AnyJson) => JSON.stringify({ total, lines, notes })).sort();
  const amounts = invoices.flatMap(({ amount_due, payments }: AnyJson) => [amount_due, ...payments.map(({ amount }: AnyJson) => amount)]);
  return { answers, contracts, billed, credit, features, paidOrDue: sum(amounts.map((amount: string) => dec(amount))).toFixed(2) };
}

describe('at one moment, in two processes', () => {
  it.each(RUNS > 200 ? EVERY : FEW)('%s and %s come to what they come to one after the other', async (...pair) => {
    const [atOnce, ...oneByOne] = await Promise.all(WAYS.map((way) => outcomeOf(pair, way)));
    const compared = pair.includes('a change behind a gate') ? comesTo : (outcome: AnyJson) => outcome;
    expect(oneByOne.map(compared)).toContainEqual(compared(atOnce));
  });

  it('leave books and rows that are right', () =>
    withTestDatabase(async (db) => {
      expect(await alwaysWrong(db, vendor.vendorId)).toEqual([]);
      expect(await ledgerWrong(db, vendor.vendorId)).toEqual([]);
    }));
});
