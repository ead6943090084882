import { doctorChecks } from '../../cli/doctor-checks.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import type { Tx } from '../../db/transaction.ts';
import { payOnRequest } from '../../services/payment/pay.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { notRunning } from '../../temporal/running.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';
import { withMethod } from './payer.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const NOT_KEPT = new Error('the book is open again');

interface Asked {
  invoice: string;
  attempt: string;
}

/** The worker looks at no attempt that is younger than ten minutes: this one gets an id of months ago. */
async function openedLongAgo(tx: Tx, attempt: string): Promise<string> {
  const id = `Pay_0197a3c4${attempt.slice(12)}`;
  await tx.query('update payment_attempt set id = $2, provider_key = $2 where id = $1', [attempt, id]);
  tx.outbox.length = 0;
  enqueue(tx, 'payment', id);
  return id;
}

/** An invoice over 10.00 that is charged; something happens while the provider's book makes the call wait. */
async function whileAsked(act: (workflowId: string) => Promise<unknown>): Promise<Asked> {
  const customer = await withMethod(kit, 'sandbox_ok');
  const contract = await kit.sign(customer, await kit.plan('10.00'), { configuration: { automaticPayment: false } });
  const [invoice] = await kit.invoices(contract);
  const asked: Asked = { invoice: invoice?.id ?? '', attempt: '' };
  const work = withTestDatabase((db) =>
    db.transaction(async (holder) => {
      await kit.db.transaction(async (tx) => {
        const charged = { method: null, reference: null };
        const opened = await payOnRequest(tx, kit.vendorId, asked.invoice, charged, () => undefined);
        asked.attempt = await openedLongAgo(tx, opened ?? '');
        await holder.query(
          `insert into sandbox_charge (key, reference, method, amount, currency, status, settles_at) values ($1, $1, '', 0, '', 'taken', 0)`,
          [asked.attempt],
        );
      });
      await eventually(async () => expect(await withTestDatabase((beside) => waitingFor(holder, beside))).toBe(1));
      await act(`payment:${asked.attempt}`);
      throw NOT_KEPT;
    }),
  );
  await expect(work).rejects.toBe(NOT_KEPT);
  return asked;
}

const attemptsOf = ({ invoice }: Asked) =>
  kit.db.query('select id, status, amount::text as amount from payment_attempt where invoice_id = $1', [invoice]);
const chargesOf = ({ attempt }: Asked) =>
  kit.db.query('select status, amount::text as amount from sandbox_charge where key = $1', [attempt]);

/** Each invoice is paid, by one charge, and the books agree. */
async function expectsPaidOnce(asked: Asked): Promise<void> {
  await eventually(async () => {
    const [invoice] = await kit.db.query('select status, amount_due::text as due from invoice where id = $1', [asked.invoice]);
    expect(invoice).toEqual({ status: 'paid', due: '0.00' });
  });
  expect(await attemptsOf(asked)).toEqual([{ id: asked.attempt, status: 'succeeded', amount: '10.00' }]);
  expect(await chargesOf(asked)).toEqual([{ status: 'taken', amount: '10.00' }]);
  expect(await checkLedger(kit.db, kit.vendorId)).toEqual([]);
}

/** What doctor finds of payments, refunds and detachments. */
async function found(): Promise<string[]> {
  const checks = doctorChecks(kit.db, (ids) => notRunning(kit.client, ids));
  return (await checks.find(({ asks }) => asks.startsWith('each payment'))?.findings()) ?? [];
}

describe('what an operator does to the workflow of a payment in Temporal while the provider is asked', () => {
  it('Cancel has no effect: 10.00 are taken and booked', async () => {
    const asked = await whileAsked(async (workflowId) => {
      await kit.client.workflow.getHandle(workflowId).cancel();
      await eventually(async () => {
        const events = await kit.history(workflowId);
        expect(events.some((event) => event.workflowExecutionCancelRequestedEventAttributes != null)).toBe(true);
      });
    });
    expect(await kit.client.workflow.getHandle(`payment:${asked.attempt}`).result()).toEqual({ status: 'succeeded' });
    await expectsPaidOnce(asked);
  });

  it('Terminate loses the answer: 10.00 are taken, doctor names the attempt, and ten minutes later it is taken up again and booked once', async () => {
    const asked = await whileAsked((workflowId) => kit.client.workflow.getHandle(workflowId).terminate('by an operator'));
    await eventually(async () => expect(await chargesOf(asked)).toEqual([{ status: 'taken', amount: '10.00' }]));
    expect(await attemptsOf(asked)).toEqual([{ id: asked.attempt, status: 'processing', amount: '10.00' }]);
    const line = `payment:${asked.attempt} has no running workflow`;
    // Temporal's list lags a little behind
    await eventually(async () => expect(await found()).toContain(line));
    await eventually(async () => {
      const sent = await kit.db.query(
        `update outbox set sent_at = sent_at - interval '10 minutes' where workflow_id = $1 and sent >= wanted returning kind`,
        [`payment:${asked.attempt}`],
      );
      expect(sent).toEqual([{ kind: 'payment' }]);
    });
    await expectsPaidOnce(asked);
    expect(await found()).not.toContain(line);
  });
});
