import { chainsThatNeedAWorkflow } from '../../db/health/contracts.ts';
import { notRunning } from '../../temporal/running.ts';
import { signedContract } from '../api/support.ts';
import type { TestResponse } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { rounds } from '../support/runs.ts';
import { standstillsIn } from '../support/standstills.ts';
import { temporalAt } from '../support/temporal.ts';
import type { TestVendor } from '../support/vendor.ts';

const SECONDS = rounds(5, 60);
const A_SECOND = 50;
const WRITES = SECONDS * A_SECOND;
/** using, signing, upgrading, canceling, freezing */
const KINDS = 5;
/** of each kind; the last one is sent by itself */
const EACH = WRITES / KINDS + 1;
const MOST_TRIES = 10;

interface Written {
  status: number;
  body: unknown;
  /** of all its tries */
  ms: number;
}

interface Subject {
  customer: string;
  contract: string;
}

let stack: OwnStack;
let vendor: TestVendor;
let plan: string;
/** Customers who will sign, and contracts to be changed, canceled and frozen: made beforehand for each write. */
let ready: { sign: Subject[]; change: Subject[]; cancel: Subject[]; freeze: Subject[] };
beforeAll(async () => {
  stack = await ownStack();
  vendor = await stack.newVendor();
  plan = (await signedContract(vendor)).planId;
  ready = {
    sign: await inTurn(EACH, async () => ({ customer: await newCustomer(), contract: '' })),
    change: await inTurn(EACH, signsAnother),
    cancel: await inTurn(EACH, signsAnother),
    freeze: await inTurn(EACH, signsAnother),
  };
});
afterAll(() => stack?.stop());

const newCustomer = (): Promise<string> => vendor.api.made('/v1/c/customer', { name: 'Ada' });
const terms = (customer: string) => ({ customer, plan, currency: 'usd', cycle: 'month' });

async function signsAnother(): Promise<Subject> {
  const customer = await newCustomer();
  return { customer, contract: await vendor.api.made('/v1/c/contract', terms(customer)) };
}

/** Makes a number of them, a few at a time. */
async function inTurn<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(...(await Promise.all(Array.from({ length: Math.min(5, count - made.length) }, make))));
  return made;
}

const SEATS = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '6' } };

/** What callers write, one after the other. */
const WRITE: ((n: number) => Promise<TestResponse>)[] = [
  (n) => vendor.api.post('/v1/c/usage', { customer_id: of(ready.change, n).customer, feature_slug: 'calls', units: '1' }),
  async (n) => {
    const one = of(ready.sign, n);
    const answer = await vendor.api.post('/v1/c/contract', terms(one.customer));
    one.contract = answer.body;
    return answer;
  },
  async (n) => {
    const one = of(ready.change, n);
    const answer = await vendor.api.post(`/v1/c/contract/${one.contract}/upgrade`, { upgrade_configuration: SEATS });
    if (answer.status === 200) one.contract = answer.body;
    return answer;
  },
  (n) => vendor.api.post(`/v1/c/contract/${of(ready.cancel, n).contract}/cancel`, { when: { type: 'now' } }),
  (n) => vendor.api.post(`/v1/c/customer/${of(ready.freeze, n).customer}/inactivate`, {}),
];

const of = (subjects: readonly Subject[], n: number): Subject => subjects[n % subjects.length] ?? missing();
const missing = (): never => {
  throw new Error('there is none');
};

/** A machine too slow for so many writes puts some of them off; they are tried again, still without Temporal. */
async function written(write: () => Promise<TestResponse>): Promise<Written> {
  const at = Date.now();
  for (let tries = 1; ; tries += 1) {
    const { status, body } = await write();
    if (status !== 503 || body.code !== 'unavailable' || tries === MOST_TRIES) return { status, body, ms: Date.now() - at };
  }
}

/** Sends a number of writes a second, whether or not earlier ones have been answered. */
async function writes(): Promise<Written[]> {
  const began = Date.now();
  const under: Promise<Written>[] = [];
  for (let n = 0; n < WRITES; n += 1) {
    await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(began + (n * 1_000) / A_SECOND), { every: 5 });
    const write = WRITE[n % KINDS] ?? missing();
    under.push(written(() => write(Math.floor(n / KINDS))));
  }
  return Promise.all(under);
}

/** Sends one of each kind when the one before it is answered. */
async function inTurnAlone(): Promise<Written[]> {
  const answered: Written[] = [];
  for (const write of WRITE) answered.push(await written(() => write(EACH - 1)));
  return answered;
}

it(
  `with Temporal and every worker standing still, ${A_SECOND} writes a second for ${SECONDS} s are all answered; afterwards each is signalled once and for all`,
  async () => {
    const proceed = [await stack.halt('worker'), await stack.halt('temporal')];
    const sendAll = async () => ({ answered: await writes(), alone: await inTurnAlone() });
    const { answered, alone } = await sendAll().finally(() => {
      for (const one of proceed) one();
    });
    expect([...answered, ...alone].filter(({ status }) => status >= 300)).toEqual([]);
    // those before it may wait for one another on a slow machine; one by itself waits for nobody, and not for Temporal
    expect(alone.filter(({ ms }) => !(ms < 5_000))).toEqual([]);
    await eventually(async () =>
      expect(await standstillsIn(stack.servers.home)).toContainEqual(expect.stringMatching(/the worker had stood still for \d{4,} ms/)),
    );
    await withTestDatabase(async (db) => {
      const rowsOf = (table: string, subjects: readonly Subject[]) =>
        db.query(`select id from ${table} where customer_id = any($1::text[])`, [subjects.map(({ customer }) => customer)]);
      expect(await rowsOf('invoice', ready.sign)).toHaveLength(EACH);
      expect(await rowsOf('usage_event', ready.change)).toHaveLength(EACH);
      expect(await rowsOf('contract', ready.change)).toHaveLength(2 * EACH);
      await eventually(async () => expect(await db.query('select workflow_id from outbox where sent < wanted')).toEqual([]), {
        every: 500,
      });
      const temporal = temporalAt(stack.servers.temporalAddress);
      const none = async () => expect(await notRunning(temporal.client, await chainsThatNeedAWorkflow(db))).toEqual([]);
      await eventually(none, { every: 1_000 }).finally(() => temporal.close());
    }, stack.servers);
  },
  300_000 + SECONDS * 1_000,
);
