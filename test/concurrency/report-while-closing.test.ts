import { connect, type Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { UsageIntake } from '../../services/usage/intake.ts';
import { signedContract } from '../api/support.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';

let db: Database;
let intake: UsageIntake;
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 6 });
  intake = new UsageIntake(db);
});
afterAll(() => db.close());

/** A contract with a metered feature, and a report of 5 for it. */
async function reporter() {
  const vendor = await newVendor();
  const { contractId, customerId } = await signedContract(vendor);
  const id = newId('Evt');
  const { vendorId, keyId } = vendor;
  const event = { id, vendorId, keyId, customerId, slug: 'calls', units: '5', isAbsolute: false, metadata: {} };
  const report = (idempotencyKey: string | null = null) =>
    intake.report([{ ...event, id: idempotencyKey === null ? id : newId('Evt'), timestamp: null, idempotencyKey, allowCorrection: false }]);

  return { contractId, id, report };
}

it('an event that waits for a contract whose period closes meanwhile is left to be refused, not put into the closed period', async () => {
  const { contractId, id, report } = await reporter();
  let reporting: ReturnType<typeof report> | undefined;
  await db.transaction(async (tx) => {
    await tx.query('select id from contract where id = $1 for update', [contractId]);
    reporting = report();
    await eventually(async () => expect(await waitingFor(tx, db)).toBeGreaterThan(0));
    await tx.query('update contract set parked_reason = null where id = $1', [contractId]);
    await tx.query(`update usage_period set status = 'closed' where contract_id = $1`, [contractId]);
  });

  expect(await reporting).toEqual([{ error: expect.objectContaining({ code: 'period_closed' }) }]);
  expect(await db.query('select id from usage_event where id = $1', [id])).toEqual([]);
});

it('an event in two periods, one of them made before a freeze moved it, is written once, in the earlier one', async () => {
  const { contractId, id, report } = await reporter();
  await db.query(
    `insert into usage_period (contract_id, idx, start_at, end_at, usage_from, usage_until, closes_at, status)
     select contract_id, idx + 1, start_at, end_at, usage_from, usage_until, closes_at, status from usage_period where contract_id = $1`,
    [contractId],
  );
  expect(await report()).toEqual([{ id }]);
  expect(await db.query('select period_idx from usage_event where id = $1', [id])).toEqual([{ period_idx: 1 }]);
});

it('while a contract is locked, events of others in its group are recorded at once; its own wait, and are recorded once', async () => {
  const [locked, free, alsoFree] = [await reporter(), await reporter(), await reporter()];
  const ended: string[] = [];
  const reporting: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await tx.query('select id from contract where id = $1 for update', [locked.contractId]);
    const [behind, ...others] = [locked, free, alsoFree].map(({ id, report }) => report().finally(() => ended.push(id)));
    expect((await Promise.all(others)).flat()).toEqual([{ id: free.id }, { id: alsoFree.id }]);
    await eventually(async () => expect(await waitingFor(tx, db)).toBe(1));
    const [later, again] = [await reporter(), await reporter()];
    expect((await Promise.all([later.report(), again.report()])).flat()).toEqual([{ id: later.id }, { id: again.id }]);
    expect(ended).not.toContain(locked.id);
    reporting.push(behind as Promise<unknown>, locked.report('second'), locked.report('third'));
  });

  const [first, second, third] = (await Promise.all(reporting)).flat();
  expect(first).toEqual({ id: locked.id });
  const rows = await db.query<{ id: string }>(
    'select e.id from usage_event e left join usage_key k on k.event_id = e.id where e.contract_id = $1 order by k.key',
    [locked.contractId],
  );
  expect(rows.map(({ id }) => ({ id }))).toEqual([second, third, first]);
  expect(await db.query(`select own_units, own_events from usage_counter where contract_id = $1`, [locked.contractId])).toEqual([
    { own_units: '15', own_events: '3' },
  ]);
});
