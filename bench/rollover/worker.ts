import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import pino from 'pino';
import { clockActivities } from '../../activities/clock/index.ts';
import { Carrier } from '../../activities/contract/carrier.ts';
import { type ContractActivities, contractActivities } from '../../activities/contract/index.ts';
import type { Dependencies } from '../../activities/dependencies.ts';
import { paymentActivities } from '../../activities/payment/index.ts';
import { loadConfig } from '../../config/config.ts';
import { connect } from '../../db/connect.ts';
import { openPayments } from '../../payments/open.ts';
import { workflowBundle } from '../../worker/bundle.ts';
import { deliverer } from '../../worker/deliver.ts';
import { startDueWatch } from '../../worker/due-watch.ts';
import { startRelay } from '../../worker/relay.ts';
import { createWorker } from '../../worker/temporal-worker.ts';

// The production worker's parts. `--together`: the workflows' own timers aren't spread behind the instant; `--alone`: besides, each rolls over its own contract only.
const config = loadConfig();
const log = pino({ level: 'warn' });
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
const db = await connect(config);
const connection = Connection.lazy({ address: config.temporalAddress });
const client = new Client({ connection, namespace: config.temporalNamespace });
const deliver = deliverer(db, client, config.temporalTaskQueue, log);
const payments = openPayments({ config, db, deliver });
const [alone, together] = ['--alone', '--together'].map((flag) => process.argv.includes(flag));
const carrier = alone ? null : new Carrier({ db, log, deliver });
const dependencies: Dependencies = { db, log, payments, deliver, carrier };
const contracts = contractActivities(dependencies);
const unspread: Partial<ContractActivities> = {
  advanceContract: async (input) => ({ ...(await contracts.advanceContract(input)), wakeAt: null }),
};
const activities = {
  ...contracts,
  ...(alone || together ? unspread : {}),
  ...clockActivities(dependencies),
  ...paymentActivities(dependencies),
};
const worker = await createWorker(config, activities, (await workflowBundle()) as { codePath: string });
const loops = [startRelay(db, client, config.temporalTaskQueue, log), ...(carrier === null ? [] : [startDueWatch(db, carrier, log)])];
process.on('SIGTERM', () => worker.shutdown());
await worker.run();
await Promise.all(loops.map((loop) => loop.stop()));
await payments.providers.close();
await connection.close();
await db.close();
