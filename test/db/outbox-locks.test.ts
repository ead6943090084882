import { leaseDue } from '../../db/sql/outbox/lease-due.ts';
import type { LeasedMessage } from '../../db/sql/outbox/leased-message.ts';
import { markSent } from '../../db/sql/outbox/mark-sent.ts';
import { putOff } from '../../db/sql/outbox/put-off.ts';
import { writeOutbox } from '../../db/sql/outbox/write.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { eventually } from '../support/eventually.ts';
import { type OutboxKit, outboxKit } from './outbox-kit.ts';

let kit: OutboxKit;
beforeAll(async () => {
  kit = await outboxKit();
});
beforeEach(() => kit.clear());
afterAll(() => kit.drop());

const leased = (workflowId: string): LeasedMessage => ({
  kind: 'contract',
  workflowId,
  wanted: '1',
  tries: 0,
  isFirst: false,
  isUntried: false,
  waitsSince: null,
  lease: 0,
  trace: null,
});
const write = (tx: Tx, ...ids: string[]) =>
  writeOutbox(
    tx,
    ids.map((workflowId) => ({ kind: 'contract', workflowId })),
    () => 0,
    null,
  );

/** Another connection waits for a lock. */
const isWaiting = () =>
  eventually(async () => {
    const rows = await kit.db.query(
      `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
    );
    expect(rows).toHaveLength(1);
  });

/** A transaction writes one message, and behind `beside`, which waits for it, the second one. */
async function writesBoth(beside: () => Promise<unknown>): Promise<void> {
  let waits: Promise<unknown> = Promise.resolve();
  await kit.db.transaction(async (tx) => {
    // a statement that waits for this transaction may hold nothing that this transaction waits for
    await tx.query(`set local lock_timeout = '300ms'`);
    await write(tx, 'Cont_1');
    waits = beside();
    waits.catch(() => undefined);
    await isWaiting();
    await write(tx, 'Cont_2');
  });
  await waits;
}

describe('beside a transaction that writes messages', () => {
  beforeEach(() => kit.wants('Cont_1', 'Cont_2'));

  it('others are noted as sent without holding one while waiting for the other, whatever their order', async () => {
    const leasedNow = await leaseDue(kit.db, 2);
    const inReverse = leasedNow.toSorted((a, b) => (a.workflowId < b.workflowId ? 1 : -1));
    await writesBoth(() =>
      markSent(
        kit.db,
        inReverse.map((message) => ({ message, waits: null })),
      ),
    );
    expect(await kit.counts()).toEqual({ Cont_1: '1 of 2', Cont_2: '1 of 2' });
  });

  it('others are put off the same way', async () => {
    const failed = (id: string) => ({ message: leased(id), failure: 'away', pauseMs: 1 });
    await writesBoth(() => putOff(kit.db, [failed('Cont_2'), failed('Cont_1')]));
    expect((await kit.rows()).map(({ id, tries, failure }) => [id, tries, failure])).toEqual([
      ['Cont_1', 1, 'away'],
      ['Cont_2', 1, 'away'],
    ]);
  });

  it('others are leased and sent the same way, with what the transaction wants of them', async () => {
    const process = kit.dispatcher();
    await writesBoth(() => {
      process.dispatch([leased('Cont_2'), leased('Cont_1')]);
      return process.idle();
    });
    expect(kit.temporal.taken.sort()).toEqual(['Cont_1', 'Cont_2']);
    expect(await kit.counts()).toEqual({ Cont_1: '2 of 2', Cont_2: '2 of 2' });
  });

  it('and takes a number first, one that waits for its number holds no message', async () => {
    const number = (tx: Tx) => tx.query(`select pg_advisory_xact_lock(7)`).then(() => undefined);
    let waits: Promise<unknown> = Promise.resolve();
    await kit.db.transaction(async (tx) => {
      await tx.query(`set local lock_timeout = '300ms'`);
      await number(tx);
      waits = kit.db.transaction(async (other) => {
        enqueue(other, 'contract', 'Cont_1');
        other.last.push(() => number(other));
      });
      waits.catch(() => undefined);
      await isWaiting();
      await write(tx, 'Cont_1');
    });
    await waits;
    expect(await kit.counts()).toEqual({ Cont_1: '0 of 3', Cont_2: '0 of 1' });
  });
});
