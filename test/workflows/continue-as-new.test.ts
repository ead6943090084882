import { HOUR } from '../../billing/calendar/instant.ts';
import { send } from '../../temporal/send.ts';
import { CHANGED_SIGNAL } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { stepsOf } from './history.ts';
import { type Kit, openKit } from './kit.ts';
import { activitiesFor, endRuntime, startWorker } from './own-worker.ts';

const QUEUE = `perennial-continue-as-new-${process.pid}`;

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers(), QUEUE);
});
afterAll(async () => {
  await kit.close();
  await endRuntime();
});

/** While this worker alone asks the queue, with the name of its workflow code. */
async function withWorker<T>(bundle: string, work: () => Promise<T>): Promise<T> {
  const addresses = await servers();
  const own = await startWorker(addresses, QUEUE, await activitiesFor(kit, addresses, bundle));
  return work().finally(() => own.stop());
}

it('a chain goes on in a new run once another worker’s code answers it, at its next look and no sooner, and ends with its contract', async () => {
  const customer = await kit.customer();
  const id = await kit.signWithoutMessages(customer, await kit.plan('1.00', { cycle: 'hour' }), { activation: Date.now() - HOUR / 2 });
  const handle = kit.client.workflow.getHandle(id);
  const runOf = async () => (await handle.describe()).runId;
  const shows = (bundle: string) => eventually(async () => expect(await handle.query('state')).toMatchObject({ bundle }));

  const first = await withWorker('first', async () => {
    await send(kit.client, QUEUE, { kind: 'contract', workflowId: id });
    await shows('first');
    await handle.signal(CHANGED_SIGNAL);
    await eventually(async () => expect(stepsOf(await kit.history(id)).length).toBeGreaterThan(1));
    return runOf();
  });
  await withWorker('second', async () => {
    await shows('first');
    expect(await runOf()).toBe(first);
    await handle.signal(CHANGED_SIGNAL);
    await eventually(async () => expect(await runOf()).not.toBe(first));
    expect((await kit.client.workflow.getHandle(id, first).describe()).status.name).toBe('CONTINUED_AS_NEW');
    await shows('second');
    const second = await runOf();
    await handle.signal(CHANGED_SIGNAL);
    await eventually(async () => expect(stepsOf(await kit.history(id)).length).toBeGreaterThan(1));
    const { searchAttributes, runId } = await handle.describe();
    expect(runId).toBe(second);
    expect(searchAttributes).toMatchObject({ PerennialContracts: [id], PerennialCustomer: [customer], PerennialStatus: ['active'] });
    await kit.cancel(id);
    await handle.result();
  });
  expect(await kit.state(id)).toMatchObject({ status: 'canceled' });
});
