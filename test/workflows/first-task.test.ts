import { HOUR } from '../../billing/calendar/instant.ts';
import { changeContract } from '../../services/contract/change.ts';
import { concludeSession } from '../../services/payment/session.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type HistoryEvent, stepsOf } from './history.ts';
import { changeTo } from './inputs.ts';
import { type Kit, openKit } from './kit.ts';
import { openSession } from './payer.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

/** The tasks of a workflow that no further signal asked for: each signal behind the one of the start has one task. */
function tasksUnasked(events: readonly HistoryEvent[]): number {
  const tasks = events.filter(({ workflowTaskScheduledEventAttributes: task }) => task != null);
  return tasks.length - (signalsOf(events) - 1);
}
const signalsOf = (events: readonly HistoryEvent[]): number =>
  events.filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal != null).length;

/** A contract by the month on the wall clock, whose workflow has been started. */
async function signed(clock: string | null = null): Promise<string> {
  const id = await kit.sign(await kit.customer(clock), await kit.plan('10.00'));
  await eventually(() => kit.client.workflow.getHandle(id).describe());
  return id;
}

const nextOf = async (id: string): Promise<Date> => {
  const [row] = await kit.db.query<{ at: number }>('select due_at as at from agenda where workflow_id = $1 order by due_at limit 1', [id]);
  return new Date(row?.at ?? 0);
};

describe('the workflow of a contract for which nothing is due yet', () => {
  it.each([
    ['on the wall clock', null],
    ['on a test clock', '2025-01-01T00:00:00.000Z'],
  ])('%s: runs no task, and shows all the same what its contract is and what happens next', async (_where, start) => {
    const clock = start === null ? null : await kit.clock(start);
    const id = await signed(clock);
    const { status, searchAttributes, ...description } = await kit.client.workflow.getHandle(id).describe();
    expect(status.name).toBe('RUNNING');
    const next = await nextOf(id);
    expect(searchAttributes).toMatchObject({
      PerennialVendor: [kit.vendorId],
      PerennialContracts: [id],
      PerennialStatus: ['active'],
      PerennialNext: [next],
      PerennialParked: [false],
    });
    const details = await description.staticDetails();
    expect(details).toContain(`\`${id}\``);
    expect(details).toContain(`What happens next:\n\n- ${next.toISOString().slice(0, 10)}`);
    expect(details).toContain(': period 2 starts');
    expect(tasksUnasked(await kit.history(id))).toBeLessThanOrEqual(0);
  });

  it('looks at once when it is signalled, in one task and at most 8 events, and lists what came since the start', async () => {
    const id = await signed();
    const plan = await kit.plan('20.00');
    // a message of it would put a new run in the place of this one
    const next = await kit.withoutMessages((tx) => changeContract(tx, kit.call(id), changeTo(plan), null));
    await kit.signal(id);
    const events = await eventually(async () => {
      const all = await kit.history(id);
      expect(stepsOf(all).at(-1)?.schedule).toMatchObject({ contracts: [{ contractId: next }, { contractId: id }] });
      expect(all.at(-1)?.timerStartedEventAttributes).not.toBeNull();
      return all;
    });
    expect(tasksUnasked(events)).toBeLessThanOrEqual(0);
    expect(events.length).toBeLessThanOrEqual(2 + 8 * (signalsOf(events) - 1));
    const done = stepsOf(events).flatMap(({ schedule }) => schedule.done.map(({ what, by }) => `${what} by ${by}`));
    expect(done).toContain('contract.change.completed by caller');
    const { searchAttributes } = await kit.client.workflow.getHandle(id).describe();
    expect(searchAttributes).toMatchObject({ PerennialContracts: [next, id], PerennialNext: [await nextOf(id)] });
  });

  it('runs its first task when its first hour ends, and no other: it reads, rolls over and sets the next timer', async () => {
    const plan = await kit.plan('1.00', { cycle: 'hour' });
    const dueAt = Date.now() + 15_000;
    const id = await kit.sign(await kit.customer(), plan, { activation: dueAt - HOUR });
    await eventually(async () => expect((await kit.state(id)).idx).toBe(2));
    const events = await eventually(async () => {
      const all = await kit.history(id);
      expect(all.at(-1)?.timerStartedEventAttributes).not.toBeNull();
      return all;
    });
    expect(stepsOf(events).map(({ activity }) => activity)).toEqual(['readSchedule', 'rollOverCycle']);
    expect(tasksUnasked(events)).toBeLessThanOrEqual(1);
    expect(events.length).toBeLessThanOrEqual(2 + 8 * signalsOf(events));
    expect((await kit.invoices(id)).map(({ date }) => date)).toEqual([dueAt - HOUR, dueAt]);
  });

  it('ends at once where its contract ends, though nothing was due for a month', async () => {
    const id = await signed();
    await kit.cancel(id);
    await kit.client.workflow.getHandle(id).result();
    expect(tasksUnasked(await kit.history(id))).toBeLessThanOrEqual(0);
  });
});

describe('the workflow of a customer whose payment session is open', () => {
  it('runs no task while it is, shows when it expires, and ends when it is confirmed', async () => {
    const customer = await kit.customer();
    const before = Date.now();
    const token = await openSession(kit, customer, null);
    const handle = kit.client.workflow.getHandle(`customer:${customer}`);
    const { status, ...description } = await eventually(() => handle.describe());
    expect(status.name).toBe('RUNNING');
    const expires = new Date(before + 24 * HOUR).toISOString().slice(0, 10);
    expect(await description.staticDetails()).toContain(`- ${expires}`);
    expect(await description.staticDetails()).toContain('Z: a payment session expires');
    expect(tasksUnasked(await kit.history(`customer:${customer}`))).toBeLessThanOrEqual(0);
    await kit.db.transaction((tx) => concludeSession(tx, token, { status: 'failed', reason: 'card_declined' }));
    await handle.result();
    expect(tasksUnasked(await kit.history(`customer:${customer}`))).toBeLessThanOrEqual(0);
  });
});
