import { connect, type Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import type { ReportedUsage } from '../../db/usage/event.ts';
import { UsageIntake } from '../../services/usage/intake.ts';
import { signedContract } from '../api/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const idOf = (result: { id: string } | { error: unknown }): string => ('id' in result ? result.id : String(result.error));

describe('usage intake', () => {
  let vendor: TestVendor;
  let customerId: string;
  beforeEach(async () => {
    vendor = await newVendor();
    ({ customerId } = await signedContract(vendor));
  });

  const event = (more: Partial<ReportedUsage> = {}): ReportedUsage => ({
    id: newId('Evt'),
    vendorId: vendor.vendorId,
    keyId: vendor.keyId,
    customerId,
    slug: 'calls',
    units: '1',
    isAbsolute: false,
    metadata: {},
    timestamp: null,
    idempotencyKey: null,
    allowCorrection: false,
    ...more,
  });
  const used = () =>
    withTestDatabase((db) =>
      db.query<{ units: string; events: string; written: string }>(
        `select trim_scale(c.units)::text as units, c.events::text,
           (select count(*)::text from usage_event e where e.contract_id = c.contract_id and e.discarded_at is null) as written
         from usage_counter c join contract on contract.id = c.contract_id where contract.customer_id = $1`,
        [customerId],
      ),
    );

  it('says of what is on disk that it is, though another event of its group fails for no foreseen reason', async () => {
    await withTestDatabase(async (db) => {
      const intake = new UsageIntake(db);
      const [good, bad, late] = [event(), event({ isAbsolute: true, units: 'no number' }), event({ units: '2' })];
      const results = await Promise.all([intake.report([good]), intake.report([bad]), intake.report([late])]);
      expect(results.map(([one]) => one && 'id' in one && one.id)).toEqual([good.id, false, late.id]);
    });
    expect(await used()).toEqual([{ units: '3', events: '2', written: '2' }]);
  });

  it('with a limit records what is good of a group, though another event of it fails for no foreseen reason', async () => {
    const limit = { feature_slug: 'calls', units: '100', window: 'period', action: 'refuse' };
    await vendor.api.made(`/v1/c/customer/${customerId}/limit`, limit);
    await withTestDatabase(async (db) => {
      const intake = new UsageIntake(db);
      const [first, good, bad] = [event(), event(), event({ units: 'no number' })];
      expect((await intake.report([first])).map(idOf)).toEqual([first.id]);
      expect((await intake.report([good, bad])).map((one) => 'id' in one && one.id)).toEqual([good.id, false]);
    });
    expect(await used()).toEqual([{ units: '2', events: '2', written: '2' }]);
  });

  it('adds what one report names behind a marker to it, though neither is dated', async () => {
    await withTestDatabase(async (db) => {
      const batch = [event({ isAbsolute: true, units: '100' }), event({ units: '5' })];
      expect((await new UsageIntake(db).report(batch)).map(idOf)).toEqual(batch.map(({ id }) => id));
    });
    expect((await used())[0]?.units).toBe('105');
  });

  it('of one vendor leaves a place to another, though five of its customers are locked', async () => {
    const other = await newVendor();
    const { customerId: free } = await signedContract(other);
    const locked = [customerId, ...(await Promise.all([1, 2, 3, 4].map(() => signedContract(vendor)))).map((one) => one.customerId)];
    const db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 10 });
    const intake = new UsageIntake(db);
    const [isLocked, isOver] = [Promise.withResolvers<Tx>(), Promise.withResolvers<void>()];
    const holding = withTestDatabase((holder) =>
      holder.transaction(async (tx) => {
        await tx.query('select from customer where id = any($1::text[]) for update', [locked]);
        isLocked.resolve(tx);
        await isOver.promise;
      }),
    );
    const holder = await isLocked.promise;
    let answered = 0;
    const reports = locked.map((id) => intake.report([event({ customerId: id })]).finally(() => (answered += 1)));
    await eventually(async () => expect(await waitingFor(holder, db)).toBe(4));
    const marker = event({ vendorId: other.vendorId, keyId: other.keyId, customerId: free, isAbsolute: true });
    const recorded = await intake.report([marker]);
    const before = answered;
    isOver.resolve();
    await Promise.all([holding, ...reports]);
    expect([recorded.map(idOf), before]).toEqual([[marker.id], 0]);
    await db.close();
    expect(await used()).toMatchObject([{ units: '1' }]);
  });

  it('of two processes with the same 200 keys in opposite orders writes each event once, and tells both the same ids', async () => {
    await withTestDatabase((one) =>
      withTestDatabase(async (other) => {
        const keys = Array.from({ length: 200 }, (_, n) => `key-${n}`);
        const [here, there] = [keys, keys.toReversed()].map((order) => order.map((idempotencyKey) => event({ idempotencyKey })));
        const [first = [], second = []] = await Promise.all([
          new UsageIntake(one).report(here ?? []),
          new UsageIntake(other).report(there ?? []),
        ]);
        expect(first.map(idOf)).toEqual(second.toReversed().map(idOf));
        expect(new Set(first.map(idOf)).size).toBe(200);
      }),
    );
    expect(await used()).toEqual([{ units: '200', events: '200', written: '200' }]);
  });
});
