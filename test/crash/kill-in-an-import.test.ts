import type { AnyJson, Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { contractCount, rounds } from '../support/runs.ts';
import { plan, planToSave } from '../support/story-catalogue.ts';
import { dieAndReturn, loadImport, upToNow } from './kit.ts';

const CONTRACTS = contractCount(300, 1_000);
const KILLS = rounds(4, 10);
/** Of so many customers one has money in its wallet, and of so many contracts one can't be imported. */
const [WALLET_EVERY, WRONG_EVERY] = [5, 25];

let stack: OwnStack;
beforeAll(async () => {
  stack = await ownStack();
});
afterAll(() => stack?.stop());

/** A book of customers; each contract is billed to the end of its cycle, or late by one. */
function bookOf(planId: string): object[] {
  return Array.from({ length: CONTRACTS }, (_, n) => {
    const isWrong = n % WRONG_EVERY === 0;
    const billed =
      n % 3 === 0 ? { anchor: '2026-01-31T00:00:00Z', billed_until: isWrong ? '2026-11-29T00:00:00Z' : '2026-10-31T00:00:00Z' } : upToNow();
    return [
      { type: 'customer', ref: `cus_${n}`, name: `Ada ${n}` },
      {
        type: 'contract',
        ref: `sub_${n}`,
        customer: `cus_${n}`,
        plan: planId,
        currency: 'usd',
        cycle: 'month',
        ...billed,
        ...(isWrong && { cycle: 'year' }),
      },
      ...(n % WALLET_EVERY === 0 ? [{ type: 'wallet', ref: `bal_${n}`, customer: `cus_${n}`, currency: 'usd', amount: '12.50' }] : []),
    ];
  }).flat();
}

const doneWith = (api: Api, id: string): Promise<AnyJson> =>
  eventually(
    async () => {
      const state = await api.read(`/v1/c/import/${id}`);
      expect(state).toMatchObject({ status: 'done' });
      return state;
    },
    { timeout: 600_000, every: 200 },
  );

/** All that a vendor's book is, without ids: each customer's contracts, their periods, invoices, money and MRR. */
async function shapeOf(vendorId: string): Promise<object[]> {
  const SQL = `select c.name, c.status,
      (select jsonb_agg(jsonb_build_array(k.status, k.start_at, k.first_cycle, k.current_idx, k.next_cycle_start)) from contract k where k.customer_id = c.id) as contracts,
      (select jsonb_agg(jsonb_build_array(i.date, i.total) order by i.date) from invoice i where i.customer_id = c.id) as invoices,
      (select jsonb_agg(jsonb_build_array(t.kind, t.amount) order by t.kind, t.amount) from wallet w join wallet_transaction t on t.wallet_id = w.id where w.customer_id = c.id) as money,
      (select jsonb_agg(jsonb_build_array(m.kind, m.amount) order by m.kind) from mrr_move m where m.customer_id = c.id) as mrr,
      (select jsonb_agg(e.type order by e.type) from event e join contract k on k.id = e.object_id where k.customer_id = c.id) as events
    from customer c where c.vendor_id = $1 order by c.name`;
  return withTestDatabase((db) => db.query<object>(SQL, [vendorId]), stack.servers);
}

describe('an import of a book', () => {
  it(`of ${CONTRACTS} contracts comes to the same although worker and API are killed ${KILLS} times, and again changes nothing`, async () => {
    const [quiet, killed] = [await stack.newVendor(), await stack.newVendor()];
    const books: string[] = [];
    for (const { api } of [quiet, killed]) {
      const planId = await api.made('/v1/c/plan', planToSave(plan('pro', '30')));
      books.push(JSON.stringify(bookOf(planId)));
    }
    const [undisturbed, lines] = books.map((book) => JSON.parse(book) as object[]) as [object[], object[]];
    const first = await loadImport(quiet.api, undisturbed);
    await quiet.api.made(`/v1/c/import/${first}/start`, {});
    const expected = await doneWith(quiet.api, first);

    const id = await loadImport(killed.api, lines);
    await killed.api.made(`/v1/c/import/${id}/start`, {});
    const state = () => killed.api.read(`/v1/c/import/${id}`);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const reached = (lines.length * kill) / (KILLS + 1);
      await eventually(
        async () => {
          const { done, refused_total } = await state();
          expect(done + refused_total).toBeGreaterThanOrEqual(reached);
        },
        { timeout: 240_000, every: 20 },
      );
      await dieAndReturn(stack, kill % 2 === 0 ? 'worker' : 'api');
    }
    const { id: _id, created: _created, ended: _ended, ...same } = expected;
    expect(await doneWith(killed.api, id)).toMatchObject(same);
    expect(expected.refused_total).toBe(Math.ceil(CONTRACTS / WRONG_EVERY));
    // the reminder of an invoice in three days comes in its own time, on the last days of a month
    const isTheSame = () => eventually(async () => expect(await shapeOf(killed.vendorId)).toEqual(await shapeOf(quiet.vendorId)));
    await isTheSame();
    expect(await shapeOf(killed.vendorId)).toHaveLength(CONTRACTS);

    const again = await loadImport(killed.api, lines);
    await killed.api.made(`/v1/c/import/${again}/start`, {});
    expect(await doneWith(killed.api, again)).toMatchObject({ done: 0, repeated: expected.done, refused_total: expected.refused_total });
    await isTheSame();
  }, 1_200_000);
});
