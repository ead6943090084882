import { copyTemplate } from '../../bench/growth/copy.ts';
import { readTemplate } from '../../bench/growth/template.ts';
import { fallDue, type Herd, makeHerd } from '../../bench/rollover/herd.ts';
import { dueOfVendor } from '../../db/sql/contract/due-of-vendor.ts';
import { nextDueVendor } from '../../db/sql/contract/next-due-vendor.ts';
import { billBatch } from '../../services/bill-run/bill-batch.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

const MANY = 5_000;

let own: OwnDatabase;
beforeAll(async () => {
  own = await ownDatabase();
});
afterAll(() => own.drop());

/** A contract by the hour that is due. */
async function dueAt(instant: number): Promise<Herd> {
  const herd = await makeHerd(own.db, 1);
  await fallDue(own.db, herd, instant);
  return herd;
}

const byCustomer = async (ids: readonly string[]): Promise<string[]> =>
  (await own.db.query<{ id: string }>('select id from contract where id = any($1::text[]) order by customer_id, id', [ids])).map(
    ({ id }) => id,
  );

it(`with ${MANY} contracts of one vendor due, a batch reads its own rows, and the one of another vendor is billed by the second batch`, async () => {
  const instant = Date.now() + 3_000;
  const [many, one] = [await dueAt(instant), await dueAt(instant)];
  const [row] = await own.db.query<{ id: string }>('select customer_id as id from contract where id = any($1::text[])', [many.ids]);
  await copyTemplate(own.db, await readTemplate(own.db, row?.id ?? ''), { vendorId: many.vendorId, first: 1, count: MANY - 1 });
  await eventually(() => expect(Date.now()).toBeGreaterThan(instant));

  for (const counted of ['not yet', 'by now']) {
    if (counted === 'by now') await own.db.query('analyze agenda');
    const counting = countingReads(own.db, ['agenda']);
    const listed = await dueOfVendor(counting, many.vendorId, instant, { lane: 0, lanes: 1 }, 100);
    expect(listed).toHaveLength(100);
    expect(listed).toEqual(await byCustomer(listed));
    expect([counted, counting.read]).toEqual([counted, 100]);
    const half = await dueOfVendor(counting, many.vendorId, instant, { lane: 1, lanes: 2 }, 100);
    expect(half).toHaveLength(100);
    expect([counted, counting.read < 500]).toEqual([counted, true]);
    const asking = countingReads(own.db, ['agenda']);
    const first = await nextDueVendor(asking, instant, { lane: 1, lanes: 2 }, null);
    expect([many.vendorId, one.vendorId]).toContain(first);
    expect([counted, asking.read < 100]).toEqual([counted, true]);
  }

  const billed: { vendorId: string | null; contracts: number }[] = [];
  for (let after: string | null = null; billed.length < 2; ) {
    const batch = await own.db.transaction((tx) => billBatch(tx, { lane: 0, lanes: 1, after }), { by: 'bill_run' });
    billed.push({ vendorId: batch.vendorId, contracts: batch.contracts });
    after = batch.vendorId;
  }
  expect(billed.find(({ vendorId }) => vendorId === one.vendorId)).toEqual({ vendorId: one.vendorId, contracts: 1 });
  expect(billed.find(({ vendorId }) => vendorId === many.vendorId)).toEqual({ vendorId: many.vendorId, contracts: 100 });
});
