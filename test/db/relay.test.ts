import { unsentMessages } from '../../db/health/contracts.ts';
import { stamp } from '../../db/rows.ts';
import { insertRows } from '../../db/sql/rows.ts';
import { signContract } from '../../services/contract/sign.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

const MINUTE = 60_000;

let kit: Kit;
let tooLong: string;
beforeAll(async () => {
  kit = await openKit(await servers());
  tooLong = `too long of ${kit.vendorId} `;
});
afterEach(() => kit.db.query('delete from outbox where workflow_id like $1', [`${tooLong}%`]));
afterAll(() => kit.close());

/** Messages that no server takes: ids of workflows have at most 1000 characters. */
async function hopelessMessages(count: number): Promise<void> {
  const created = stamp(Date.now() - MINUTE);
  const rows = Array.from({ length: count }, (_, i) => ({
    kind: 'contract',
    workflow_id: `${tooLong}${i} ${'x'.repeat(1_100)}`,
    created,
    next_try: created,
  }));
  await insertRows(kit.db, 'outbox', rows);
}

const triesOf = async (): Promise<number[]> =>
  (await kit.db.query<{ tries: number }>('select tries from outbox where workflow_id like $1', [`${tooLong}%`])).map(({ tries }) => tries);

it('120 messages that no server takes do not keep a younger one waiting; they are tried after growing pauses and listed with their reason', async () => {
  await hopelessMessages(120);
  const input = kit.signInput(await kit.customer(), await kit.plan('10.00'));
  const contractId = await kit.db.transaction((tx) => signContract(tx, input), { dispatch: 'later' });
  await eventually(async () => {
    const described = await kit.client.workflow.getHandle(contractId).describe();
    expect(described.status.name).toBe('RUNNING');
  });
  await eventually(async () => expect((await triesOf()).filter((tries) => tries >= 3)).toHaveLength(120));
  // 1 s after the first try, 2 s after the second, 4 s after the third …
  const early = await kit.db.query(
    `select tries, next_try from outbox where workflow_id like $1
       and next_try < created + interval '1 minute' + interval '1 second' * (power(2, tries) - 1)`,
    [`${tooLong}%`],
  );
  expect(early).toEqual([]);
  // those that wait longest, other tests' among them: a hundred are named, and one more says that there are more
  await eventually(async () => {
    const shown = await unsentMessages(kit.db, 10_000);
    expect(shown).toHaveLength(101);
    expect(shown.find(({ workflowId }) => workflowId.startsWith(tooLong))).toMatchObject({
      tries: expect.any(Number),
      failure: expect.stringMatching(/length|long/i),
    });
  });
});

it('a message wanted again while its last try waits for 5 minutes is tried at once, by the relay where no dispatcher knows of it', async () => {
  const contractId = await kit.sign(await kit.customer(), await kit.plan('10.00'));
  const row = () =>
    kit.db.query('select tries, sent = wanted as "isSent", failure from outbox where kind = $2 and workflow_id = $1', [
      contractId,
      'contract',
    ]);
  await eventually(async () => expect(await row()).toMatchObject([{ isSent: true }]));
  await kit.db.query(
    `update outbox set wanted = wanted + 1, tries = 9, failure = 'refused', next_try = clock_timestamp() + interval '5 minutes' where workflow_id = $1`,
    [contractId],
  );
  await kit.db.transaction(async (tx) => enqueue(tx, 'contract', contractId), { dispatch: 'later' });
  await eventually(async () => expect(await row()).toEqual([{ tries: 0, isSent: true, failure: null }]));
});
