import { connect, type Database } from '../../db/connect.ts';
import { topUpsOf } from '../../db/sql/credit/top-ups-of.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { lockMoney } from '../../db/wallet/lock-money.ts';
import { signContract } from '../../services/contract/sign.ts';
import { dropTopUpRows, planTopUps } from '../../services/credit/ask-top-up.ts';
import { flatPrice } from '../api/support.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { rounds } from '../support/runs.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const MOST = 20;
const HOUR = 3_600_000;

let db: Database;
let vendor: TestVendor;
const plans: string[] = [];
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 4 });
  vendor = await newVendor();
  const credits = { amount: '10', expires_after_cycles: 1 };
  const pricings = [{ currency: 'usd', cycle: 'month', price: flatPrice('30.00'), features: {}, credits }];
  for (let n = 1; n <= MOST; n += 1) {
    const slug = `gives-${n}`;
    plans.push(await vendor.api.made('/v1/c/plan', { slug, internal_name: slug, strategy: 'plan', features: [], pricings }));
  }
});
afterAll(() => db.close());

const newCustomer = (): Promise<string> => vendor.api.made('/v1/c/customer', { name: 'Ada' });

const signs = (customer: string, plan: string) => vendor.api.post('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });

/** In a transaction of this process, which waits for locks as long as it has to. */
const sale = (customerId: string, planId: string): Promise<string> =>
  db.transaction((tx) =>
    signContract(tx, {
      ...{ vendorId: vendor.vendorId, customerId, planId, pricing: { pricingId: null, currency: 'usd' as const, cycle: 'month' as const } },
      ...{ overrides: {}, discountId: null, activation: null, isPending: false, expiration: null, trialDays: null, freeCycles: null },
      ...{ offset: null, configuration: {}, changeRules: {}, pauseRules: {} },
    } as Parameters<typeof signContract>[1]),
  );

/** Each grant as "10.00 active", and the wallets of the customer. */
async function givenTo(customer: string): Promise<{ grants: string[]; wallets: number }> {
  const { grants } = await vendor.api.read<AnyJson>(`/v1/c/customer/${customer}/credit?currency=usd`);
  const [row] = await db.query<{ wallets: number }>('select count(*)::int as wallets from wallet where customer_id = $1', [customer]);
  return { grants: grants.map(({ left, status }: AnyJson) => `${left} ${status}`), wallets: row?.wallets ?? 0 };
}

const ROUNDS = Array.from({ length: rounds(2, 20) }, (_, round) => round);

describe.each([2, MOST])('%i signings of one customer at once, who has no wallet', (count) => {
  it.each(ROUNDS)('give each its credits, in one wallet (round %i)', async () => {
    const customer = await newCustomer();
    const answers = await Promise.all(plans.slice(0, count).map((plan) => signs(customer, plan)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(await givenTo(customer)).toEqual({ grants: answers.map(() => '10.00 active'), wallets: 1 });
    expect(await checkLedger(db, vendor.vendorId)).toEqual([]);
  });
});

it('a signing that gives credits has a top-up look once it has the wallet, and doesn’t wait for it with the row in hand', async () => {
  const customerId = await newCustomer();
  const terms = { currency: 'usd', below: '10', amount: '50', at_most_per_month: '90' };
  const topUp: string = await vendor.api.made(`/v1/c/customer/${customerId}/top_up`, terms);
  const looks = async (): Promise<number> => (await db.query('select id from agenda where subject = $1', [topUp])).length;
  await eventually(async () => expect(await looks()).toBe(0));
  await db.transaction(async (tx) => {
    const own = await topUpsOf(tx, [{ customerId, currency: 'usd' }]);
    await planTopUps(
      tx,
      own.map((one) => ({ topUp: one, at: one.now + HOUR })),
    );
  });
  const signing: Promise<string>[] = [];
  await db.transaction(async (tx) => {
    await lockMoney(tx, [{ customerId, currency: 'usd' }]);
    signing.push(sale(customerId, plans[0] ?? ''));
    await eventually(async () => expect(await waitingFor(tx, db)).toBe(1));
    await tx.query(`set local lock_timeout = '500ms'`);
    await dropTopUpRows(tx, [topUp]);
  });
  expect(await Promise.all(signing)).toEqual([expect.stringMatching(/^Cont_/)]);
});
