import { HOUR } from '../../billing/calendar/instant.ts';
import { reconcile } from '../../temporal/reconcile.ts';
import { TIMELINE_QUERY, type TimelineEntry } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { stepsOf } from './history.ts';
import type { Kit } from './kit.ts';
import { type OwnKit, openOwnKit } from './own-kit.ts';

let own: OwnKit;
let kit: Kit;
beforeAll(async () => {
  own = await openOwnKit('terminate');
  kit = own.kit;
});
afterAll(() => own?.close());

/** Signs a contract by the hour whose second begins in so many milliseconds; its workflow has read that. */
async function hourly(inMs = 25_000): Promise<{ id: string; dueAt: number }> {
  const dueAt = Date.now() + inMs;
  const id = await kit.sign(await kit.customer(), await kit.plan('1.00', { cycle: 'hour' }), { activation: dueAt - HOUR });
  expect(await kit.look(id)).toMatchObject({ due: [{ kind: 'boundary', at: dueAt }] });
  return { id, dueAt };
}

const statusOf = async (id: string): Promise<string> => (await kit.client.workflow.getHandle(id).describe()).status.name;

describe('what an operator does to a contract’s workflow in Temporal', () => {
  it('Cancel has no effect: its next hour begins on time, it still gets its signals, and ends with its contract as completed', async () => {
    const { id, dueAt } = await hourly();
    const handle = kit.client.workflow.getHandle(id);
    await handle.cancel();
    await eventually(async () => {
      const asked = (await kit.history(id)).some((event) => event.workflowExecutionCancelRequestedEventAttributes != null);
      expect(asked).toBe(true);
    });
    await eventually(async () => expect((await kit.state(id)).idx).toBe(2));
    expect((await kit.invoices(id)).map(({ date }) => date)).toEqual([dueAt - HOUR, dueAt]);
    await eventually(async () => expect(stepsOf(await kit.history(id)).at(-1)?.activity).toBe('rollOverCycle'));
    await handle.cancel();
    await kit.change(id, await kit.plan('2.00', { cycle: 'hour' }));
    await eventually(async () =>
      expect(await handle.query('state')).toMatchObject({ contracts: [{ status: 'active' }, { status: 'moved' }] }),
    );
    expect(await statusOf(id)).toBe('RUNNING');
    const [live] = (await handle.query<{ contracts: { contractId: string }[] }>('state')).contracts;
    await kit.cancel(live?.contractId ?? '');
    await handle.result();
    expect(await statusOf(id)).toBe('COMPLETED');
  });

  it('Terminate ends it, and reconcile starts it again, waiting for its hour: that is billed once', async () => {
    // a busy machine takes longer to start it again, which has to be done before its hour begins
    const { id, dueAt } = await hourly(40_000);
    await kit.client.workflow.getHandle(id).terminate('by an operator');
    expect(await statusOf(id)).toBe('TERMINATED');
    await reconcile(kit.db, kit.client, kit.connection, own.queue);
    expect(await statusOf(id)).toBe('RUNNING');
    const { searchAttributes } = await kit.client.workflow.getHandle(id).describe();
    expect(searchAttributes).toMatchObject({ PerennialContracts: [id], PerennialNext: [new Date(dueAt)] });
    expect(stepsOf(await kit.history(id))).toEqual([]);
    await eventually(async () => expect((await kit.state(id)).idx).toBe(2));
    expect((await kit.invoices(id)).map(({ date }) => date)).toEqual([dueAt - HOUR, dueAt]);
    expect(await statusOf(id)).toBe('RUNNING');
    const last = (await kit.invoices(id)).at(-1)?.id;
    await eventually(async () => {
      const timeline = await kit.client.workflow.getHandle(id).query<TimelineEntry[]>(TIMELINE_QUERY);
      expect(timeline[0]?.what).toContain(`contract.signature.completed of \`${id}\`, by caller`);
      expect(timeline.at(-1)?.what).toContain(`invoice.created of \`${last}\`, by timer`);
    });
  });
});
