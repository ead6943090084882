/** One line for the person who typed `npm start`. */
export type Log = (line: string) => void;

const FIRST_WORD_AFTER = 2_000;
const THEN_EVERY = 10_000;

/** Says that something takes its time once it has taken two seconds, and how long it took in the end. */
export async function withProgress<T>(log: Log, what: string, work: Promise<T>): Promise<T> {
  const began = Date.now();
  const seconds = (): string => `${Math.round((Date.now() - began) / 1000)} s`;
  let spoken = false;
  const speak = (): void => {
    spoken = true;
    log(`${what} … ${seconds()}`);
    timer = setTimeout(speak, THEN_EVERY);
  };
  let timer = setTimeout(speak, FIRST_WORD_AFTER);
  try {
    const result = await work;
    if (spoken) log(`${what}: done after ${seconds()}`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
