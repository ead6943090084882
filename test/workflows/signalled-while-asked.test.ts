import { openGatedSigning } from '../../services/payment-gate/open-sign.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';
import { addMethod, withMethod } from './payer.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const NOT_KEPT = new Error('the book is open again');
const TERMS = { hours: 24, requireProvider: () => undefined, returnUrl: (id: string) => `https://shop.example/${id}` };

/** A contract of 10.00 behind a payment gate; something happens while the provider's book makes the call wait. */
async function whileAsked(customer: string, act: (workflowId: string) => Promise<unknown>): Promise<string> {
  const input = kit.signInput(customer, await kit.plan('10.00'));
  let contract = '';
  const work = withTestDatabase((db) =>
    db.transaction(async (holder) => {
      const attempt = await kit.db.transaction(async (tx) => {
        const gated = await openGatedSigning(tx, input, null, TERMS);
        contract = gated.contractId;
        await holder.query(
          `insert into sandbox_charge (key, reference, method, amount, currency, status, settles_at) values ($1, $1, '', 0, '', 'taken', 0)`,
          [gated.attemptId],
        );
        return gated.attemptId;
      });
      await eventually(async () => expect(await withTestDatabase((beside) => waitingFor(holder, beside))).toBe(1));
      await act(`payment:${attempt}`);
      throw NOT_KEPT;
    }),
  );
  await expect(work).rejects.toBe(NOT_KEPT);
  return contract;
}

const signalsOf = async (workflowId: string): Promise<number> =>
  (await kit.history(workflowId)).filter((event) => event.workflowExecutionSignaledEventAttributes != null).length;

describe('the workflow of a payment that is signalled while its provider is asked', () => {
  it('asks again at once: a card that waits at the bank is given up for the one that was chosen meanwhile', async () => {
    const customer = await withMethod(kit, 'sandbox_needs_action');
    const contract = await whileAsked(customer, async (workflowId) => {
      await addMethod(kit, customer, null, 'sandbox_ok');
      await eventually(async () => expect(await signalsOf(workflowId)).toBe(2));
    });
    const ofGate = 'select status, reason, amount::text as amount from payment_attempt where gate_id = $1 order by created, id';
    await eventually(async () =>
      expect(await kit.db.query(ofGate, [contract])).toEqual([
        { status: 'failed', reason: 'abandoned', amount: '10.00' },
        { status: 'succeeded', reason: null, amount: '10.00' },
      ]),
    );
    expect((await kit.state(contract)).status).toBe('active');
  });
});
