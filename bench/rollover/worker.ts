import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import pino from 'pino';
import type { ContractActivities } from '../../activities/contract/index.ts';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { activitiesOf } from '../../activities/index.ts';
import { loadConfig } from '../../config/config.ts';
import { connect } from '../../db/connect.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { OutboxDispatcher } from '../../temporal/dispatcher.ts';
import { bundleName, workflowBundle } from '../../worker/bundle.ts';
import { startLoops } from '../../worker/relay.ts';
import { createWorkers } from '../../worker/temporal-worker.ts';
import type { ChainActivityInput, Schedule } from '../../workflows/messages.ts';

// The production worker's parts. `--together`: the workflows' own timers aren't spread over the seconds after the
// instant; `--alone`: besides, none leaves what is due to a bill run
const config = loadConfig();
const log = pino({ level: 'warn' });
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
const db = await connect(config);
const connection = Connection.lazy({ address: config.temporalAddress });
const client = new Client({ connection, namespace: config.temporalNamespace });
const dispatcher = new OutboxDispatcher({ db, client, taskQueue: config.temporalTaskQueue, log });
db.dispatcher = dispatcher;
const payments = await openPayments({ config, db });
const [alone, together] = ['--alone', '--together'].map((flag) => process.argv.includes(flag));
const dependencies: ActivityDependencies = { db, log, payments, email: null, webhooks: null, bundle: await bundleName() };
const activities = activitiesOf(dependencies);

type Step = (look: ChainActivityInput) => Promise<Schedule>;
const steps = {
  readSchedule: activities.readSchedule,
  activate: activities.activate,
  rollOverCycle: activities.rollOverCycle,
} satisfies Partial<ContractActivities>;

/** What is left to a bill run is looked at later all the same. */
const unspread =
  (step: Step): Step =>
  async (look) => {
    const schedule = await step(alone ? { ...look, wasLeft: true } : look);
    return { ...schedule, wakeAt: schedule.isLeft ? schedule.wakeAt : null };
  };

const changed = Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, unspread(step)]));
const workers = await createWorkers(config, {
  activities: { ...activities, ...(alone || together ? changed : {}) },
  bundle: (await workflowBundle()) as { codePath: string },
});
const loops = Object.values(startLoops(['relay', 'overdue'], { db, log, dispatcher, retention: config.retention, deleted: () => {} }));
process.on('SIGTERM', () => workers.shutdown());
await workers.run();
await Promise.all(loops.map((loop) => loop.stop()));
await dispatcher.idle();
await payments.providers.close();
await connection.close();
await db.close();
