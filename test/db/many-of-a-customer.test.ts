import { DAY } from '../../billing/calendar/instant.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { UsageAlert } from '../../billing/usage/alert.ts';
import type { Tx } from '../../db/connect.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { creditBalances } from '../../db/sql/credit/balances.ts';
import { moveLives } from '../../db/sql/credit/move-lives.ts';
import { signContract } from '../../services/contract/sign.ts';
import { grantCredits } from '../../services/credit/grant.ts';
import { liveBalance } from '../../services/credit/live.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { insertMethod, listMethods, readDefault, selectDefault } from '../../services/payment/method.ts';
import { savePlan } from '../../services/plan/save.ts';
import { openPartsOf } from '../../services/usage/open-parts.ts';
import { pricedOpenUsage } from '../../services/usage/priced.ts';
import { withBounds } from '../../services/usage/spend-bounds.ts';
import { setAlert } from '../../services/usage-alert/set.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { Looks } from '../support/looks.ts';
import { countingReads } from '../support/rows-read.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const own = countedVendor('Of many of everything');

const NOW = Date.UTC(2025, 5, 1);

async function madeCustomer(): Promise<string> {
  const customer = { ...blankCustomer(own.vendorId, null, NOW), name: 'Acme', status: 'active' as const };
  await own.db.transaction((tx) => insertCustomer(tx, customer, NOW));
  return customer.id;
}

describe('the payment methods of a customer with 1,200 of them', () => {
  /** Copies that were added later, a second after the one before. */
  const LATER = `insert into payment_method
    select (jsonb_populate_record(m, jsonb_build_object('id', m.id || '_' || lpad(n::text, 4, '0'), 'reference', m.reference || n,
      'created', m.created + n * interval '1 second'))).*
    from payment_method m, generate_series(1, 1200) n where m.customer_id = $1`;
  let customerId: string;
  let first: string;
  const listed = async (most?: number) => (await listMethods(own.db.em(), own.vendorId, customerId, most)).map(({ id }) => id);
  const choose = (id: string) => own.db.transaction((tx) => selectDefault(tx, own.vendorId, customerId, id));
  const later = (n: number): string => `${first}_${String(n).padStart(4, '0')}`;

  beforeAll(async () => {
    customerId = await madeCustomer();
    const details = { brand: 'visa', last4: '4242', expMonth: null, expYear: null };
    const card = { type: 'card' as const, details, holderName: null, reference: `sandbox_ok.${customerId}`, customerReference: null };
    const owner = { vendorId: own.vendorId, customerId, clockId: null, provider: 'sandbox' as const };
    first = (await own.db.transaction((tx) => insertMethod(tx, owner, card, NOW))) ?? '';
    await own.db.query(LATER, [customerId]);
  });

  it('are listed as the latest 1,000, oldest first', async () => {
    expect(await listed()).toEqual(Array.from({ length: 1_000 }, (_, n) => later(n + 201)));
  });

  it('have the default one among them, however old it is, which is read without the others', async () => {
    await choose(first);
    expect(await listed()).toEqual([first, ...Array.from({ length: 999 }, (_, n) => later(n + 202))]);
    expect((await readDefault(own.db.em(), own.vendorId, customerId))?.id).toBe(first);
    await choose(later(1_199));
    expect(await listed(2)).toEqual([later(1_199), later(1_200)]);
    await choose('none');
    expect(await readDefault(own.db.em(), own.vendorId, customerId)).toBeNull();
  });
});

describe('the end of a freeze', () => {
  it('writes the grants whose life it moves, and none of those that had ended before it', async () => {
    const customerId = await madeCustomer();
    const grant = (id: string, from: number, to: number | null, balance: string) =>
      own.db.query(
        `insert into credit_grant (id, vendor_id, customer_id, currency, kind, amount, balance, priority, effective_at, expires_at, created)
         values ($1, $2, $3, 'usd', 'promotional', 5, $4, 50, $5, $6, $5)`,
        [id, own.vendorId, customerId, balance, new Date(from), to === null ? null : new Date(to)],
      );
    await grant('Grant_ended', NOW - 9 * DAY, NOW - DAY, '0');
    await grant('Grant_waiting', NOW - 9 * DAY, NOW - DAY, '2');
    await grant('Grant_for_ever', NOW - 9 * DAY, null, '5');
    await grant('Grant_used', NOW - 9 * DAY, NOW + DAY, '0');
    await grant('Grant_lives', NOW - 9 * DAY, NOW + DAY, '5');
    await grant('Grant_to_come', NOW + DAY, NOW + 2 * DAY, '5');
    const versions = async () =>
      new Map((await own.db.query<{ id: string; v: string }>('select id, xmin::text as v from credit_grant')).map(({ id, v }) => [id, v]));
    const before = await versions();
    const moved = await own.db.transaction((tx) => moveLives(tx, customerId, { from: NOW, to: NOW + 3 * DAY }));
    const after = await versions();
    const expected = ['Grant_lives', 'Grant_to_come', 'Grant_used'];
    expect(moved.map(({ id }) => id).sort()).toEqual(expected);
    expect([...after].flatMap(([id, v]) => (before.get(id) === v ? [] : [id])).sort()).toEqual(expected);
    const ends = await own.db.em().find(CreditGrant, { id: expected }, { orderBy: { id: 'asc' } });
    expect(ends.map(({ effectiveAt, expiresAt }) => [effectiveAt, expiresAt])).toEqual([
      [NOW - 9 * DAY, NOW + 4 * DAY],
      [NOW + 4 * DAY, NOW + 5 * DAY],
      [NOW - 9 * DAY, NOW + 4 * DAY],
    ]);
  });
});

it('a freeze and its end read none of 2,000 lines that wait for a call', async () => {
  const customerId = await madeCustomer();
  const plan = flatPlan('10.00');
  const contractId = await own.db.transaction(async (tx) => {
    await savePlan(tx, own.vendorId, plan, NOW);
    return signContract(tx, { ...signInput(own.vendorId, customerId, plan.id), configuration: { invoiceTrigger: 'manual' } });
  });
  await own.db.query(
    `insert into invoice_item
     select (jsonb_populate_record(i, jsonb_build_object('id', i.id || '_' || n, 'charge_key', i.charge_key || ':' || n))).*
     from invoice_item i, generate_series(1, 2000) n where i.contract_id = $1`,
    [contractId],
  );
  const frozen = () => own.db.transaction((tx) => freezeCustomer(tx, own.vendorId, customerId, { notes: null }));
  const activated = () => own.db.transaction((tx) => activateCustomer(tx, own.vendorId, customerId, null));
  for (const write of [frozen, activated]) expect((await own.during(write)).rows).toBeLessThan(100);
});

it('the balance of prepaid credits counts what has begun, bought ones once they are paid, and reads no movement of them', async () => {
  const customerId = await madeCustomer();
  const usual = { priority: 50, expiresAt: null, features: null, plans: null, description: null };
  const grant = (amount: string, price: string | null, effectiveAt: number | null) => {
    const kind = price === null ? ('promotional' as const) : ('purchased' as const);
    return own.db.transaction((tx) =>
      grantCredits(tx, { ...usual, vendorId: own.vendorId, customerId, currency: 'usd', amount, kind, price, effectiveAt }),
    );
  };
  for (let n = 0; n < 20; n += 1) await grant('5', null, null);
  await grant('7', null, Date.now() + DAY);
  await grant('50', '45', null);
  const counting = countingReads(own.db, ['credit_movement']);
  expect(await creditBalances(counting, customerId, Date.now())).toEqual([{ currency: 'usd', settled: '100.00', begun: 20 }]);
  expect(counting.read).toBe(0);
});

describe('the open usage of a customer', () => {
  const USED = `insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, listed)
    values ($1, $2, $3, 10, 1, 10, 1, 1)
    on conflict (contract_id, period_idx, feature_slug) do update set units = 10, events = 1, own_units = 10, own_events = 1`;

  /** A contract that charges 0.10 for a call of its own feature, with ten calls, or one that charges for none. */
  async function signs(customerId: string, slug?: string): Promise<Contract> {
    const plan = flatPlan('10.00', slug === undefined ? {} : { calls: '0.10' });
    const id = await own.db.transaction(async (tx) => {
      await savePlan(tx, own.vendorId, slug === undefined ? plan : withFeature(plan, slug), NOW);
      return signContract(tx, signInput(own.vendorId, customerId, plan.id));
    });
    const [contract] = await contractsByIds(own.db, [id]);
    if (contract === undefined) throw new Error('nothing was signed');
    if (slug !== undefined) await own.db.query(USED, [id, contract.currentIdx, slug]);
    return contract;
  }

  /** A customer has each metered feature once. */
  const withFeature = (plan: CataloguePlan, slug: string): CataloguePlan => ({
    ...plan,
    features: plan.features.map((feature) => ({ ...feature, slug })),
    pricings: plan.pricings.map((pricing) => ({
      ...pricing,
      features: Object.fromEntries(Object.values(pricing.features).map((price) => [slug, price])),
    })),
  });

  const signsMany = (customerId: string, contracts: number): Promise<Contract[]> =>
    Promise.all(Array.from({ length: contracts }, (_, n) => signs(customerId, `calls_${n}`)));

  it('is taken off the credits without their lines, and without the contracts that charge for no usage', async () => {
    const customerId = await madeCustomer();
    const { id } = await signs(customerId, 'calls');
    const flat = await signs(customerId);
    const usual = {
      kind: 'promotional' as const,
      price: null,
      priority: 50,
      expiresAt: null,
      features: null,
      plans: null,
      description: null,
    };
    await own.db.transaction((tx) =>
      grantCredits(tx, { ...usual, vendorId: own.vendorId, customerId, currency: 'usd', amount: '5.00', effectiveAt: Date.now() + 1 }),
    );
    await own.db.query(
      `insert into invoice_item
       select (jsonb_populate_record(i, jsonb_build_object('id', i.id || '_' || n, 'charge_key', i.charge_key || ':' || n))).*
       from invoice_item i, generate_series(1, 300) n where i.contract_id = any($1::text[]) and i.kind = 'recurring'`,
      [[id, flat.id]],
    );
    await own.db.query(
      `insert into usage_period
       select (jsonb_populate_record(p, jsonb_build_object('contract_id', $2::text, 'idx', p.idx + n))).*
       from usage_period p, generate_series(0, 300) n where p.contract_id = $1 on conflict do nothing`,
      [id, flat.id],
    );
    await own.db.query('vacuum analyze invoice_item, usage_period');
    const found: string[] = [];
    const look = async () => found.push(await liveBalance(own.db, { customerId, currency: 'usd' }, Date.now() + DAY));
    expect((await own.during(look)).rows).toBeLessThanOrEqual(20);
    expect(found).toEqual(['4.00']);
  });

  it.each([
    ['all features', null, [0.5, 3], (contracts: number) => `${contracts}.00`],
    ['one feature', 'calls_1', [0.5, 0.75], () => '1.00'],
  ] as const)(
    'is looked at by as many statements for an alert on %s about ten contracts as about three, and the alert is sent once',
    async (_, slug, levels, value) => {
      const steps = levels.map((level) => level.toFixed(2));
      const statements: number[] = [];
      for (const contracts of [3, 10]) {
        const id = await madeCustomer();
        await signsMany(id, contracts);
        const alert = { vendorId: own.vendorId, customerId: id, on: 'spend' as const, slug, steps };
        const done = await own.during(() => own.db.transaction((tx) => setAlert(tx, alert)));
        statements.push(done.statements);
        const events = await own.db.query<{ step: string; value: string }>(
          `select data ->> 'step' as step, data ->> 'value' as value from event where object_id = $1 and type = 'v1.alert.reached' order by seq`,
          [id],
        );
        expect(events).toEqual(steps.map((step) => ({ step, value: value(contracts) })));
        const [noted] = await own.db.query<{ places: number }>(
          'select count(*)::int as places from usage_alert_reached r join usage_alert a on a.id = r.watch_id where a.customer_id = $1',
          [id],
        );
        expect(noted?.places).toBe(slug === null ? 2 * contracts : 2);
      }
      expect(statements[1]).toBe(statements[0]);
    },
  );

  it('has bounds that are worked out once for all contracts, not for each of them again', async () => {
    const customerId = await madeCustomer();
    await signs(customerId, 'calls');
    const alert: UsageAlert = { id: 'Alert_of_all', customerId, on: 'spend', slug: null, steps: ['5.00', '9.00'] };
    const [part] = await own.db.transaction((tx) => openPartsOf(tx, customerId));
    if (part === undefined) throw new Error('no period is open');
    const looksAt = async (contracts: number): Promise<number> => {
      const looks = new Looks();
      const parts = Array.from({ length: contracts }, (_, n) => {
        const id = `Cont_${n}`;
        return looks.at({ ...part, contract: { ...part.contract, id }, period: { ...part.period, contractId: id } });
      });
      const found = await own.db.transaction((tx) => withBounds(tx, parts, { limits: [], alerts: [alert], topUps: [] }));
      expect(found.map(({ bounds }) => bounds)).toEqual(parts.map(() => [{ slug: null, below: '5.00' }]));
      return looks.count;
    };
    const few = await looksAt(20);
    expect(await looksAt(40)).toBeLessThan(2.5 * few);
  });

  it('comes to an amount by as many statements of ten contracts as of three', async () => {
    const amounts: string[] = [];
    const statements: number[] = [];
    for (const contracts of [3, 10]) {
      const customerId = await madeCustomer();
      const [contract] = await signsMany(customerId, contracts);
      if (contract === undefined) throw new Error('nothing was signed');
      const place = { contract, idx: contract.currentIdx ?? 0, slug: 'calls_0' };
      const price = (tx: Tx) => pricedOpenUsage(tx, { id: customerId, pauses: [] }, place, { of: null, added: '5' });
      const done = await own.during(() => own.db.transaction(async (tx) => amounts.push(await price(tx))));
      statements.push(done.statements);
    }
    expect(amounts).toEqual(['3.5', '10.5']);
    expect(statements[1]).toBe(statements[0]);
  });
});
