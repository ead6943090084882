/** One line for the person who typed a command. On a terminal some lines can be rewritten in place. */
export type Log = ((line: string) => void) & {
  /** Shows a line below all others until `owner` gives another one, or null to remove it. */
  renew?(owner: object, line: string | null): void;
};

/** What is written to; a terminal has a width. */
interface Stream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Moves to the first column and clears the line. */
const CLEAR_LINE = '\r\u001b[K';
const USUAL_WIDTH = 80;

/**
 * Lines to a stream. On a terminal the line at the bottom can be rewritten; several owners share it.
 *
 * @example const log = logTo(process.stdout); log('Making a database cluster');
 */
export function logTo(stream: Stream): Log {
  if (stream.isTTY !== true) return (line) => stream.write(`${line}\n`);
  const standing = new Map<object, string>();
  const bottom = (): string => [...standing.values()].join(' | ').slice(0, (stream.columns ?? USUAL_WIDTH) - 1);
  return Object.assign((line: string) => stream.write(standing.size === 0 ? `${line}\n` : `${CLEAR_LINE}${line}\n${bottom()}`), {
    renew: (owner: object, line: string | null): void => {
      if (line === null && !standing.has(owner)) return;
      if (line === null) standing.delete(owner);
      else standing.set(owner, line);
      stream.write(`${CLEAR_LINE}${bottom()}`);
    },
  });
}

const FIRST_LINE_AFTER = 2_000;
const RENEWED_EVERY = 1_000;
/** Where each report is a new line, the pause doubles each time: seven minutes are six lines. */
const FIRST_PAUSE = 10_000;

/**
 * Reports work that takes more than two seconds, and how long it took in the end.
 *
 * @param what what is being done; a function where the text changes with the progress
 */
export async function withProgress<T>(log: Log, what: string | (() => string), work: Promise<T>): Promise<T> {
  const began = Date.now();
  const owner = {};
  const seconds = (): string => `${Math.round((Date.now() - began) / 1000)} s`;
  const text = (): string => (typeof what === 'string' ? what : what());
  let hasReported = false;
  let pause = FIRST_PAUSE;
  const report = (): void => {
    hasReported = true;
    const line = `${text()} … ${seconds()}`;
    if (log.renew) log.renew(owner, line);
    else log(line);
    timer = setTimeout(report, log.renew ? RENEWED_EVERY : pause);
    pause *= 2;
  };
  let timer = setTimeout(report, FIRST_LINE_AFTER);
  try {
    const result = await work;
    log.renew?.(owner, null);
    if (hasReported) log(`${text()}: done after ${seconds()}`);
    return result;
  } finally {
    clearTimeout(timer);
    log.renew?.(owner, null);
  }
}
