import type { Database } from '../../db/connect.ts';
import type { NewBody } from '../../db/sql/webhook/bodies.ts';
import type { LoggedEvent } from '../../db/sql/webhook/read-news.ts';
import type { RetrySchedule } from './retry.ts';
import type { Transport } from './transport.ts';

/** Makes the bodies of events, each with its object as the API shows it now. */
export type BodyMaker = (db: Database, events: readonly LoggedEvent[]) => Promise<NewBody[]>;

/** What delivering needs beside the database. */
export interface Webhooks {
  readonly transport: Transport;
  readonly makeBodies: BodyMaker;
  readonly schedule: RetrySchedule;
  /** that secrets of endpoints are sealed with */
  readonly secret: string;
  /** tells this process that there is an endpoint */
  inUse(): void;
}
