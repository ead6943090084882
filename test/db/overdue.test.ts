import { doctorChecks } from '../../cli/doctor-checks.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { overdueWorkflows, silentWorkflows } from '../../db/sql/agenda/overdue-workflows.ts';
import { overdueAgenda } from '../../db/sql/agenda/read-overdue.ts';
import { writeOutbox } from '../../db/sql/outbox/write.ts';
import { signalOverdue, signalSilent } from '../../services/agenda/signal-overdue.ts';
import { signContract } from '../../services/contract/sign.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';
import { attemptOf, payer } from '../workflows/payer.ts';

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

const MOST = 1_000_000;
const overdueIn = async (tx: Tx): Promise<string[]> => (await overdueWorkflows(tx, null, MOST)).workflowIds;

/** All passes of one sweep. */
async function signalAll(db: Database): Promise<void> {
  for (let after = await signalOverdue(db, null); after !== null; ) after = await signalOverdue(db, after);
  while (await signalSilent(db));
}

const wantedOf = (tx: Tx, ids: readonly string[]) =>
  tx.query<{ wanted: string }>('select wanted from outbox where workflow_id = any($1::text[])', [ids]);

describe('the workflows of what should have been done a minute ago', () => {
  it('are signalled, of 450 that are stuck for good each once in three passes; one whose message is open or was sent just now is not signalled again', async () => {
    await withStuck(450, async (tx, stuck) => {
      const db = seenBy(tx);
      const first = await signalOverdue(db, null);
      const second = await signalOverdue(db, first);
      expect([first, second]).not.toContain(null);
      await signalOverdue(db, second);
      await signalAll(db);
      expect(await wantedOf(tx, stuck)).toEqual(stuck.map(() => ({ wanted: '1' })));
      const mark = 'update outbox set sent = wanted, sent_at = clock_timestamp() - $2::interval where workflow_id = any($1::text[])';
      await tx.query(mark, [stuck, '30 seconds']);
      await signalAll(db);
      expect(await wantedOf(tx, stuck)).toEqual(stuck.map(() => ({ wanted: '1' })));
      await tx.query(mark, [stuck, '2 minutes']);
      await signalAll(db);
      expect(await wantedOf(tx, stuck)).toEqual(stuck.map(() => ({ wanted: '2' })));
    });
  });

  it('are those of the wall clock alone, not of what is held, nor of what was due less than a minute ago', async () => {
    await withStuck(3, async (tx, stuck) => {
      const [held = '', young = '', late = ''] = stuck;
      await tx.query('update agenda set held = true where contract_id = $1', [held]);
      await tx.query(`update agenda set due_at = clock_timestamp() - interval '50 seconds' where contract_id = $1`, [young]);
      const shown = await overdueIn(tx);
      expect(stuck.filter((id) => shown.includes(id))).toEqual([late]);
      await tx.query(`update agenda set test_clock_id = 'Clock_1' where contract_id = $1`, [late]);
      expect(await overdueIn(tx)).not.toContain(late);
    });
  });

  it('are counted by doctor, /readyz and the metrics alike: not what a parked contract holds, but what goes on in a freeze', async () => {
    const frozen = await kit.customer();
    await withStuck(4, async (tx, stuck) => {
      const [held = '', young = '', goesOn = '', late = ''] = stuck;
      await tx.query('update agenda set held = true where contract_id = $1', [held]);
      await tx.query(`update agenda set due_at = clock_timestamp() - interval '50 seconds' where contract_id = $1`, [young]);
      await tx.query(`update agenda set due_at = now() - interval '70 seconds' where contract_id = $1`, [late]);
      await tx.query(`update customer set status = 'inactive' where id = $1`, [frozen]);
      await tx.query('update agenda set customer_id = $2 where contract_id = $1', [goesOn, frozen]);
      const found = (await overdueAgenda(tx, 1_000_000)).map(({ contractId }) => contractId);
      expect(stuck.filter((id) => found.includes(id))).toEqual([goesOn, late]);
      const shown = await overdueIn(tx);
      expect(stuck.filter((id) => shown.includes(id))).toEqual([goesOn, late]);
    });
  });
});

/** The same id, made months ago. */
const longAgo = (id: string): string => id.replace(/_[0-9a-f]{8}/, '_0197a3c4');
const workflowsOf = (attempts: readonly string[]): string[] => attempts.map((id) => `payment:${id}`);

const sentBefore = (tx: Tx, attempts: readonly string[], time: string) =>
  tx.query('update outbox set sent = wanted, sent_at = clock_timestamp() - $2::interval where workflow_id = any($1::text[])', [
    workflowsOf(attempts),
    time,
  ]);

/**
 * Attempts of one customer each, by name. They were opened long ago, are open again, and their messages were sent
 * eleven minutes ago, in this transaction alone.
 */
async function withOpenPayments<N extends string>(
  names: readonly N[],
  look: (tx: Tx, attempts: Record<N, string>) => Promise<void>,
): Promise<void> {
  const paid = await Promise.all(
    names.map(async (name) => {
      const { customer } = await payer(kit, 'sandbox_ok');
      return [name, (await attemptOf(kit, customer, 'succeeded')).id] as const;
    }),
  );
  const ids = paid.map(([, id]) => id);
  await eventually(async () => {
    const sent = await kit.db.query('select kind from outbox where workflow_id = any($1::text[]) and sent >= wanted', [workflowsOf(ids)]);
    expect(sent).toHaveLength(ids.length);
  });
  const work = kit.db.transaction(async (tx) => {
    for (const id of ids) {
      await tx.query(`update payment_attempt set id = $2, status = 'processing' where id = $1`, [id, longAgo(id)]);
      await tx.query('update outbox set workflow_id = $2 where workflow_id = $1', [`payment:${id}`, `payment:${longAgo(id)}`]);
    }
    await sentBefore(tx, ids.map(longAgo), '11 minutes');
    await look(tx, Object.fromEntries(paid.map(([name, id]) => [name, longAgo(id)])) as Record<N, string>);
    throw ROLLED_BACK;
  });
  await expect(work).rejects.toBe(ROLLED_BACK);
}

describe('the workflows of payments that are being carried out', () => {
  it('are signalled when they were sent nothing for ten minutes: not those that wait for their provider, on test clocks too', async () => {
    const names = ['silent', 'onClock', 'forgotten', 'recent', 'unsent', 'waits', 'ended', 'young'] as const;
    await withOpenPayments(names, async (tx, attempts) => {
      const { onClock, forgotten, recent, unsent, waits, ended, young } = attempts;
      await tx.query('update payment_attempt set test_clock_id = $2 where id = $1', [onClock, await kit.clock('2025-01-01')]);
      // its message was sent so long ago that it has been deleted
      await tx.query('delete from outbox where workflow_id = any($1::text[])', [workflowsOf([forgotten, young])]);
      await sentBefore(tx, [recent], '9 minutes');
      await tx.query('update outbox set wanted = sent + 1 where workflow_id = $1', [`payment:${unsent}`]);
      await tx.query(`update payment_attempt set ask_at = now() + interval '1 day' where id = $1`, [waits]);
      await tx.query(`update payment_attempt set status = 'failed' where id = $1`, [ended]);
      const now = { ...attempts, young: newId('Pay') };
      await tx.query('update payment_attempt set id = $2 where id = $1', [young, now.young]);
      const shown = await silentWorkflows(tx, MOST);
      expect(names.filter((name) => shown.includes(`payment:${now[name]}`))).toEqual(['silent', 'onClock', 'forgotten']);
    });
  });

  it('so are those of methods that their provider still has to delete', async () => {
    const { customer } = await payer(kit, 'sandbox_ok');
    const [old, kept, young] = [longAgo(newId('CPMet')), longAgo(newId('CPMet')), newId('CPMet')];
    const work = kit.db.transaction(async (tx) => {
      await tx.query(
        `insert into payment_method select (jsonb_populate_record(m, jsonb_build_object('id', n.id, 'reference', n.id, 'status', 'detached', 'detach_pending', n.pending))).*
         from payment_method m, (values ($2, true), ($3, true), ($4, false)) as n(id, pending) where m.customer_id = $1`,
        [customer, old, young, kept],
      );
      const asked = [old, kept, young].map((id) => `detach:${id}`);
      const shown = await silentWorkflows(tx, MOST);
      expect(asked.filter((id) => shown.includes(id))).toEqual([`detach:${old}`]);
      const [named] = doctorChecks(seenBy(tx), async (ids) => [...ids]).filter(({ asks }) => asks.includes('detachment'));
      expect(await named?.findings()).toContain(`detach:${old} has no running workflow`);
      await signalAll(seenBy(tx));
      const sent = 'select kind, workflow_id as "workflowId" from outbox where workflow_id = any($1::text[])';
      expect(await tx.query(sent, [asked])).toEqual([{ kind: 'detach', workflowId: `detach:${old}` }]);
      throw ROLLED_BACK;
    });
    await expect(work).rejects.toBe(ROLLED_BACK);
  });

  it('are each sent one message in ten minutes, and so are those of refunds', async () => {
    await withOpenPayments(['silent'], async (tx, { silent }) => {
      const db = seenBy(tx);
      const refund = longAgo(newId('Pay')).replace('Pay', 'Ref');
      await tx.query(
        `insert into payment_refund (id, vendor_id, customer_id, attempt_id, amount, currency, status, created)
         select $2, vendor_id, customer_id, id, amount, currency, 'processing', created from payment_attempt where id = $1`,
        [silent, refund],
      );
      const wanted = async () => Number((await wantedOf(tx, workflowsOf([silent])))[0]?.wanted);
      const before = await wanted();
      await signalAll(db);
      await signalAll(db);
      expect(await wanted()).toBe(before + 1);
      expect(await tx.query('select kind, wanted from outbox where workflow_id = $1', [`refund:${refund}`])).toEqual([
        { kind: 'refund', wanted: '1' },
      ]);
      await sentBefore(tx, [silent], '11 minutes');
      await signalAll(db);
      expect(await wanted()).toBe(before + 2);
    });
  });
});
