import type { temporal } from '@temporalio/proto';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const HOUR = 3_600_000;
/** temporal.api.enums.v1.EventType */
const EVENT = { WORKFLOW_TASK_SCHEDULED: 5, ACTIVITY_TASK_SCHEDULED: 10, TIMER_FIRED: 18, MARKER_RECORDED: 25 };

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

/** A contract by the hour whose second period begins so many milliseconds from now. */
async function hourlyDueIn(ms: number): Promise<{ id: string; dueAt: number }> {
  const plan = await kit.plan('1.00', { cycle: 'hour' });
  const dueAt = Date.now() + ms;
  const id = await kit.sign(await kit.customer(), plan, { activation: dueAt - HOUR });
  return { id, dueAt };
}

async function historyOf(id: string): Promise<HistoryEvent[]> {
  return (await kit.client.workflow.getHandle(id).fetchHistory()).events ?? [];
}

describe('a rollover on the wall clock', () => {
  it('costs at most 1 activity, 2 workflow tasks and 8 events', async () => {
    const { id } = await hourlyDueIn(6_000);
    await kit.ready(id);
    await eventually(async () => expect((await kit.state(id)).idx).toBe(2));
    const events = await eventually(async () => {
      const all = await historyOf(id);
      const fired = all.findIndex(({ eventType }) => eventType === EVENT.TIMER_FIRED);
      const next = all.slice(fired);
      expect(fired).toBeGreaterThan(0);
      expect(next.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes != null)).toBe(true);
      return next;
    });
    const count = (type: number) => events.filter(({ eventType }) => eventType === type).length;
    expect(count(EVENT.ACTIVITY_TASK_SCHEDULED) + count(EVENT.MARKER_RECORDED)).toBeLessThanOrEqual(1);
    expect(count(EVENT.WORKFLOW_TASK_SCHEDULED)).toBeLessThanOrEqual(2);
    expect(events.length).toBeLessThanOrEqual(8);
    expect((await kit.invoices(id)).map(({ total }) => total)).toEqual(['1.00', '1.00']);
  });

  it('makes exactly one invoice each for 40 contracts due at one instant, whoever carries whom', async () => {
    const plan = await kit.plan('1.00', { cycle: 'hour' });
    const dueAt = Date.now() + 12_000;
    const ids: string[] = [];
    for (let i = 0; i < 40; i += 1) ids.push(await kit.sign(await kit.customer(), plan, { activation: dueAt - HOUR }));
    await eventually(async () => {
      const rows = await kit.db.query<{ id: string }>('select id from contract where id = any($1::text[]) and current_idx = 2', [ids]);
      expect(rows).toHaveLength(40);
    });
    const made = await kit.db.query<{ contract_id: string }>(
      'select contract_id from invoice where contract_id = any($1::text[]) and date = $2',
      [ids, new Date(dueAt).toISOString()],
    );
    expect(made.map((row) => row.contract_id).sort()).toEqual([...ids].sort());
    const [series] = await kit.db.query<{ last: string; n: string }>(
      'select max(number)::text as last, count(*)::text as n from invoice where vendor_id = $1',
      [kit.vendorId],
    );
    expect(series?.last).toBe(series?.n);
  });
});

describe('what operators see', () => {
  it('says in words who, which plan, which period and what comes next', async () => {
    const { id } = await hourlyDueIn(HOUR / 2);
    await kit.ready(id);
    const handle = kit.client.workflow.getHandle(id);
    const state = await eventually(async () => {
      const answer = await handle.query<{ status: string; waitingFor: string }>('state');
      expect(answer.status).toBe('active');
      return answer;
    });
    expect(state.waitingFor).toMatch(/: period 2 begins$/);
    const { searchAttributes } = await handle.describe();
    expect(searchAttributes).toMatchObject({ PerennialStatus: ['active'], PerennialParked: [false], PerennialVendor: [kit.vendorId] });
  });
});
