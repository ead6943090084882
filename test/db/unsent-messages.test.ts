import { unsentMessages } from '../../db/health/contracts.ts';
import { stamp } from '../../db/rows.ts';
import { insertRows } from '../../db/sql/rows.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';

const MINUTE = 60_000;

let own: OwnDatabase;
beforeAll(async () => {
  own = await ownDatabase();
});
afterAll(() => own.drop());

describe('a message that stays unsent', () => {
  const workflowId = 'Cont_that_nobody_heard_of';
  const isListed = async () => (await unsentMessages(own.db, 10_000)).some((message) => message.workflowId === workflowId);
  const standsAs = (row: { nextTry: number; tries?: number; wanted?: number; sent?: number; created: number; sentAt?: number }) =>
    insertRows(own.db, 'outbox', [
      {
        kind: 'contract',
        workflow_id: workflowId,
        wanted: row.wanted ?? 1,
        sent: row.sent ?? 0,
        tries: row.tries ?? 0,
        next_try: stamp(Date.now() + row.nextTry),
        created: stamp(Date.now() + row.created),
        sent_at: row.sentAt === undefined ? null : stamp(Date.now() + row.sentAt),
      },
    ]);
  afterEach(() => own.db.query('truncate table outbox'));

  it.each([
    ['listed when nobody has tried it for so long', { created: -MINUTE, nextTry: -MINUTE }, true],
    ['listed while it waits for its next try', { created: -MINUTE, nextTry: 5 * MINUTE, tries: 9 }, true],
    ['not listed when it was written just now', { created: 0, nextTry: 0 }, false],
    [
      'not listed when it was wanted again just now, long after it was sent',
      { created: -MINUTE, sentAt: -MINUTE, sent: 1, wanted: 2, nextTry: 0 },
      false,
    ],
    ['not listed when it was put off from the beginning', { created: -MINUTE, nextTry: 5 * MINUTE }, false],
  ])('is %s', async (_how, row, expected) => {
    await standsAs(row);
    expect(await isListed()).toBe(expected);
  });
});
