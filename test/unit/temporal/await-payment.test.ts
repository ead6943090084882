import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { awaitPayment } from '../../../temporal/await-payment.ts';
import { fairTimeOf } from '../../support/fair-clock.ts';

const unavailable = () => Promise.reject(Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '', metadata: {} }));
const notFound = () => Promise.reject(new WorkflowNotFoundError('not started yet', 'payment:Pay_1', undefined));
const ended = () => Promise.resolve({ status: 'succeeded' });
const never = () => new Promise<never>(() => undefined);

/**
 * A Temporal that gives these answers one after the other, and the last one for ever; and the workflows that it was
 * asked about.
 */
function temporal(...answers: (() => Promise<unknown>)[]) {
  const asked: string[] = [];
  const client = {
    connection: { withDeadline: (_until: number, work: () => unknown) => work() },
    workflow: {
      getHandle: (workflowId: string) => ({
        result: () => {
          asked.push(workflowId);
          return (answers.length > 1 ? answers.shift() : answers[0])?.();
        },
      }),
    },
  } as unknown as Client;
  return { asked, client };
}

/** One that has sent the message already. */
const dispatcher = { handled: async () => undefined };

describe('a caller who waits for a payment', () => {
  it('is answered when the workflow of its attempt has ended, though it begins a moment later and Temporal was away at first', async () => {
    const { client, asked } = temporal(unavailable, notFound, ended);
    expect(await fairTimeOf(() => awaitPayment({ client, dispatcher }, 'Pay_1', 30_000))).toBeLessThan(5_000);
    expect(asked).toEqual(['payment:Pay_1', 'payment:Pay_1', 'payment:Pay_1']);
  });

  it('asks nothing before the message that starts the workflow is sent', async () => {
    const { client, asked } = temporal(ended);
    const sent = Promise.withResolvers<void>();
    const waitsFor: unknown[] = [];
    const handled = (message: unknown) => {
      waitsFor.push(message);
      return sent.promise;
    };
    const waiting = awaitPayment({ client, dispatcher: { handled } }, 'Pay_1', 30_000);
    expect([waitsFor, asked]).toEqual([[{ kind: 'payment', workflowId: 'payment:Pay_1' }], []]);
    sent.resolve();
    await waiting;
    expect(asked).toEqual(['payment:Pay_1']);
  });

  it('is answered though the message is held up here, when the relay has sent it', async () => {
    const { client, asked } = temporal(notFound, ended);
    expect(await fairTimeOf(() => awaitPayment({ client, dispatcher: { handled: never } }, 'Pay_1', 30_000))).toBeLessThan(5_000);
    expect(asked).toHaveLength(2);
  });

  it('is answered at once when the workflow has failed: what it came to stands in Postgres', async () => {
    const { client, asked } = temporal(() => Promise.reject(new Error('Workflow execution failed')));
    expect(await fairTimeOf(() => awaitPayment({ client, dispatcher }, 'Pay_1', 30_000))).toBeLessThan(5_000);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['says nothing', never],
    ['is away', unavailable],
  ])('waits no longer than it was asked to when Temporal %s', async (_how, answer) => {
    // a timer counts from when the loop has last read the clock, which is a while ago on a busy machine
    await new Promise((done) => void setImmediate(done));
    const began = performance.now();
    const waited = await fairTimeOf(() => awaitPayment({ client: temporal(answer).client, dispatcher }, 'Pay_1', 100));
    expect(performance.now() - began).toBeGreaterThan(90);
    expect(waited).toBeLessThan(2_000);
  });
});
