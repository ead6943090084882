import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pino from 'pino';
import { type ContractActivities, contractActivities } from '../../activities/contract/index.ts';
import type { Dependencies } from '../../activities/dependencies.ts';
import type { PaymentActivities } from '../../activities/payment/index.ts';
import { signContract } from '../../db/contract/sign.ts';
import { newId } from '../../db/id.ts';
import { startOptions } from '../../db/wish/deliver.ts';
import { openPayments } from '../../payments/open.ts';
import { workflowBundle } from '../../worker/bundle.ts';
import { CONTRACT_WORKFLOW } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

const QUEUE = 'perennial-outage';
/** Tries in the workflow task itself, before the step waits in Temporal. */
const QUICK_TRIES = 3;

Runtime.install({ logger: new DefaultLogger('ERROR') });

let kit: Kit;
let worker: Worker;
let working: Promise<void>;
/** how often each step still finds Postgres starting up */
const away = { advanceContract: 0, carryOut: 0, nextPayment: 0 };

beforeAll(async () => {
  const { databaseUrl, temporalAddress } = await servers();
  kit = await openKit({ databaseUrl, temporalAddress });
  const deliver = async () => {};
  const config = { payments: { cardproc: null, authorize: null, retryDays: [] }, mode: 'production' as const, databaseUrl };
  const payments = openPayments({ config, db: kit.db, deliver });
  const dependencies: Dependencies = { db: kit.db, deliver, payments, log: pino({ level: 'silent' }), carrier: null };
  const real = contractActivities(dependencies);
  const outage = (name: keyof typeof away): void => {
    if (away[name] === 0) return;
    away[name] -= 1;
    throw Object.assign(new Error('the database system is starting up'), { code: '57P03' });
  };
  const activities: ContractActivities & Pick<PaymentActivities, 'nextPayment'> = {
    nextPayment: async () => {
      outage('nextPayment');
      return { todo: 'nothing' };
    },
    advanceContract: async (input) => {
      outage('advanceContract');
      return real.advanceContract(input);
    },
    carryOut: async (input) => {
      outage('carryOut');
      return real.carryOut(input);
    },
  };
  const connection = await NativeConnection.connect({ address: temporalAddress });
  worker = await Worker.create({ connection, taskQueue: QUEUE, workflowBundle: await workflowBundle(), activities });
  working = worker.run().finally(() => connection.close());
}, 60_000);

afterAll(async () => {
  worker.shutdown();
  await working;
  await kit.close();
  await Runtime.instance().shutdown();
});

/** A contract that only our own worker knows of. */
async function signs(): Promise<string> {
  const plan = await kit.plan('10.00');
  const customer = await kit.customer();
  return kit.db.transaction(async (tx) => {
    const { contract, wishes } = await signContract(tx, kit.wishOf(customer, plan));
    await tx.query('delete from wish where id = any($1::bigint[])', [wishes]);
    return contract.id;
  });
}

describe('while Postgres is away for longer than a step is tried within a workflow task', () => {
  it('the step waits in Temporal: neither the workflow nor a caller hears of it', async () => {
    const id = await signs();
    away.advanceContract = QUICK_TRIES + 1;
    await kit.client.workflow.start(CONTRACT_WORKFLOW, startOptions('start_contract', id, QUEUE));
    await eventually(() => expect(away.advanceContract).toBe(0));

    away.carryOut = QUICK_TRIES + 1;
    expect(await kit.ask(id, 'cancel', { when: { type: 'end_of_cycle' }, credit: false, notes: null })).toBe(id);
    expect(away.carryOut).toBe(0);
    expect((await kit.client.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');
  }, 60_000);

  it('so does the collection of an invoice', async () => {
    away.nextPayment = QUICK_TRIES + 1;
    const invoiceId = newId('Inv');
    const collected = await kit.client.workflow.start('collectPayment', startOptions('start_payment', invoiceId, QUEUE));
    await collected.result();
    expect(away.nextPayment).toBe(0);
  }, 60_000);
});
