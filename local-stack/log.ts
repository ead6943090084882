/** One line for the person who typed a command. On a terminal some lines can renew themselves in place. */
export type Log = ((line: string) => void) & {
  /** Shows a line that stands below all others until `owner` gives another one, or null to take it away. */
  renew?(owner: object, line: string | null): void;
};

/** What is written to; a terminal tells its width. */
interface Stream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Back to the first column, and what stood there is gone. */
const AFRESH = '\r\u001b[K';
const USUAL_WIDTH = 80;

/**
 * Lines to a stream. On a terminal one line at the bottom can renew itself; several at a time share it.
 *
 * @example const log = logTo(process.stdout); log('Making a database cluster');
 */
export function logTo(stream: Stream): Log {
  if (stream.isTTY !== true) return (line) => stream.write(`${line}\n`);
  const standing = new Map<object, string>();
  const bottom = (): string => [...standing.values()].join(' | ').slice(0, (stream.columns ?? USUAL_WIDTH) - 1);
  return Object.assign((line: string) => stream.write(standing.size === 0 ? `${line}\n` : `${AFRESH}${line}\n${bottom()}`), {
    renew: (owner: object, line: string | null): void => {
      if (line === null && !standing.has(owner)) return;
      if (line === null) standing.delete(owner);
      else standing.set(owner, line);
      stream.write(`${AFRESH}${bottom()}`);
    },
  });
}

const FIRST_WORD_AFTER = 2_000;
const RENEWED_EVERY = 1_000;
/** Where each word is a line of its own, it comes after twice as long each time: seven minutes are six lines. */
const FIRST_PAUSE = 10_000;

/**
 * Says that something takes its time once it has taken two seconds, and how long it took in the end.
 *
 * @param what a function says how far it has come
 */
export async function withProgress<T>(log: Log, what: string | (() => string), work: Promise<T>): Promise<T> {
  const began = Date.now();
  const owner = {};
  const seconds = (): string => `${Math.round((Date.now() - began) / 1000)} s`;
  const words = (): string => (typeof what === 'string' ? what : what());
  let spoken = false;
  let pause = FIRST_PAUSE;
  const speak = (): void => {
    spoken = true;
    const line = `${words()} … ${seconds()}`;
    if (log.renew) log.renew(owner, line);
    else log(line);
    timer = setTimeout(speak, log.renew ? RENEWED_EVERY : pause);
    pause *= 2;
  };
  let timer = setTimeout(speak, FIRST_WORD_AFTER);
  try {
    const result = await work;
    log.renew?.(owner, null);
    if (spoken) log(`${words()}: done after ${seconds()}`);
    return result;
  } finally {
    clearTimeout(timer);
    log.renew?.(owner, null);
  }
}
