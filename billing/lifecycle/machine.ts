import { Refusal } from '../refusal.ts';

/** A condition that decides between transitions of one state and trigger; `text` is how people read it. */
export interface Guard {
  name: string;
  text: string;
}

/** One row: in state `from`, `trigger` leads to `to`, if the guard is met. */
export interface Transition<State extends string, Trigger extends string> {
  from: State;
  trigger: Trigger;
  to: State;
  guard?: Guard;
}

/** How a thing is made: the event that makes it, and the state it is made in. */
export interface MachineStart<First extends string, Event extends string> {
  event: Event;
  to: First;
  guard?: Guard;
  text: string;
}

/** A declared lifecycle: everything that may happen to one kind of thing. What no row names is refused. */
export interface Machine<
  State extends string = string,
  Trigger extends string = string,
  First extends State = State,
  Event extends string = string,
> {
  name: string;
  /** every state with what it means */
  states: Record<State, string>;
  starts: MachineStart<First, Event>[];
  transitions: Transition<State, Trigger>[];
}

/** Which guards are met, by name; a guard that isn't named is not met. */
export type Facts = Readonly<Record<string, boolean>>;

/**
 * A trigger that the state doesn't take, or whose guards aren't met: the state is in the way, so no other value of the
 * request would help.
 */
export class LifecycleError extends Refusal {
  readonly machine: string;
  readonly state: string;
  readonly trigger: string;

  constructor(machine: string, state: string, trigger: string, message: string) {
    super('not_possible_in_state', message);
    this.name = 'LifecycleError';
    this.machine = machine;
    this.state = state;
    this.trigger = trigger;
  }
}

/** The state of a thing before it is made, as errors name it. */
const BEFORE = '[*]';

/**
 * The state a thing is made in: that of the first start by this event whose guard is met.
 *
 * @throws LifecycleError `not_possible_in_state` for an event without a start, or when no guard is met
 */
export function initialState<State extends string, First extends State, Event extends string>(
  machine: Machine<State, string, First, Event>,
  event: Event,
  facts: Facts = {},
): First {
  const row = machine.starts.find((start) => start.event === event && isMet(start, facts));
  if (row !== undefined) return row.to;
  throw new LifecycleError(machine.name, BEFORE, event, `${machine.name} isn't made by "${event}" with these facts`);
}

/**
 * The state after a trigger: that of the first row of this state and trigger whose guard is met.
 *
 * @throws LifecycleError `not_possible_in_state` for a pair without a row, or when no guard is met
 */
export function next<State extends string, Trigger extends string>(
  machine: Machine<State, Trigger>,
  state: State,
  trigger: Trigger,
  facts: Facts = {},
): State {
  const rows = machine.transitions.filter((row) => row.from === state && row.trigger === trigger);
  const row = rows.find((one) => isMet(one, facts));
  if (row !== undefined) return row.to;
  throw new LifecycleError(machine.name, state, trigger, refusal(machine, state, trigger, rows));
}

function isMet({ guard }: { guard?: Guard }, facts: Facts): boolean {
  return guard === undefined || facts[guard.name] === true;
}

function refusal<State extends string, Trigger extends string>(
  machine: Machine<State, Trigger>,
  state: State,
  trigger: Trigger,
  rows: Transition<State, Trigger>[],
): string {
  const known = [...new Set(triggersOf(machine, state))];
  if (rows.length > 0) return `${machine.name} in "${state}" takes "${trigger}" only if ${rows.map((row) => row.guard?.text).join(' or ')}`;
  const possible = known.length === 0 ? 'nothing leaves that state' : `possible are ${known.join(', ')}`;
  return `${machine.name} in "${state}" doesn't take "${trigger}"; ${possible}`;
}

/** Whether a state takes a trigger at all, whatever the guards say. */
export function takes<State extends string, Trigger extends string>(
  machine: Machine<State, Trigger>,
  state: State,
  trigger: Trigger,
): boolean {
  return triggersOf(machine, state).includes(trigger);
}

/** Whether some trigger leads from one state to another; a state that stays as it is needs none. */
export function leadsTo<State extends string>(machine: Machine<State>, from: State, to: State): boolean {
  return from === to || machine.transitions.some((row) => row.from === from && row.to === to);
}

/** The triggers a state knows, in the order of the table. */
export function triggersOf<State extends string, Trigger extends string>(machine: Machine<State, Trigger>, state: State): Trigger[] {
  return machine.transitions.filter((row) => row.from === state).map((row) => row.trigger);
}

/** The states that nothing leaves. */
export function finalStates<State extends string>(machine: Machine<State>): State[] {
  const states = Object.keys(machine.states) as State[];
  return states.filter((state) => machine.transitions.every((row) => row.from !== state || row.to === state));
}
