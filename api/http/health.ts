import { howMany } from '../../billing/how-many.ts';
import { ping } from '../../db/health/ping.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { countOverdue } from '../../db/sql/agenda/count-overdue.ts';
import type { Context } from './context.ts';
import type { ApiDependencies } from './dependencies.ts';

const PATIENCE_MS = 3_000;

export function healthz(context: Pick<Context, 'body'>): void {
  context.body = { status: 'alive' };
}

type Check = { ok: true } | { ok: false; reason: string };

/** What `/readyz` responds. */
interface Readiness {
  readonly canSell: boolean;
  readonly body: object;
}

/**
 * 200 when Postgres answers and every migration is applied: that is all a sale needs. The body also says whether
 * Temporal and a worker are there, which do what is due later, and how many agenda rows are overdue;
 * null where that isn't known.
 */
export function readyz(deps: ApiDependencies): (context: Pick<Context, 'status' | 'set' | 'body'>) => Promise<void> {
  // anybody may ask as often as they like: requests that come during a check share its result
  let checking: Promise<Readiness> | null = null;
  return async (context) => {
    checking ??= checkAll(deps).finally(() => {
      checking = null;
    });
    const { canSell, body } = await checking;
    context.status = canSell ? 200 : 503;
    if (!canSell) context.set('retry-after', '2');
    context.body = body;
  };
}

async function checkAll(deps: ApiDependencies): Promise<Readiness> {
  const [{ postgres, migrations, overdue }, temporal, worker] = await Promise.all([
    checkPostgres(deps),
    check(() => deps.health.temporal()),
    check(() => requireWorker(deps)),
  ]);
  const canSell = postgres.ok && migrations.ok;
  const status = canSell ? (temporal.ok && worker.ok ? 'ready' : 'degraded') : 'not_ready';
  return { canSell, body: { status, postgres, migrations, temporal, worker, agenda: { overdue } } };
}

async function checkPostgres(deps: ApiDependencies): Promise<{ postgres: Check; migrations: Check; overdue: number | null }> {
  const postgres = await check(() => ping(deps.db));
  const migrations = postgres.ok ? await check(() => requireMigrations(deps)) : postgres;
  // a sale doesn't need this number: where it can't be counted in time, the API is ready all the same
  const overdue = migrations.ok ? await inTime(() => countOverdue(deps.db)).catch(() => null) : null;
  return { postgres, migrations, overdue };
}

async function check(ask: () => Promise<unknown>): Promise<Check> {
  try {
    await inTime(ask);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: error instanceof NotReady ? error.message : 'does not answer' };
  }
}

async function inTime<T>(ask: () => Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Error('no answer in time')), PATIENCE_MS);
  try {
    return await Promise.race([ask(), timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}

/** There was a response, and this is what is missing. */
class NotReady extends Error {}

async function requireWorker(deps: ApiDependencies): Promise<void> {
  if (!(await deps.health.hasWorker())) throw new NotReady('no worker takes work');
}

async function requireMigrations(deps: ApiDependencies): Promise<void> {
  const pending = await pendingMigrations(deps.db);
  if (pending.length > 0) throw new NotReady(`${howMany(pending.length, 'migration is', 'migrations are')} not applied`);
}
