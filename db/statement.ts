import type pg from 'pg';
import type { Tracing } from '../config/tracing.ts';

const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?"?(?!(?:unnest|lateral|generate_series)\b)([a-z_]+)/i;
const KIND = /^[\s(]*([a-z]+)/i;

/** A statement in two words for the trace, e.g. `select contract`, without its text and parameters. */
export function statementWords(sql: string): { readonly kind: string; readonly table: string | null } {
  return { kind: (KIND.exec(sql)?.[1] ?? 'statement').toLowerCase(), table: TABLE.exec(sql)?.[1]?.toLowerCase() ?? null };
}

/** Runs a statement as a step of the trace under way, if there is one. */
export function traced<T>(tracing: Tracing | null, sql: string, prepared: string | null, run: () => Promise<T>): Promise<T> {
  if (tracing === null) return run();
  return tracing.statement(() => {
    const { kind, table } = statementWords(sql);
    const facts = { 'db.system.name': 'postgresql', 'db.operation.name': kind, ...(table !== null && { 'db.collection.name': table }) };
    return [prepared ?? (table === null ? kind : `${kind} ${table}`), facts];
  }, run);
}

type Ask = (...args: unknown[]) => unknown;

/**
 * Statements of transactions reach a connection directly, from the code that waits for them. The pool's own reach it
 * with a callback, perhaps long after another request asked for them: those are traced where they are asked for.
 */
export function traceConnection(tracing: Tracing, client: pg.PoolClient): void {
  const ask = client.query.bind(client) as Ask;
  const query: Ask = (...args) => {
    const [sql] = args;
    if (typeof sql !== 'string' || typeof args.at(-1) === 'function') return ask(...args);
    return traced(tracing, sql, null, () => ask(...args) as Promise<unknown>);
  };
  Object.assign(client, { query });
}
