import { DAY, type Instant, MINUTE } from '../../billing/calendar/instant.ts';
import { type EmailRow, queueEmailRows } from '../../db/sql/email/queue.ts';
import type { Tx } from '../../db/transaction.ts';
import { changeEmailSettings } from '../../services/preferences/email.ts';
import { workflowIdOf } from '../../temporal/message-kinds.ts';
import { startsOf, type WorkflowStart } from '../../temporal/start.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

const YEAR = 365 * DAY;

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
  const settings = { enabled: true, from: 'billing@acme.example', testClocks: true };
  await kit.db.transaction((tx) => changeEmailSettings(tx, kit.vendorId, settings));
});
afterAll(() => kit.close());

class Undone extends Error {}

/** How a customer's workflow would be started for these rows; they are never committed, so that no workflow is. */
async function startFor(
  clock: string | null,
  rows: readonly Omit<EmailRow, 'customerId' | 'detail'>[],
): Promise<WorkflowStart | undefined> {
  const customerId = await kit.customer(clock === null ? null : await kit.clock(clock));
  const workflowId = workflowIdOf('customer', customerId);
  let start: WorkflowStart | undefined;
  const work = async (tx: Tx): Promise<never> => {
    const detail = { email: 'invoice', object: 'Inv_1' };
    await queueEmailRows(
      tx,
      rows.map((row) => ({ ...row, customerId, detail, subject: `${row.subject}:${customerId}` })),
    );
    start = (await startsOf(tx, [{ kind: 'customer', workflowId }])).get(workflowId);
    throw new Undone();
  };
  await expect(kit.db.transaction(work)).rejects.toThrow(Undone);
  return start;
}

const email = { kind: 'email', subject: 'invoice', dueAt: null };
const reminder = (subject: string, dueAt: Instant) => ({ kind: 'invoice_reminder', subject, dueAt });

describe('the first task of a customer’s workflow', () => {
  it('is not put off where an e-mail is to be sent, though reminders are ahead', async () => {
    const start = await startFor(null, [reminder('day-3', Date.now() + DAY), email]);
    expect(start?.runsAt).toBeLessThanOrEqual(Date.now());
    expect(start?.details).toContain('an e-mail is sent (invoice of Inv_1)');
  });

  it('waits for the reminder that is due first', async () => {
    const soon = Date.now() + 5 * MINUTE;
    const start = await startFor(null, [reminder('later', soon + DAY), reminder('soon', soon)]);
    expect(start?.runsAt).toBe(soon);
  });

  it('is not put off on a test clock, whatever is due on the clock before by date: e-mails go by the wall clock', async () => {
    const past = Date.parse('2025-01-02T00:00:00.000Z');
    const many = Array.from({ length: 10 }, (_, day) => reminder(`day ${day}`, past + day * DAY));
    const start = await startFor('2025-01-01T00:00:00.000Z', [...many, email]);
    expect(start?.runsAt).toBeLessThanOrEqual(Date.now());
    expect(start?.details).toContain('an e-mail is sent');
  });

  it('waits for a message on a test clock where only the clock has something to do', async () => {
    const before = Date.now();
    const start = await startFor('2025-01-01T00:00:00.000Z', [reminder('soon', Date.parse('2025-01-02T00:00:00.000Z'))]);
    expect(start?.runsAt).toBeGreaterThanOrEqual(before + YEAR);
  });
});
