/** How many objects may have an event under way at once. */
const MOST = 8;

/**
 * Does the work for each event: those of one object one after the other, different objects side by side.
 *
 * @param done receives the last event up to which all are done, in the order of the list
 */
export async function inLanes<E extends { object: string }>(
  events: readonly E[],
  work: (event: E) => Promise<void>,
  done: (event: E) => void,
): Promise<void> {
  const lanes = [...Map.groupBy(events, ({ object }) => object).values()].values();
  const finished = new Set<E>();
  let passed = 0;
  const run = async (): Promise<void> => {
    for (const lane of lanes)
      for (const event of lane) {
        await work(event);
        finished.add(event);
        for (let next = events[passed]; next !== undefined && finished.has(next); next = events[++passed]) done(next);
      }
  };
  // all of them end before a failure of one is thrown, so that no work goes on behind it
  const ends = await Promise.allSettled(Array.from({ length: MOST }, run));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
