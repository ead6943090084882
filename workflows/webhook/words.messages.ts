import { CUT_OFF, dateText } from '../contract/words.messages.ts';
import type { EndpointState } from '../messages.ts';

const MOST_COUNTED = 1_000;

const objects = (count: number): string => (count === 1 ? '1 object' : `${count < MOST_COUNTED ? count : 'many'} objects`);

/** What the timer of an endpoint waits for. */
export function nextTryText({ failing, nextTry }: EndpointState): string {
  return nextTry === null ? '' : `next try of ${objects(Math.max(failing, 1))} at ${dateText(nextTry)}`;
}

/** The details an operator reads in the Temporal UI. */
export function endpointText(endpointId: string, state: EndpointState): string {
  const { isPaused, failing } = state;
  const waiting = failing === 0 ? 'No event waits for another try.' : `${objects(failing)} waiting after a failed try.`;
  const next = isPaused ? 'Paused: nothing is sent until it is opened.' : nextTryText(state);
  return `Endpoint \`${endpointId}\`: ${waiting}\n\n${next === '' ? 'Waits for the next event.' : next}${CUT_OFF}`;
}
