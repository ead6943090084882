import type { Client, Connection } from '@temporalio/client';
import { temporalCommands } from '../../../api/contract/commands.ts';
import type { Database } from '../../../db/connect.ts';

const startingUp = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
const cutOff = Object.assign(new Error('the connection broke'), { name: 'WorkflowUpdateRPCTimeoutOrCancelledError' });

/** An API that loses Temporal amid a request, and then reads from Postgres what these give, one after the other. */
function commands(reads: (() => object[])[], executeUpdate: () => Promise<unknown> = () => Promise.reject(cutOff)) {
  const contract = { status: 'active', is_successor: false, predecessor_id: null, successor_id: null };
  const query = async (sql: string): Promise<object[]> => (sql.includes('from idempotency') ? (reads.shift() ?? (() => []))() : [contract]);
  return temporalCommands({
    db: { query } as unknown as Database,
    client: { workflow: { getHandle: () => ({ executeUpdate }), executeUpdateWithStart: executeUpdate } } as unknown as Client,
    connection: { withDeadline: (_deadline: number, work: () => unknown) => work() } as unknown as Connection,
    taskQueue: 'perennial',
  });
}

const charge = {
  vendor: 'Wbc_1',
  contractId: 'Cont_1',
  operation: 'charge' as const,
  request: {},
  idempotency: null,
  apiKeyId: 'Key_1',
};
const answered = { bodyHash: '', claimedUntil: 0, status: 200, body: '"Item_1"', headers: null, secret: false };

it('a request cut off from Temporal is answered as it was carried out, although Postgres could not be read at first', async () => {
  const away = () => {
    throw startingUp;
  };
  const { carryOut } = commands([away, () => [], away, () => [answered]]);
  expect(await carryOut(charge)).toBe('Item_1');
});

it('what Postgres says that waiting cannot mend is told at once', async () => {
  const broken = () => {
    throw Object.assign(new Error('column "answer_body" does not exist'), { code: '42703' });
  };
  await expect(commands([broken]).carryOut(charge)).rejects.toThrow('answer_body');
});

it('an Update-with-Start that finds its workflow amid a failed task is asked again, not told as a fault of ours', async () => {
  const notReady = Object.assign(new Error('9 FAILED_PRECONDITION: Update-with-Start could not be executed.'), {
    code: 9,
    details: 'Update-with-Start could not be executed.',
    metadata: {},
  });
  const answers = [() => Promise.reject(notReady), () => Promise.reject(notReady), () => Promise.resolve('Item_1')];
  const { carryOut } = commands([], () => answers.shift()?.() ?? Promise.reject(notReady));
  expect(await carryOut(charge)).toBe('Item_1');
});
