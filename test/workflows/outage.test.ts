import { HOUR } from '../../billing/calendar/instant.ts';
import { send } from '../../temporal/send.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { stepsOf } from './history.ts';
import { type Kit, openKit } from './kit.ts';
import { activitiesFor, endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-outage-${process.pid}`;
/** Tries in the workflow task itself, before the step waits in Temporal. */
const QUICK_TRIES = 3;

let kit: Kit;
let own: OwnWorker;
/** how often each step still finds Postgres starting up */
const away = { readSchedule: 0, rollOverCycle: 0, recordAttempt: 0 };

/** The activity as it is, once Postgres has been away for as many tries as are asked for. */
function afterOutage<I, O>(name: keyof typeof away, real: (input: I) => Promise<O>): (input: I) => Promise<O> {
  return async (input) => {
    if (away[name] === 0) return real(input);
    away[name] -= 1;
    throw Object.assign(new Error('the database system is starting up'), { code: '57P03' });
  };
}

beforeAll(async () => {
  const addresses = await servers();
  kit = await openKit(addresses, QUEUE);
  const real = await activitiesFor(kit, addresses);
  own = await startWorker(addresses, QUEUE, {
    ...real,
    readSchedule: afterOutage('readSchedule', real.readSchedule),
    rollOverCycle: afterOutage('rollOverCycle', real.rollOverCycle),
    chargeAttempt: async () => ({ status: 'ended' }),
    recordAttempt: afterOutage('recordAttempt', async () => ({ status: 'succeeded' })),
  });
});

afterAll(async () => {
  await own.stop();
  await kit.close();
  await endRuntime();
});

describe('while Postgres is away for longer than a step is tried within a workflow task', () => {
  it('the step waits in Temporal, at the first look and at a wake-up: the workflow goes on when Postgres is back, the hour begins once', async () => {
    away.readSchedule = QUICK_TRIES + 1;
    away.rollOverCycle = QUICK_TRIES + 1;
    const dueAt = Date.now() + 20_000;
    const id = await kit.signWithoutMessages(await kit.customer(), await kit.plan('1.00', { cycle: 'hour' }), { activation: dueAt - HOUR });
    await send(kit.client, QUEUE, { kind: 'contract', workflowId: id });
    await eventually(async () => expect((await kit.state(id)).idx).toBe(2));
    expect(away).toMatchObject({ readSchedule: 0, rollOverCycle: 0 });
    await eventually(async () => {
      const steps = stepsOf(await kit.history(id)).map(({ activity }) => activity);
      expect(steps).toEqual(['readSchedule', 'rollOverCycle']);
    });
    expect((await kit.client.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');
    expect((await kit.invoices(id)).map(({ date }) => date)).toEqual([dueAt - HOUR, dueAt]);
  });

  it('so does the outcome of a payment', async () => {
    away.recordAttempt = QUICK_TRIES + 1;
    const workflowId = `payment:${kit.vendorId}`;
    await send(kit.client, QUEUE, { kind: 'payment', workflowId });
    expect(await kit.client.workflow.getHandle(workflowId).result()).toEqual({ status: 'succeeded' });
    expect(away.recordAttempt).toBe(0);
  });
});
