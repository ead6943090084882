import type { Notice } from '../../billing/payment/types.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { story } from '../support/story.ts';
import { eventsOf } from './gate-support.ts';
import { addsCard, byHand, charged, charges, dependencies, lossesOf, opens, opensSession, pro, tells } from './own-processor.ts';
import { billingOf, expectsPaymentEvents, expectsPayments, expectsSoundLedger, expectsState, invoiceOf, methodsOf } from './support.ts';

describe('notices of the card processor', () => {
  story('may come before the answer, twice, and in the wrong order: 100.00 are booked once', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro, byHand);
      const { attemptId } = await opens(acme, await addsCard(acme));
      const { record, reference } = await charges(attemptId);
      const outcome = { status: 'succeeded' as const, reference };
      const shown: Notice = { id: `evt_a_${attemptId}`, type: 'charge', key: attemptId, reference, outcome };
      await tells(shown);
      await tells(shown);
      await record();
      await tells({ ...shown, id: `evt_b_${attemptId}`, outcome: { status: 'pending', reference, askAgainAt: Date.parse('2025-01-02') } });
      await tells({
        ...shown,
        id: `evt_c_${attemptId}`,
        key: null,
        outcome: { status: 'failed', reference, reason: 'late', retryable: true },
      });
    });
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 succeeded 100.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('never come: the answer alone pays', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro, byHand);
      const { attemptId } = await opens(acme, await addsCard(acme));
      await (await charges(attemptId)).record();
    });
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
  });

  story(
    'tell of a dispute that is lost before it was opened, and of a refund behind our back: 100.00 and 20.00 are losses',
    async ({ on, acme }) => {
      await on('2025-01-01', async () => {
        await acme.signs(pro, byHand);
        const { invoiceId, attemptId } = await opens(acme, await addsCard(acme));
        const reference = await charged(attemptId);
        const dispute = {
          type: 'dispute' as const,
          chargeReference: reference,
          reference: `dp_${attemptId}`,
          amount: '100.00',
          currency: 'usd' as const,
          reason: 'fraud',
          at: Date.now(),
        };
        await tells({ id: `evt_d_${attemptId}`, ...dispute, state: 'lost' });
        await tells({ id: `evt_e_${attemptId}`, ...dispute, state: 'open' });
        const refund = {
          type: 'refund' as const,
          chargeReference: reference,
          reference: `re_${attemptId}`,
          amount: '20.00',
          currency: 'usd' as const,
          ...{ at: Date.now(), key: null, failure: null },
        };
        await tells({ id: `evt_f_${attemptId}`, ...refund });
        await tells({ id: `evt_f_${attemptId}`, ...refund });
        // its state has changed, to nothing that is news
        await tells({ id: `evt_g_${attemptId}`, ...refund });
        const { disputes } = await invoiceOf(acme, '2025-01-01');
        expect(disputes).toMatchObject([{ reference: `dp_${attemptId}`, amount: '100.00', state: 'lost', reason: 'fraud' }]);
        expect(await lossesOf(invoiceId)).toBe('120.00');
      });
      await expectsPaymentEvents(acme, '2025-01-01', [
        ...['invoice.created', 'payment.started', 'payment.succeeded', 'invoice.paid'],
        ...['dispute.opened fraud', 'dispute.closed fraud', 'refund.created'],
      ]);
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
      await expectsSoundLedger(acme.vendor);
    },
  );

  story(
    "name a card that is another customer's: the session fails with the reason, and the card stays where it is",
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', async () => {
        const bolt = vendor.customer('Bolt');
        const card = await addsCard(acme);
        const { notice } = await opensSession(bolt, card.methodReference);
        await tells(notice);
        expect(await methodsOf(bolt)).toEqual([]);
        expect(await methodsOf(acme)).toHaveLength(1);
        const sessions = await dependencies().db.query('select status, reason from payment_session where reference = $1', [
          notice.reference,
        ]);
        expect(sessions).toEqual([{ status: 'failed', reason: 'method_of_another_customer' }]);
      });
    },
  );

  story('tell that a method is gone: it is detached, and nothing is the default', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const card = await addsCard(acme);
      await tells({ id: `evt_g_${card.methodId}`, type: 'method_detached', methodReference: card.methodReference });
      expect(await methodsOf(acme)).toEqual([]);
      expect((await billingOf(acme)).payment.payment_provider).toBe('self_handled');
    });
  });

  story('tell it twice at once: one event says so', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const card = await addsCard(acme);
      const customer = await acme.id();
      const tellsAs = (one: string) =>
        tells({ id: `evt_${one}_${card.methodId}`, type: 'method_detached', methodReference: card.methodReference });
      const telling = await withTestDatabase((db) =>
        db.transaction(async (tx) => {
          await tx.query('select id from customer where id = $1 for update', [customer]);
          const both = [tellsAs('a'), tellsAs('b')];
          // the second one waits for the first, not for this transaction
          await eventually(async () => expect(await withTestDatabase((beside) => waitingFor(tx, beside))).toBe(1));
          return { both };
        }),
      );
      await Promise.all(telling.both);
      expect(await eventsOf(acme, card.methodId)).toEqual(['payment_method.added', 'payment_method.detached']);
    });
  });
});
