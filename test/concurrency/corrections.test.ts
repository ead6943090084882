import { connect, type Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { amendUsage } from '../../services/usage/amend.ts';
import { recordOne } from '../../services/usage/record-one.ts';
import { signedContract } from '../api/support.ts';
import type { TestResponse } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { booksOf } from './books.ts';

let db: Database;
let vendor: TestVendor;
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 6 });
  vendor = await newVendor();
});
afterAll(() => db.close());

/** A canceled contract whose January is closed, with a number of events of 10 calls in it. */
async function closedJanuary(count: number): Promise<{ contractId: string; customerId: string; events: string[] }> {
  const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
  const { contractId, customerId } = await signedContract(vendor, { test_clock: clock.id });
  const event = { customer_id: customerId, feature_slug: 'calls', units: '10' };
  const events = await Promise.all(Array.from({ length: count }, () => vendor.api.made('/v1/c/usage', event)));
  await clock.advanceTo('2025-01-20T00:00:00Z');
  await vendor.api.made(`/v1/c/contract/${contractId}/cancel`, { when: { type: 'now' } });
  await eventually(async () => {
    const { hits } = await vendor.api.read(`/v1/c/contract/${contractId}/usage_period`);
    expect(hits.map(({ status }: { status: string }) => status)).toEqual(['closed']);
  });
  return { contractId, customerId, events };
}

/** The same database, counting how often a transaction had to be begun. */
function counted(): { db: Database; begun: () => number } {
  let begun = 0;
  const transaction: Database['transaction'] = (work) =>
    db.transaction((tx) => {
      begun += 1;
      return work(tx);
    });
  return { db: { ...db, transaction }, begun: () => begun };
}

/** Begins all while another transaction has the period locked, so that they meet there, then lets them go on. */
async function meeting<T>(contractId: string, begin: () => Promise<T>[]): Promise<T[]> {
  let started: Promise<T>[] = [];
  await db.transaction(async (tx) => {
    await tx.query('select idx from usage_period where contract_id = $1 for update', [contractId]);
    started = begin();
    await eventually(async () => expect(await waitingFor(tx, db)).toBeGreaterThanOrEqual(started.length));
  });
  return Promise.all(started);
}

it('two corrections of one closed period that meet wait for each other: each is begun once, no deadlock', async () => {
  const { contractId, customerId, events } = await closedJanuary(2);
  const amending = counted();
  const amend = (eventId: string) => ({ vendorId: vendor.vendorId, eventId, units: '200', notes: null, keyId: null });
  await meeting(contractId, () => events.map((id) => amending.db.transaction((tx) => amendUsage(tx, amend(id)))));
  expect(amending.begun()).toBe(2);

  const reporting = counted();
  const late = () => ({
    id: newId('Evt'),
    vendorId: vendor.vendorId,
    keyId: vendor.keyId,
    customerId,
    slug: 'calls',
    units: '100',
    isAbsolute: false,
    metadata: {},
    timestamp: Date.UTC(2025, 0, 10),
    idempotencyKey: null,
    allowCorrection: true,
  });
  const recorded = await meeting(contractId, () => [recordOne(reporting.db, late(), 4_000), recordOne(reporting.db, late(), 4_000)]);
  expect(recorded.map((one) => 'id' in one)).toEqual([true, true]);
  expect(reporting.begun()).toBe(2);
});

/** A call as a client makes it: again where the answer is that a busy machine has no place for it now. */
const taken = (call: () => Promise<TestResponse>): Promise<TestResponse> =>
  eventually(
    async () => {
      const answer = await call();
      expect(answer.status).not.toBe(503);
      return answer;
    },
    { every: 1_000 },
  );

it('30 amendments and 30 late reports of a canceled contract at once: all taken, 300 + 600 calls billed as 9 packs of 2.95', async () => {
  const { customerId, events } = await closedJanuary(30);
  const late = { customer_id: customerId, feature_slug: 'calls', units: '10', timestamp: '2025-01-10T00:00:00Z', allow_correction: true };
  const answers = await Promise.all(
    events.flatMap((id) => [
      taken(() => vendor.api.post(`/v1/c/usage/${id}/amend`, { units: '20' })),
      taken(() => vendor.api.post('/v1/c/usage', late, { 'idempotency-key': `late-${id}` })),
    ]),
  );
  expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  const { invoices } = await booksOf(vendor.api, customerId);
  const calls = invoices.flatMap(({ invoice_items }) => invoice_items).filter(({ name }) => name.includes('Calls'));
  const cents = calls.reduce((sum: number, { total_including_tax }) => sum + Math.round(Number(total_including_tax) * 100), 0);
  expect(cents).toBe(9 * 295);
});
