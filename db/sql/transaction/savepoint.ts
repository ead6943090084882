import { together } from '../../together.ts';
import { sendLast, type Tx } from '../../transaction.ts';

/**
 * Does a part of a transaction that may fail: what it wrote is then taken back, and the transaction can go on. The
 * entity manager then forgets all entities: code that needs what was read before the part reads it again. SQL, because
 * MikroORM's nested transactions have a manager of their own, which doesn't know what this one has read.
 */
export async function inSavepoint<T>(tx: Tx, part: () => Promise<T>): Promise<T> {
  const written = tx.outbox.length;
  const counted = tx.counted.length;
  await tx.em.flush();
  await sendLast(tx);
  await tx.query('savepoint part');
  try {
    const result = await part();
    await tx.em.flush();
    await sendLast(tx);
    await tx.query('release savepoint part');
    return result;
  } catch (error) {
    // a prepared statement is one command
    await together(tx, [() => tx.query('rollback to savepoint part'), () => tx.query('release savepoint part')]);
    [tx.outbox.length, tx.counted.length, tx.last.length] = [written, counted, 0];
    tx.em.clear();
    throw error;
  }
}
