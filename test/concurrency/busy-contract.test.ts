import { signedContract } from '../api/support.ts';
import type { TestResponse } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor } from '../support/vendor.ts';
import { booksOf, expectSettled } from './books.ts';

it('a cancellation that waits longer than a second for its contract is refused, changes nothing, and may come again under its key', async () => {
  const vendor = await newVendor();
  const { contractId } = await signedContract(vendor);
  const cancel = () =>
    vendor.api.post(`/v1/c/contract/${contractId}/cancel`, { when: { type: 'now' }, credit: true }, { 'idempotency-key': contractId });
  const lines = () => withTestDatabase((db) => db.query('select id from invoice_item where contract_id = $1', [contractId]));
  const before = await lines();
  const refused = await withTestDatabase((db) =>
    db.transaction(async (tx) => {
      await tx.query('select id from contract where id = $1 for update', [contractId]);
      return cancel();
    }),
  );
  expect(refused).toMatchObject({ status: 409, body: { code: 'change_in_progress' } });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await lines()).toEqual(before);
  expect((await vendor.api.read(`/v1/c/contract/${contractId}`)).contract_summary.status).toBe('active');
  await eventually(async () => expect(await cancel()).toMatchObject({ status: 200, body: contractId }));
  expect((await vendor.api.read(`/v1/c/contract/${contractId}`)).contract_summary.status).toBe('canceled');
});

/** 100 changes of a contract that somebody holds until 90 of them are answered. */
async function changesOfOneHeld() {
  const vendor = await newVendor();
  const { customerId, contractId } = await signedContract(vendor);
  const answered: TestResponse[] = [];
  const change = async (seats: number): Promise<TestResponse> => {
    const units = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: String(seats) } };
    const answer = await vendor.api.post(`/v1/c/contract/${contractId}/upgrade`, { upgrade_configuration: units });
    answered.push(answer);
    return answer;
  };
  const { changes } = await withTestDatabase((db) =>
    db.transaction(async (tx) => {
      await tx.query('select id from contract where id = $1 for update', [contractId]);
      const begun = Promise.all(Array.from({ length: 100 }, (_, i) => change(6 + (i % 40))));
      // each second one of the running requests gives up
      await eventually(() => expect(answered.length).toBeGreaterThanOrEqual(90), { every: 10 });
      return { changes: begun };
    }),
  );
  const all = await changes;
  return { vendor, customerId, all, shown: all.filter(({ body }) => body.code === 'change_in_progress') };
}

it('of 100 changes of a contract that somebody holds, ten wait and 90 are asked at once to come back; then one is answered 200, and one contract lives', async () => {
  const { vendor, customerId, all, shown } = await eventually(async () => {
    const round = await changesOfOneHeld();
    // where 90 answers take a busy machine ten seconds, each of the ten has waited for its second before
    expect(round.shown.length).toBeLessThan(100);
    return round;
  });
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expectSettled(all);
  expect(shown.length).toBeGreaterThanOrEqual(90);
  for (const { headers } of shown) expect(headers.get('retry-after')).toMatch(/^\d+$/);
  const { live, contracts } = await booksOf(vendor.api, customerId);
  expect([live.length, contracts.length, live[0].id]).toEqual([1, 2, all.find(({ status }) => status === 200)?.body]);
});
