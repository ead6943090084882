import type Koa from 'koa';
import type { Logger } from 'pino';
import type { Tracing } from '../../config/tracing.ts';
import type { Database, Tx } from '../../db/connect.ts';
import type { ContractReads } from '../../db/contract/detail.ts';
import type { ChangeEstimates } from '../../db/contract/estimates.ts';
import type { EntitlementReads } from '../../db/entitlement/access.ts';
import type { UsageIntake } from '../../db/usage/intake.ts';
import type { Payments } from '../../payments/open.ts';
import type { ContractCommands } from '../contract/commands.ts';
import type { Authenticator } from './authenticate.ts';
import type { Cursors } from './cursor.ts';

export type Transaction = Tx;

/** A part of the service with paths of its own beside the interface: portal pages, provider webhooks. */
export interface Mount {
  readonly prefix: string;
  readonly handle: Koa.Middleware;
}

/** What is outside of the process and may be away. */
interface Health {
  /** Throws when Temporal doesn't answer. */
  temporal(): Promise<void>;
}

export interface Settings {
  readonly secret: string;
  readonly baseUrl: string;
  /** Requests per key and minute; null: no limit. */
  readonly rateLimitPerMinute: number | null;
}

/** Given by the process (`api/main.ts`) or the tests. */
export interface Parts {
  readonly db: Database;
  readonly contracts: ContractCommands;
  readonly payments: Payments;
  readonly health: Health;
  readonly settings: Settings;
  readonly log: Logger;
  readonly mounts?: readonly Mount[];
  readonly tracing?: Tracing | null;
}

/** What routes may use. */
export interface Dependencies extends Parts {
  readonly authenticator: Authenticator;
  readonly cursors: Cursors;
  readonly usage: UsageIntake;
  readonly contractReads: ContractReads;
  readonly estimates: ChangeEstimates;
  readonly entitlements: EntitlementReads;
}
