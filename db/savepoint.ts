import type { Queryable } from './connect.ts';

/** Does a part of a transaction that may fail: what it wrote is then taken back, and the transaction can go on. */
export async function inSavepoint<T>(tx: Queryable, part: () => Promise<T>): Promise<T> {
  await tx.query('savepoint part');
  try {
    const result = await part();
    await tx.query('release savepoint part');
    return result;
  } catch (error) {
    await tx.query('rollback to savepoint part; release savepoint part');
    throw error;
  }
}
