import { connect } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { UsageIntake } from '../../services/usage/intake.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let own: OwnDatabase;
let kit: Kit;
beforeAll(async () => {
  own = await ownDatabase();
  kit = await openKit({ ...(await servers()), databaseUrl: own.databaseUrl });
});
afterAll(async () => {
  await kit.close();
  await own.drop();
});

it('usage that comes without a time in the last half of a period’s last millisecond is dated in that period, in which it counts', async () => {
  const customerId = await kit.customer();
  const contractId = await kit.signWithoutMessages(customerId, await kit.plan('10.00', { calls: '0.01' }));
  const [period] = await own.db.query<{ until: number }>('select usage_until as until from usage_period where contract_id = $1', [
    contractId,
  ]);
  const until = period?.until ?? 0;
  const [key] = await own.db.query<{ id: string }>('select id from api_key where vendor_id = $1', [kit.vendorId]);
  // new connections get this clock in the place of Postgres's own
  await own.db.query(`
    create schema early;
    create function early.clock_timestamp() returns timestamptz language sql stable as
      $$select timestamptz '${new Date(until).toISOString()}' - interval '400 microseconds'$$;
    alter database ${new URL(own.databaseUrl).pathname.slice(1)} set search_path = early, pg_catalog, public`);
  const db = await connect({ databaseUrl: own.databaseUrl, databasePool: 2 });
  try {
    const plain = { keyId: key?.id ?? '', slug: 'calls', isAbsolute: false, metadata: {}, idempotencyKey: null, allowCorrection: false };
    const event = { id: newId('Evt'), vendorId: kit.vendorId, customerId, units: '1', timestamp: null, ...plain };
    expect(await new UsageIntake(db).report([event])).toEqual([{ id: event.id }]);
    const stored = await db.query('select timestamp, arrived_at as arrived, period_idx as idx from usage_event where id = $1', [event.id]);
    expect(stored).toEqual([{ timestamp: until - 1, arrived: until - 1, idx: 1 }]);
  } finally {
    await db.close();
  }
});
