const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 300_000;

/**
 * How long a workflow waits, in ms, with what is still due after it was carried out: longer each time, so that what
 * fails lastingly doesn't fill the history.
 */
export const growingPause = (timesInARow: number): number => Math.min(FIRST_PAUSE * 2 ** timesInARow, LONGEST_PAUSE);
