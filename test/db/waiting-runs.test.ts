import { HOUR } from '../../billing/calendar/instant.ts';
import { leaseDue } from '../../db/sql/outbox/lease-due.ts';
import type { LeasedMessage } from '../../db/sql/outbox/leased-message.ts';
import { markSent } from '../../db/sql/outbox/mark-sent.ts';
import { noteBegun } from '../../db/sql/outbox/note-begun.ts';
import { putOff } from '../../db/sql/outbox/put-off.ts';
import { createClock } from '../../services/clock/create.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';
import { type OutboxKit, outboxKit } from './outbox-kit.ts';

let kit: OutboxKit;
let vendorId: string;
beforeAll(async () => {
  kit = await outboxKit();
  ({ vendorId } = await createVendor(kit.db, 'Waiting'));
});
beforeEach(() => kit.clear());
afterAll(() => kit.drop());

/** A contract by the month; its message isn't sent yet. */
async function signed({ onClock = false } = {}): Promise<string> {
  const [now, plan] = [Date.now(), flatPlan('10.00')];
  return kit.db.transaction(async (tx) => {
    await savePlan(tx, vendorId, plan, now);
    const clockId = onClock ? await createClock(tx, { vendorId, name: null, now }) : null;
    const customer = { ...blankCustomer(vendorId, clockId, now), name: 'Acme', status: 'active' as const };
    await insertCustomer(tx, customer, now);
    return signContract(tx, signInput(vendorId, customer.id, plan.id));
  });
}

const send = () => kit.dispatcher().sendDue();
async function isReplaced(id: string): Promise<boolean> {
  const before = kit.temporal.replaced.length;
  await kit.wants(id);
  await send();
  expect(kit.temporal.taken.at(-1)).toBe(id);
  return kit.temporal.replaced.length > before;
}
const sendsOnce = async (id: string) => {
  const before = kit.temporal.taken.length;
  expect(await kit.db.query('select 1 from outbox where workflow_id = $1 and sent < wanted and leased_until is null', [id])).toHaveLength(
    1,
  );
  await send();
  expect(kit.temporal.taken.slice(before)).toEqual([id]);
};
const leaseEnds = () => kit.db.query(`update outbox set leased_until = clock_timestamp() - interval '1 millisecond'`);

/** A message whose sender was slower than its lease, so that another has sent it meanwhile. */
async function sentByAnother(id: string): Promise<LeasedMessage> {
  await kit.wants(id);
  const [late] = await leaseDue(kit.db, 10);
  if (late === undefined) throw new Error('nothing was leased');
  await leaseEnds();
  await send();
  return late;
}

describe('the run of a contract by the month', () => {
  it('is started by its first message, replaced by the next ones, and each shows the events since the first', async () => {
    const id = await signed();
    const seen = () => kit.db.query('select seen from outbox where workflow_id = $1', [id]);
    await send();
    const first = await seen();
    expect(first).toEqual([{ seen: expect.any(String) }]);
    expect(kit.temporal.replaced).toEqual([]);
    await signed();
    expect(await isReplaced(id)).toBe(true);
    expect(await isReplaced(id)).toBe(true);
    expect(await seen()).toEqual(first);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      'it begins while the message is sent',
      (id) => kit.db.query(`update outbox set begins_at = clock_timestamp() + interval '14 seconds' where workflow_id = $1`, [id]),
    ],
    ['it has been signalled otherwise', (id) => noteBegun(kit.db, [id])],
    [
      'a message before may have been taken without an answer',
      async (id) => {
        kit.temporal.isAway();
        await kit.wants(id);
        await send();
        kit.temporal.takesAll();
      },
    ],
    [
      'who sent a message before has died',
      async (id) => {
        await kit.wants(id);
        expect(await leaseDue(kit.db, 10)).toMatchObject([{ workflowId: id, waitsSince: expect.any(String) }]);
        await leaseEnds();
      },
    ],
    [
      'who sent a message before was slower than its lease',
      async (id) => {
        await markSent(kit.db, [{ message: await sentByAnother(id), waits: { beginsAt: Date.now() + HOUR, seen: '1' } }]);
        // what was sent may have come in another order
        await sendsOnce(id);
      },
    ],
    [
      'who failed to send a message before was slower than its lease',
      async (id) => {
        await putOff(kit.db, [{ message: await sentByAnother(id), failure: 'away', pauseMs: -1 }]);
        await sendsOnce(id);
      },
    ],
  ])('is signalled where %s', async (_why, happens) => {
    const id = await signed();
    await send();
    await happens(id);
    expect(await isReplaced(id)).toBe(false);
    expect(await isReplaced(id)).toBe(false);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      'may have been taken without an answer',
      async () => {
        kit.temporal.isAway();
        await send();
        kit.temporal.takesAll();
      },
    ],
    [
      'was sent by a process that died',
      async () => {
        await leaseDue(kit.db, 10);
        await leaseEnds();
      },
    ],
    ['comes behind a signal of another', (id) => noteBegun(kit.db, [id])],
    [
      'is not the first, but its row was deleted',
      (id) => kit.db.query(`update contract set created = created - interval '2 hours' where id = $1`, [id]),
    ],
  ])('counts as begun where its first message %s', async (_why, happens) => {
    const id = await signed();
    await happens(id);
    await kit.wants(id);
    await send();
    expect(await isReplaced(id)).toBe(false);
  });

  it('is signalled on a test clock, whose workflow signals it at each step', async () => {
    const id = await signed({ onClock: true });
    await send();
    expect(await isReplaced(id)).toBe(false);
  });

  it('is not ended for one that has something to do at once', async () => {
    const id = await signed();
    await send();
    await kit.db.query('update agenda set due_at = clock_timestamp() where contract_id = $1', [id]);
    expect(await isReplaced(id)).toBe(false);
  });
});
