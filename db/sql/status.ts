import type { Machine, Transition } from '../../billing/lifecycle/machine.ts';

/** A trigger of a lifecycle as SQL on a row's `status`. */
export interface StatusMove {
  /** condition: the row's status takes the trigger */
  from: string;
  /** expression of the status after it; null, which no status column takes, where the table has no such row */
  to: string;
}

/**
 * What a lifecycle's table says of a trigger, for the `set` and `where` of an update: the same as `next` says of one
 * row.
 *
 * @param guards SQL of every guard that the trigger's rows name
 * @example statusMove(customerMachine, 'freeze').from // "status in ('temporary', 'active')"
 */
export function statusMove<State extends string, Trigger extends string>(
  machine: Machine<State, Trigger>,
  trigger: Trigger,
  guards: Readonly<Record<string, string>> = {},
): StatusMove {
  const rows = machine.transitions.filter((row) => row.trigger === trigger);
  if (rows.length === 0) throw new Error(`${machine.name} has no row for "${trigger}"`);
  const states = [...new Set(rows.map(({ from }) => literal(from)))];
  const cases = rows.map((row) => `when ${conditionOf(row, guards)} then ${literal(row.to)}`);
  return { from: `status in (${states.join(', ')})`, to: `case ${cases.join(' ')} end` };
}

function conditionOf({ from, trigger, guard }: Transition<string, string>, guards: Readonly<Record<string, string>>): string {
  const state = `status = ${literal(from)}`;
  if (guard === undefined) return state;
  const sql = guards[guard.name];
  if (sql === undefined) throw new Error(`"${trigger}" needs the SQL of the guard "${guard.name}"`);
  return `${state} and (${sql})`;
}

function literal(state: string): string {
  if (!/^[a-z_]+$/.test(state)) throw new Error(`"${state}" is no name of a state`);
  return `'${state}'`;
}
