import { send } from '../../temporal/send.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';
import { TASK_QUEUE } from '../workflows/kit.ts';
import { addsMethod, expectsPayments, expectsState, invoiceOf } from './support.ts';

const pro = plan('pro', '100');

let temporal: Temporal;
beforeAll(async () => {
  temporal = temporalAt((await servers()).temporalAddress);
});
afterAll(() => temporal.close());

/** The attempts to pay the invoice made at this instant, oldest first. */
async function attemptsAt(customer: StoryCustomer, at: string): Promise<string[]> {
  const { invoice } = await invoiceOf(customer, at);
  const rows = await withTestDatabase((db) =>
    db.query<{ id: string }>('select id from payment_attempt where invoice_id = $1 order by created, id', [invoice.id]),
  );
  return rows.map(({ id }) => id);
}

/** What the workflow of an attempt came to in each of its runs, the latest first. */
async function runsOf(attemptId: string): Promise<unknown[]> {
  const { workflow } = temporal.client;
  const outcomes: unknown[] = [];
  for await (const { workflowId, runId } of workflow.list({ query: `WorkflowId = 'payment:${attemptId}'` })) {
    outcomes.push(await workflow.getHandle(workflowId, runId, { followRuns: false }).result());
  }
  return outcomes;
}

describe('an attempt to pay is a workflow of its own, and its result the outcome', () => {
  story('one that succeeds, and each of five that fail', async ({ on, acme, vendor }) => {
    const bolt = vendor.customer('Bolt');
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(pro);
      await addsMethod(bolt, 'sandbox_ok');
      await bolt.signs(plan('max', '300'));
    });
    await on('2025-01-10');
    const [failed, succeeded] = [await attemptsAt(acme, '2025-01-01'), await attemptsAt(bolt, '2025-01-01')];
    expect([failed.length, succeeded.length]).toEqual([5, 1]);
    await eventually(async () => {
      expect(await Promise.all(failed.map(runsOf))).toEqual(failed.map(() => [{ status: 'failed' }]));
      expect(await Promise.all(succeeded.map(runsOf))).toEqual([[{ status: 'succeeded' }]]);
    });
  });

  story('one whose provider needs a day runs again then: processing, then succeeded', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      await acme.signs(pro);
      await expectsState(acme, '2025-01-01', 'ready_for_payment processing 100.00');
    });
    const [attempt = ''] = await attemptsAt(acme, '2025-01-01');
    await eventually(async () => expect(await runsOf(attempt)).toEqual([{ status: 'processing' }]));
    await on('2025-01-02');
    await eventually(async () => expect(await runsOf(attempt)).toEqual([{ status: 'succeeded' }, { status: 'processing' }]));
    expect(await attemptsAt(acme, '2025-01-01')).toEqual([attempt]);
  });

  story('one that has ended is signalled again: it runs, charges nothing, and says what it had come to', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(pro);
    });
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
    const [attempt = ''] = await attemptsAt(acme, '2025-01-01');
    await eventually(async () => expect(await runsOf(attempt)).toHaveLength(1));
    await send(temporal.client, TASK_QUEUE, { kind: 'payment', workflowId: `payment:${attempt}` });
    await eventually(async () => expect(await runsOf(attempt)).toEqual([{ status: 'succeeded' }, { status: 'succeeded' }]));
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
    const charges = await withTestDatabase((db) => db.query('select key from sandbox_charge where key = $1', [attempt]));
    expect(charges).toHaveLength(1);
  });
});

describe('a call that pays is answered with the outcome', () => {
  const paid = (customer: StoryCustomer, invoiceId: string): Promise<AnyJson> =>
    customer.vendor.api.made(`/v1/c/invoice/${invoiceId}/pay`, {});

  for (const [method, state, words] of [
    ['sandbox_ok', 'paid', 'succeeded null'],
    ['sandbox_declined', 'ready_for_payment', 'failed declined'],
    ['sandbox_no_answer', 'paid', 'succeeded null'],
  ] as const) {
    story(`${method}: ${state}, ${words.replace(' null', '')}`, async ({ on, acme }) => {
      await on('2025-01-01', async () => {
        await addsMethod(acme, method);
        await acme.signs(pro, { automatic_payment: false });
        const { invoice } = await invoiceOf(acme, '2025-01-01');
        const answer = await paid(acme, invoice.id);
        expect(answer.invoice.status).toBe(state);
        expect(answer.payments.map(({ status, reason }: AnyJson) => `${status} ${reason}`)).toEqual([words]);
      });
    });
  }
});
