import { logTo, withProgress } from '../../local-stack/log.ts';

function terminal(columns = 40) {
  const written: string[] = [];
  return { written, stream: { isTTY: true, columns, write: (text: string) => written.push(text) } };
}

/** What a terminal shows in the end: a carriage return starts the line again. */
function shown(written: readonly string[]): string[] {
  const lines = written.join('').split('\n');
  return lines.map((line) => line.split('\r\u001b[K').at(-1) ?? '');
}

/** Begins work that takes the given time, and lets that time pass. */
async function during(milliseconds: number, begin: (work: Promise<string>) => Promise<unknown>): Promise<void> {
  const work = Promise.withResolvers<string>();
  const done = begin(work.promise);
  await jest.advanceTimersByTimeAsync(milliseconds);
  work.resolve('done');
  await done;
}

describe('long work', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('of seven minutes on a terminal is one line that renews itself each second', async () => {
    const { written, stream } = terminal();
    const log = logTo(stream);
    await during(421_000, (work) => withProgress(log, 'Building', work));
    expect(shown(written)).toEqual(['Building: done after 421 s', '']);
    expect(written.filter((text) => text.includes('…')).length).toBeGreaterThan(400);
    expect(written.filter((text) => text.includes('\n'))).toHaveLength(1);
  });

  it('of seven minutes elsewhere is six lines and one at its end', async () => {
    const lines: string[] = [];
    await during(421_000, (work) => withProgress((line) => lines.push(line), 'Building', work));
    expect(lines).toEqual([...[2, 12, 32, 72, 152, 312].map((n) => `Building … ${n} s`), 'Building: done after 421 s']);
  });

  it('of a second is not spoken of', async () => {
    const { written, stream } = terminal();
    await during(1_000, (work) => withProgress(logTo(stream), 'Starting', work));
    expect(written).toEqual([]);
  });

  it('says how far it has come', async () => {
    const lines: string[] = [];
    let shown = 100;
    await during(2_500, (work) => {
      const done = withProgress(
        (line) => lines.push(line),
        () => `${shown} of 300 told`,
        work,
      );
      shown = 200;
      return done.then(() => undefined);
    });
    expect(lines[0]).toBe('200 of 300 told … 2 s');
  });

  it('leaves no line behind when it fails', async () => {
    const { written, stream } = terminal();
    const log = logTo(stream);
    const work = Promise.withResolvers<never>();
    const failed = withProgress(log, 'Building', work.promise).catch((error: Error) => log(error.message));
    await jest.advanceTimersByTimeAsync(5_000);
    work.reject(new Error('no room'));
    await failed;
    expect(shown(written)).toEqual(['no room', '']);
  });
});

describe('a terminal', () => {
  it('keeps the renewed line below what is said meanwhile, and cut to its width', () => {
    const { written, stream } = terminal(20);
    const log = logTo(stream);
    const owner = {};
    log.renew?.(owner, 'Building the Temporal server');
    log('Making a database cluster');
    expect(shown(written)).toEqual(['Making a database cluster', 'Building the Tempor']);
  });

  it('shows two works at a time side by side', () => {
    const { written, stream } = terminal();
    const log = logTo(stream);
    const [one, other] = [{}, {}];
    log.renew?.(one, 'Building … 9 s');
    log.renew?.(other, 'Starting … 2 s');
    expect(shown(written)).toEqual(['Building … 9 s | Starting … 2 s']);
    log.renew?.(one, null);
    expect(shown(written)).toEqual(['Starting … 2 s']);
  });
});
