import type { Database, Tx } from '../../db/connect.ts';
import { overdueWorkflows } from '../../db/sql/agenda/overdue-workflows.ts';
import { overdueAgenda } from '../../db/sql/agenda/read-overdue.ts';
import { writeOutbox } from '../../db/sql/outbox/write.ts';
import { signalOverdue } from '../../services/agenda/signal-overdue.ts';
import { signContract } from '../../services/contract/sign.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const ROLLED_BACK = new Error('nobody else shall see these contracts');

/** The database as one transaction sees it, what it is asked to do in others included. */
const seenBy = (tx: Tx): Database => ({
  ...kit.db,
  query: tx.query,
  transaction: async (work) => {
    const inner = { ...tx, outbox: [] };
    const result = await work(inner);
    await writeOutbox(tx, inner.outbox, () => 0, null);
    return result;
  },
});

/** Contracts that are never advanced, due an hour ago, seen by this transaction alone. */
async function withStuck(count: number, look: (tx: Tx, stuck: readonly string[]) => Promise<void>): Promise<void> {
  const input = kit.signInput(await kit.customer(), await kit.plan('10.00'));
  const work = kit.db.transaction(async (tx) => {
    const contractId = await signContract(tx, input);
    const rows = await tx.query<{ id: string }>(
      `insert into contract select (jsonb_populate_record(c, jsonb_build_object(
         'id', c.id || '_' || n, 'root_id', c.id || '_' || n, 'plan_id', c.plan_id || '_' || n))).*
       from contract c, generate_series(1, $2::int) n where c.id = $1 returning id`,
      [contractId, count],
    );
    const ids = rows.map(({ id }) => id);
    await tx.query(
      `insert into agenda (vendor_id, customer_id, contract_id, workflow_id, kind, subject, due_at, detail)
       select vendor_id, customer_id, id, root_id, 'boundary', id, now() - interval '1 hour', '{}' from contract where id = any($1::text[])`,
      [ids],
    );
    await look(tx, ids);
    throw ROLLED_BACK;
  });
  await expect(work).rejects.toBe(ROLLED_BACK);
}

const wantedOf = (tx: Tx, ids: readonly string[]) =>
  tx.query<{ wanted: string }>('select wanted from outbox where workflow_id = any($1::text[])', [ids]);

describe('the workflows of what should have been done a minute ago', () => {
  it('are signalled, of 450 that are stuck for good each once in three passes; one whose message is open or was sent just now is not signalled again', async () => {
    await withStuck(450, async (tx, stuck) => {
      const db = seenBy(tx);
      expect([await signalOverdue(db), await signalOverdue(db)]).toEqual([true, true]);
      while (await signalOverdue(db));
      expect(await wantedOf(tx, stuck)).toEqual(stuck.map(() => ({ wanted: '1' })));
      const mark = 'update outbox set sent = wanted, sent_at = clock_timestamp() - $2::interval where workflow_id = any($1::text[])';
      await tx.query(mark, [stuck, '30 seconds']);
      while (await signalOverdue(db));
      expect(await wantedOf(tx, stuck)).toEqual(stuck.map(() => ({ wanted: '1' })));
      await tx.query(mark, [stuck, '2 minutes']);
      while (await signalOverdue(db));
      expect(await wantedOf(tx, stuck)).toEqual(stuck.map(() => ({ wanted: '2' })));
    });
  });

  it('are those of the wall clock alone, not of what is held, nor of what was due less than a minute ago', async () => {
    await withStuck(3, async (tx, stuck) => {
      const [held = '', young = '', late = ''] = stuck;
      await tx.query('update agenda set held = true where contract_id = $1', [held]);
      await tx.query(`update agenda set due_at = now() - interval '50 seconds' where contract_id = $1`, [young]);
      const shown = await overdueWorkflows(tx, 1_000_000);
      expect(stuck.filter((id) => shown.includes(id))).toEqual([late]);
      await tx.query(`update agenda set test_clock_id = 'Clock_1' where contract_id = $1`, [late]);
      expect(await overdueWorkflows(tx, 1_000_000)).not.toContain(late);
    });
  });

  it('are counted by doctor, /readyz and the metrics alike: not what a parked contract holds, but what goes on in a freeze', async () => {
    const frozen = await kit.customer();
    await withStuck(4, async (tx, stuck) => {
      const [held = '', young = '', goesOn = '', late = ''] = stuck;
      await tx.query('update agenda set held = true where contract_id = $1', [held]);
      await tx.query(`update agenda set due_at = now() - interval '50 seconds' where contract_id = $1`, [young]);
      await tx.query(`update agenda set due_at = now() - interval '70 seconds' where contract_id = $1`, [late]);
      await tx.query(`update customer set status = 'inactive' where id = $1`, [frozen]);
      await tx.query('update agenda set customer_id = $2 where contract_id = $1', [goesOn, frozen]);
      const found = (await overdueAgenda(tx, 1_000_000)).map(({ contractId }) => contractId);
      expect(stuck.filter((id) => found.includes(id))).toEqual([goesOn, late]);
      const shown = await overdueWorkflows(tx, 1_000_000);
      expect(stuck.filter((id) => shown.includes(id))).toEqual([goesOn, late]);
    });
  });
});
