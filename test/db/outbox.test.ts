import { leaseDue } from '../../db/sql/outbox/lease-due.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { type OutboxKit, outboxKit } from './outbox-kit.ts';

let kit: OutboxKit;
beforeAll(async () => {
  kit = await outboxKit();
});
beforeEach(() => kit.clear());
afterAll(() => kit.drop());

describe('a message to a workflow', () => {
  it('counts what is wanted of it, once a transaction, and is sent once for all that was wanted before', async () => {
    await kit.wants('Cont_1', 'Cont_1', 'Cont_2');
    await kit.wants('Cont_1');
    expect(await kit.counts()).toEqual({ Cont_1: '0 of 2', Cont_2: '0 of 1' });
    expect(await kit.dispatcher().sendDue()).toBe(false);
    expect(await kit.counts()).toEqual({ Cont_1: '2 of 2', Cont_2: '1 of 1' });
    await kit.wants('Cont_2');
    expect(await kit.counts()).toEqual({ Cont_1: '2 of 2', Cont_2: '1 of 2' });
    await kit.dispatcher().sendDue();
    expect(kit.temporal.taken.sort()).toEqual(['Cont_1', 'Cont_2', 'Cont_2']);
  });

  it('is not sent when its transaction is rolled back, nor when the savepoint is that it was enqueued in', async () => {
    const process = kit.sending();
    const part = (tx: Tx, id: string, error?: Error) =>
      inSavepoint(tx, async () => {
        enqueue(tx, 'contract', id);
        if (error !== undefined) throw error;
      });
    await kit.db.transaction(async (tx) => {
      enqueue(tx, 'contract', 'before');
      await expect(part(tx, 'rolled back', new Error('this part alone'))).rejects.toThrow('this part alone');
      await part(tx, 'kept');
      enqueue(tx, 'contract', 'behind');
    });
    const whole = kit.db.transaction(async (tx) => {
      enqueue(tx, 'contract', 'lost');
      throw new Error('all of it');
    });
    await expect(whole).rejects.toThrow('all of it');
    await process.idle();
    expect(kit.temporal.taken.sort()).toEqual(['before', 'behind', 'kept']);
    expect(Object.keys(await kit.counts())).toEqual(['before', 'behind', 'kept']);
  });

  it('is not written for the workflow whose activity the transaction is, which learns it from the answer', async () => {
    await kit.db.transaction(
      async (tx) => {
        enqueue(tx, 'contract', 'Cont_own');
        enqueue(tx, 'contract', 'Cont_other');
      },
      { within: 'Cont_own' },
    );
    expect(await kit.counts()).toEqual({ Cont_other: '0 of 1' });
  });

  it('is sent after its commit, never before', async () => {
    const process = kit.sending();
    const { promise: commit, resolve } = Promise.withResolvers<void>();
    const { promise: open, resolve: isOpen } = Promise.withResolvers<void>();
    const work = kit.db.transaction(async (tx) => {
      enqueue(tx, 'contract', 'Cont_1');
      isOpen();
      await commit;
    });
    await open;
    expect(await kit.dispatcher().sendDue()).toBe(false);
    expect(kit.temporal.asked).toEqual([]);
    resolve();
    await work;
    await process.idle();
    expect(kit.temporal.taken).toEqual(['Cont_1']);
  });

  it('that is enqueued while another dispatcher sends it is sent again: what changed meanwhile may have been read too early', async () => {
    const process = kit.sending();
    const answer = kit.temporal.holds('Cont_1');
    await kit.wants('Cont_1');
    await kit.temporal.isAsked('Cont_1');
    const other = kit.dispatcher();
    kit.db.dispatcher = other;
    await kit.wants('Cont_1');
    await other.idle();
    expect(await other.sendDue()).toBe(false);
    expect(kit.temporal.asked).toEqual(['Cont_1']);
    answer();
    await process.idle();
    expect(kit.temporal.taken).toEqual(['Cont_1', 'Cont_1']);
    expect(await kit.counts()).toEqual({ Cont_1: '2 of 2' });
  });

  it('of a process that ends between its commit and the sending is sent by the relay of another', async () => {
    await kit.wants('Cont_1', 'Cont_2');
    await kit.dispatcher().sendDue();
    expect(kit.temporal.taken.sort()).toEqual(['Cont_1', 'Cont_2']);
  });

  it('of a process that ends between sending and noting it is sent again when its lease has ended', async () => {
    await kit.wants('Cont_1');
    expect(await leaseDue(kit.db, 10)).toHaveLength(1);
    const relay = kit.dispatcher();
    await relay.sendDue();
    expect(kit.temporal.taken).toEqual([]);
    await kit.db.query(`update outbox set leased_until = clock_timestamp() - interval '1 millisecond'`);
    await relay.sendDue();
    expect(kit.temporal.taken).toEqual(['Cont_1']);
    expect(await kit.counts()).toEqual({ Cont_1: '1 of 1' });
  });

  it('is written before the answer however many of a transaction there are: 120 are sent in three goes', async () => {
    const process = kit.sending();
    await kit.wants(...Array.from({ length: 120 }, (_, i) => `Cont_${i}`));
    await process.idle();
    expect(new Set(kit.temporal.taken).size).toBe(120);
    expect(new Set(Object.values(await kit.counts()))).toEqual(new Set(['1 of 1']));
  });
});
