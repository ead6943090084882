import { HOUR } from '../../billing/calendar/instant.ts';
import { signedContract } from '../api/support.ts';
import { clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';
import { type HistoryEvent, stepsOf } from './history.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

/** The history of a workflow that has looked once before anything was due. */
async function firstHistory(chainId: string, expected: object): Promise<HistoryEvent[]> {
  await kit.look(chainId);
  return quietHistory(chainId, expected);
}

/** The history once the workflow waits again, having read what is expected. */
function quietHistory(chainId: string, expected: object): Promise<HistoryEvent[]> {
  return eventually(async () => {
    const events = await kit.history(chainId);
    expect(stepsOf(events).at(-1)?.schedule).toMatchObject(expected);
    const tasks = events.filter(
      ({ workflowTaskScheduledEventAttributes: asked, workflowTaskCompletedEventAttributes: ended }) => asked != null || ended != null,
    );
    expect(tasks.at(-1)?.workflowTaskCompletedEventAttributes).not.toBeNull();
    return events;
  });
}

const signalsIn = (events: readonly HistoryEvent[]): number =>
  events.filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal != null).length;

const inPeriod = (periodIdx: number) => ({ contracts: [{ periodIdx }] });

describe('what an ordinary cycle adds to a history', () => {
  it('at most 7 events on the wall clock, one of them an activity', async () => {
    const dueAt = Date.now() + 30_000;
    const id = await kit.sign(await kit.customer(), await kit.plan('1.00', { cycle: 'hour' }), { activation: dueAt - HOUR });
    const before = await firstHistory(id, inPeriod(1));
    const after = await quietHistory(id, inPeriod(2));
    const steps = stepsOf(after).slice(stepsOf(before).length);
    expect(steps.map(({ activity }) => activity)).toEqual(['rollOverCycle']);
    expect(after.length - before.length).toBeLessThanOrEqual(7);
    expect((await kit.invoices(id)).map(({ total }) => total)).toEqual(['1.00', '1.00']);
  });

  it('at most 6 events on a test clock for each step of the clock, and no more for twelve months in one step', async () => {
    const clock = await kit.clock('2025-01-31T00:00:00.000Z');
    const id = await kit.sign(await kit.customer(clock), await kit.plan('1.00'));
    let before = await firstHistory(id, inPeriod(1));
    for (const [to, idx] of [
      ['2025-02-28', 2],
      ['2025-03-31', 3],
      ['2026-03-31', 15],
    ] as const) {
      expect(await kit.advance(clock, to)).toMatchObject({ status: 'ready' });
      const after = await quietHistory(id, inPeriod(idx));
      const added = after.slice(before.length);
      // a step ends after some seconds, so that a slow machine takes several for twelve months
      expect(added.length).toBeLessThanOrEqual(6 * Math.max(1, signalsIn(added)));
      expect(signalsIn(added)).toBeLessThanOrEqual(stepsOf(await kit.history(clock)).length);
      before = after;
    }
    expect(await kit.invoices(id)).toHaveLength(15);
  });
});

describe('what a change through the API adds to the histories of all workflows', () => {
  it.each([
    ['on the wall clock', null],
    ['on a test clock', '2025-01-01T00:00:00Z'],
  ])('at most 8 events %s, one of them a signal', async (_where, start) => {
    const vendor = await newVendor();
    const clock = start === null ? null : await clockOf(vendor, start);
    const { contractId } = await signedContract(vendor, clock === null ? {} : { test_clock: clock.id });
    const before = await firstHistory(contractId, { contracts: [{ contractId }] });
    const seats = { upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '9' } } };
    const next = await vendor.api.made(`/v1/c/contract/${contractId}/upgrade`, seats);
    const after = await quietHistory(contractId, { contracts: [{ contractId: next, status: 'active' }, { status: 'moved' }] });
    const added = after.slice(before.length);
    expect(signalsIn(added)).toBe(1);
    expect(added.length).toBeLessThanOrEqual(8);
    const named = `PerennialVendor = "${vendor.vendorId}"`;
    const workflows = await eventually(async () => {
      const found: string[] = [];
      for await (const { workflowId } of kit.client.workflow.list({ query: named })) found.push(workflowId);
      expect(found).toContain(contractId);
      return found;
    });
    expect(workflows).toEqual([contractId]);
  });
});

describe('what a caller asks for that changes neither the next instant nor what the workflow shows', () => {
  it('sends it no message: usage, a charge on demand, an estimate of a change', async () => {
    const vendor = await newVendor();
    const { contractId, customerId } = await signedContract(vendor);
    const { api } = vendor;
    const sentTo = () => kit.db.query('select wanted from outbox where workflow_id = $1', [contractId]);
    const before = await sentTo();
    expect(before).toHaveLength(1);
    await api.made('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '150' });
    await api.made(`/v1/c/contract/${contractId}/charge`, { feature_slug: 'report' });
    const seats = { upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '9' } } };
    await api.made(`/v1/c/contract/${contractId}/upgrade_estimate`, seats);
    expect(await sentTo()).toEqual(before);
  });
});
