import { SendQueue, type WaitingMessage } from '../../../temporal/send-queue.ts';

const message = (workflowId: string) => ({ kind: 'payment', workflowId });

/** A queue whose batches are sent when the test says so. */
function queue() {
  const batches: { ids: string[]; sent(): void; refused(error: unknown): void }[] = [];
  const failures: unknown[] = [];
  const send = (some: readonly WaitingMessage[]): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    batches.push({ ids: some.map((one) => one.message.workflowId), sent: resolve, refused: reject });
    return promise;
  };
  return { batches, failures, queue: new SendQueue({ turn: async () => {}, send, failed: (error) => failures.push(error) }) };
}

/** Resolves when all that can go on has gone on. */
const turn = (): Promise<void> => new Promise((done) => void setImmediate(done));

/** Which of some promises have resolved by then. */
async function resolved(promises: Readonly<Record<string, Promise<void>>>): Promise<string[]> {
  const found: string[] = [];
  for (const [name, promise] of Object.entries(promises)) void promise.then(() => found.push(name));
  await turn();
  return found;
}

describe('a queue of messages', () => {
  it('has handled a message when its batch is sent; one that came meanwhile is sent in the next', async () => {
    const { queue: messages, batches } = queue();
    messages.add([message('a'), message('b')]);
    await turn();
    messages.add([message('c')]);
    const handled = Object.fromEntries(['a', 'b', 'c', 'never added'].map((id) => [id, messages.handled(message(id))]));
    expect(await resolved(handled)).toEqual(['never added']);
    batches[0]?.sent();
    expect((await resolved(handled)).toSorted()).toEqual(['a', 'b', 'never added']);
    expect(batches.map(({ ids }) => ids)).toEqual([['a', 'b'], ['c']]);
    batches[1]?.sent();
    expect(await resolved(handled)).toHaveLength(4);
  });

  it('has handled those of a batch that failed, and those that waited behind it: they are left to the relay', async () => {
    const { queue: messages, batches, failures } = queue();
    messages.add([message('a')]);
    await turn();
    messages.add([message('b')]);
    const handled = { a: messages.handled(message('a')), b: messages.handled(message('b')) };
    const error = new Error('no connection');
    batches[0]?.refused(error);
    expect((await resolved(handled)).toSorted()).toEqual(['a', 'b']);
    expect([failures, batches.length]).toEqual([[error], 1]);
  });

  it('has not handled a message that is added again while it is sent, until it is sent again', async () => {
    const { queue: messages, batches } = queue();
    messages.add([message('a')]);
    await turn();
    messages.add([message('a')]);
    const handled = { a: messages.handled(message('a')) };
    batches[0]?.sent();
    expect(await resolved(handled)).toEqual([]);
    batches[1]?.sent();
    expect(await resolved(handled)).toEqual(['a']);
  });
});
