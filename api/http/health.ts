import type Koa from 'koa';
import { pendingMigrations } from '../../db/migrate.ts';
import type { Dependencies } from './dependencies.ts';

const OVERDUE_MINUTES = 5;
const PATIENCE_MS = 3_000;

export function healthz(context: Koa.Context): void {
  context.body = { status: 'alive' };
}

type Check = { ok: true } | { ok: false; reason: string };

/** 200 when Postgres and Temporal answer and every migration is applied; how many agenda rows are overdue is told, not judged. */
export async function readyz(context: Koa.Context, deps: Dependencies): Promise<void> {
  const [postgres, temporal] = await Promise.all([check(() => deps.db.query('select 1')), check(() => deps.health.temporal())]);
  const migrations = postgres.ok ? await check(() => requireMigrations(deps)) : postgres;
  const ready = postgres.ok && temporal.ok && migrations.ok;
  const overdue = migrations.ok ? await overdueRows(deps) : null;
  context.status = ready ? 200 : 503;
  if (!ready) context.set('retry-after', '2');
  context.body = { status: ready ? 'ready' : 'not_ready', postgres, temporal, migrations, agenda: { overdue } };
}

async function check(ask: () => Promise<unknown>): Promise<Check> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Error('no answer in time')), PATIENCE_MS);
  try {
    await Promise.race([ask(), timer.promise]);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: error instanceof PendingMigrations ? error.message : 'does not answer' };
  } finally {
    clearTimeout(timeout);
  }
}

class PendingMigrations extends Error {}

async function requireMigrations(deps: Dependencies): Promise<void> {
  const pending = await pendingMigrations(deps.db);
  if (pending.length > 0) throw new PendingMigrations(`${pending.length} migrations are not applied`);
}

/** Rows of the wall clock that should have happened minutes ago: a contract stopped billing. */
async function overdueRows(deps: Dependencies): Promise<number> {
  const [row] = await deps.db.query<{ count: string }>(
    `select count(*) from agenda where test_clock_id is null and due_at < now() - make_interval(mins => $1)`,
    [OVERDUE_MINUTES],
  );
  return Number(row?.count ?? 0);
}
