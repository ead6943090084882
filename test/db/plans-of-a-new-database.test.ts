import { connect, type Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { isReminderDue } from '../../db/sql/agenda/is-reminder-due.ts';
import { replaceRows } from '../../db/sql/agenda/replace.ts';
import { liveContractOf, liveContractsOf } from '../../db/sql/contract/usage-owners.ts';
import { insertPlain } from '../../db/sql/usage/insert-plain.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const OTHERS = 1_500;
/** Of one customer and its contract; the others have a thousand times as many. */
const FEW = 60;

/** All of so many counts but one have to be few: Postgres may add to one what another connection has read before. */
const COUNTS = 5;

/** The `$1`-th to `$2`-th copy of each row. */
const COPIES = `with people as (
    insert into customer
    select (jsonb_populate_record(c, jsonb_build_object('id', c.id || '_' || n))).* from customer c, generate_series($1::int, $2::int) n where c.id = $3
    returning id
  ), contracts as (
    insert into contract
    select (jsonb_populate_record(c, jsonb_build_object('id', c.id || '_' || n, 'root_id', c.id || '_' || n, 'customer_id', c.customer_id || '_' || n))).*
    from contract c, generate_series($1::int, $2::int) n where c.customer_id = $3
    returning id
  )
  insert into agenda
  select (jsonb_populate_record(a, jsonb_build_object('id', a.id + n * 1000000, 'contract_id', a.contract_id || '_' || n,
    'customer_id', a.customer_id || '_' || n, 'workflow_id', a.workflow_id || '_' || n, 'subject', a.subject || '_' || n))).*
  from agenda a, generate_series($1::int, $2::int) n where a.customer_id = $3`;

describe.each([0, 30, 500])(
  `statements whose plans were made behind %i signings, before ${OTHERS} more, while nobody has counted the rows,`,
  (behind) => {
    let own: OwnDatabase;
    let db: Database;
    const mine = { vendorId: '', keyId: '', customerId: '', contractId: '' };

    beforeAll(async () => {
      own = await ownDatabase();
      db = await connect({ databaseUrl: own.databaseUrl, databasePool: 1 });
      for (const table of ['customer', 'contract', 'agenda']) await db.query(`alter table ${table} set (autovacuum_enabled = off)`);
      const now = Date.now();
      const { vendorId, keyId } = await createVendor(db, 'Of a new database');
      const customer = { ...blankCustomer(vendorId, null, now), name: 'Acme', status: 'active' as const };
      const plan = flatPlan('10.00', { calls: '0.10' });
      const contractId = await db.transaction(async (tx) => {
        await savePlan(tx, vendorId, plan, now);
        await insertCustomer(tx, customer, now);
        return signContract(tx, signInput(vendorId, customer.id, plan.id));
      });
      Object.assign(mine, { vendorId, keyId, customerId: customer.id, contractId });
      await db.query(COPIES, [1, behind, customer.id]);
      // as it does by itself for reports of many events
      await db.query('set plan_cache_mode = force_generic_plan');
      for (let n = 0; n < 2; n += 1) for (const [, run] of statements) await run();
      await db.query(COPIES, [behind + 1, OTHERS, customer.id]);
    }, 120_000);
    afterAll(async () => {
      await db?.close();
      await own?.drop();
    });

    const event = () => ({
      ...{ ...mine, id: newId('Evt'), slug: 'calls', units: '1', isAbsolute: false },
      ...{ metadata: {}, timestamp: null, idempotencyKey: null, allowCorrection: false },
    });
    const inCallersWrite = (work: Parameters<Database['transaction']>[0]): Promise<unknown> =>
      db.transaction(work, { prepare: true, generalPlans: true });

    const statements: [string, () => Promise<unknown>][] = [
      ['a report of usage', async () => expect((await insertPlain(db, [event()])).size).toBe(1)],
      ['the live contracts of a chain that is changed', () => inCallersWrite((tx) => liveContractsOf(tx, [mine.contractId]))],
      ['the live contract of a chain', () => inCallersWrite((tx) => liveContractOf(tx, mine.contractId))],
      [
        'the rows that a contract has on the agenda',
        () => inCallersWrite((tx) => replaceRows(tx, [mine.contractId], ['payment_due'], [], { kind: 'payment_due', keptBy: [] })),
      ],
      ['a look whether a reminder is due', () => isReminderDue(db, null, Date.now())],
    ];

    async function rowsRead(): Promise<number> {
      await db.query('select pg_stat_force_next_flush()');
      const [row] = await db.query<{ n: number }>(
        `select (select sum(idx_tup_read) from pg_stat_user_indexes where relname in ('customer', 'contract', 'agenda'))::int
        + (select sum(seq_tup_read) from pg_stat_user_tables where relname in ('customer', 'contract', 'agenda'))::int as n`,
      );
      return row?.n ?? 0;
    }

    it.each(statements)('read few rows: %s', async (_, run) => {
      const counts: number[] = [];
      for (let n = 0; n < COUNTS; n += 1) {
        const before = await rowsRead();
        await run();
        counts.push((await rowsRead()) - before);
      }
      expect(counts.toSorted((a, b) => a - b).at(-2)).toBeLessThanOrEqual(FEW);
    });
  },
);
