import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../connect.ts';
import { insertRows, stamp } from '../rows.ts';

/** Which request to a contract it was. */
interface Asked {
  contractId: string;
  operation: string;
  key: string;
}

const KIND = 'confirm_contract';
/** Behind the deadline of the request: by then its answer has come, or never will. */
const SLACK_MS = 5_000;

const payloadOf = ({ operation, key }: Asked) => ({ operation, key });

/**
 * A history knows of an Update only once the workflow task that carried it out is complete. Where worker and server die between the commit of
 * its step and that, the workflow goes on with what it knew before. So each step wishes for a wake some seconds after its deadline, which
 * whoever hears the answer takes back. It is nobody else's: a wake that is asked for meanwhile is another wish.
 */
export async function wishConfirmed(tx: Queryable, asked: Asked, deadline: Instant): Promise<void> {
  const waits = { created: stamp(Date.now()), next_try: stamp(deadline + SLACK_MS), tries: 0 };
  await insertRows(tx, 'wish', [{ kind: KIND, workflow_id: asked.contractId, payload: payloadOf(asked), ...waits }]);
}

/** The workflow has answered, so its history knows. */
export async function confirmed(db: Queryable, asked: Asked): Promise<void> {
  await db.query(`delete from wish where kind = $1 and workflow_id = $2 and payload = $3::jsonb and delivered_at is null`, [
    KIND,
    asked.contractId,
    JSON.stringify(payloadOf(asked)),
  ]);
}
