import { at } from '../../billing/calendar/instant.ts';
import { eventually } from '../support/eventually.ts';
import { type HistoryEvent, stepsOf } from './history.ts';
import type { Kit } from './kit.ts';
import { type OwnKit, openOwnKit } from './own-kit.ts';

let own: OwnKit;
let kit: Kit;
beforeAll(async () => {
  own = await openOwnKit('start-again');
  kit = own.kit;
});
afterAll(() => own?.close());

const handle = (id: string, runId?: string) => kit.client.workflow.getHandle(id, runId);
const tasksIn = (events: readonly HistoryEvent[]) => events.filter(({ workflowTaskScheduledEventAttributes: task }) => task != null).length;
const doneIn = (events: readonly HistoryEvent[]): string[] =>
  stepsOf(events).flatMap(({ schedule }) => schedule.done.map(({ what, by }) => `${what} by ${by}`));
const nextOf = async (id: string): Promise<Date> => {
  const [row] = await kit.db.query<{ at: number }>('select due_at as at from agenda where workflow_id = $1 order by due_at limit 1', [id]);
  return new Date(row?.at ?? 0);
};

/** All its messages are sent, and noted as sent. */
const isSent = (id: string): Promise<void> =>
  eventually(async () =>
    expect(await kit.db.query('select 1 from outbox where workflow_id = $1 and sent >= wanted', [id])).toHaveLength(1),
  );

/** A contract by the month on the wall clock, whose workflow waits for its second period. */
async function signed(): Promise<string> {
  const id = await kit.sign(await kit.customer(), await kit.plan('10.00'));
  await isSent(id);
  return id;
}

/** Changes a contract, and gives the run of its chain's workflow that shows the new one. */
async function changed(chainId: string, from: string, price: string): Promise<{ next: string; runId: string }> {
  const next = await kit.change(from, await kit.plan(price));
  const runId = await eventually(async () => {
    const shown = await handle(chainId).describe();
    expect(shown.searchAttributes?.PerennialContracts).toContain(next);
    return shown.runId;
  });
  await isSent(chainId);
  return { next, runId };
}

describe('a contract that is changed before anything was due of it', () => {
  it('has a new run each time, which runs no task, shows where it stands, and lists all that was done when it looks', async () => {
    const id = await signed();
    const { runId: first } = await handle(id).describe();
    const { next, runId: second } = await changed(id, id, '20.00');
    const { next: last, runId: third } = await changed(id, next, '30.00');
    expect(new Set([first, second, third]).size).toBe(3);
    for (const runId of [first, second]) {
      expect((await handle(id, runId).describe()).status.name).toBe('TERMINATED');
      expect(tasksIn((await handle(id, runId).fetchHistory()).events ?? [])).toBe(0);
    }
    const { status, searchAttributes, ...description } = await handle(id).describe();
    expect(status.name).toBe('RUNNING');
    expect(searchAttributes).toMatchObject({ PerennialContracts: [last, next, id], PerennialNext: [await nextOf(id)] });
    expect(await description.staticDetails()).toMatch(new RegExp(`\`${last}\`.* \\*\\*active\\*\\*, period 1`));
    const events = await kit.history(id);
    expect([tasksIn(events), events.length]).toEqual([0, 2]);
    await kit.look(id);
    expect(doneIn(await kit.history(id)).filter((what) => what === 'contract.change.completed by caller')).toHaveLength(2);
  });

  it('goes on in its run from the first look on, also when it was changed before and behind it', async () => {
    const id = await signed();
    const { next, runId: before } = await changed(id, id, '20.00');
    await kit.look(id);
    const { next: second, runId } = await changed(id, next, '30.00');
    const { runId: again } = await changed(id, second, '40.00');
    expect([runId, again]).toEqual([before, before]);
    expect(doneIn(await kit.history(id)).filter((what) => what === 'contract.change.completed by caller')).toHaveLength(3);
  });

  it('has a run that begins at the earlier instant which the change brings, and ends there', async () => {
    const id = await signed();
    const { runId: before } = await handle(id).describe();
    const date = Date.now() + 15_000;
    await kit.cancel(id, { type: 'date', date });
    await eventually(async () => {
      const { status, closeTime } = await handle(id).describe();
      expect([status.name, (closeTime?.getTime() ?? 0) >= date]).toEqual(['COMPLETED', true]);
    });
    expect((await handle(id).describe()).runId).not.toBe(before);
    expect(await kit.state(id)).toMatchObject({ status: 'canceled' });
    const events = await kit.history(id);
    expect(stepsOf(events).map(({ activity }) => activity)).toEqual(['readSchedule', 'endContract']);
    expect(events.filter(({ timerStartedEventAttributes: timer }) => timer != null)).toEqual([]);
  });

  it('ends in the run that waits when it is canceled now: nothing is started again for it', async () => {
    const id = await signed();
    const { runId: before } = await handle(id).describe();
    await kit.cancel(id);
    await handle(id, before).result();
    expect((await handle(id).describe()).runId).toBe(before);
  });

  it('on a test clock goes on in its run', async () => {
    const clock = await kit.clock('2025-01-01T00:00:00.000Z');
    const id = await kit.sign(await kit.customer(clock), await kit.plan('10.00'));
    await isSent(id);
    const { runId: before } = await handle(id).describe();
    expect(await nextOf(id)).toEqual(new Date(at('2025-02-01')));
    expect((await changed(id, id, '20.00')).runId).toBe(before);
  });
});
