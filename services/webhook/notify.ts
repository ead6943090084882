import type { Database } from '../../db/connect.ts';
import { settleLog } from '../../db/sql/event/settle.ts';
import { hasNews, markNotified } from '../../db/sql/webhook/mark-notified.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

const AT_ONCE = 200;

/**
 * Signals the workflows of endpoints that the log has news for them. A transaction that publishes an event writes no
 * message itself: those of one vendor would wait for each other at the row of its message.
 *
 * @returns `some` where there may be more, else `all`; null where no vendor has an endpoint
 */
export async function notifyEndpoints(db: Database): Promise<'some' | 'all' | null> {
  const { settled, isWatched } = await settleLog(db);
  if (!isWatched) return null;
  if (!(await hasNews(db, settled))) return 'all';
  const notified = await db.transaction(
    async (tx) => {
      const ids = await markNotified(tx, settled, AT_ONCE);
      for (const id of ids) enqueue(tx, 'webhook', id);
      return ids.length;
    },
    { prepare: true, by: 'timer' },
  );
  return notified === AT_ONCE ? 'some' : 'all';
}
