import Stripe from 'stripe';
import { chargeAttempt } from '../../activities/payment/charge.ts';
import { recordAttemptActivity } from '../../activities/payment/record.ts';
import type { Notice } from '../../billing/payment/types.ts';
import { secondApi } from '../support/second-api.ts';
import { story } from '../support/story.ts';
import { addsCard, byHand, charges, dependencies, lossesOf, opens, pro, tells } from './own-processor.ts';
import { expectsSoundLedger, expectsState } from './support.ts';

describe('notices of the card processor', () => {
  story(
    'of a dispute and a refund before the outcome of their charge is known are not lost: they are to be sent again',
    async ({ on, acme }) => {
      await on('2025-01-01', async () => {
        await acme.signs(pro, byHand);
        const { invoiceId, attemptId } = await opens(acme, await addsCard(acme));
        const answer = await chargeAttempt(dependencies())({ attemptId });
        if (answer.status !== 'succeeded') throw new Error(JSON.stringify(answer));
        const reference = `${answer.reference}_${attemptId}`;
        const about = { at: Date.now(), chargeReference: reference, currency: 'usd' as const };
        const early: Notice[] = [
          { ...about, id: `evt_q_${attemptId}`, type: 'refund', reference: `re_${attemptId}`, amount: '20.00', key: null, failure: null },
          {
            ...about,
            id: `evt_r_${attemptId}`,
            type: 'dispute',
            reference: `dp_${attemptId}`,
            amount: '80.00',
            state: 'lost',
            reason: 'fraud',
          },
        ];
        for (const notice of [...early, ...early]) await expect(tells(notice)).rejects.toMatchObject({ code: 'payment_in_progress' });
        await recordAttemptActivity(dependencies())({ attemptId, charged: { ...answer, reference } });
        for (const notice of [...early, ...early]) await tells(notice);
        expect(await lossesOf(invoiceId)).toBe('100.00');
      });
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
      await expectsSoundLedger(acme.vendor);
    },
  );

  story('are answered over HTTP with 409 and when to send them again, and then with 200', async ({ on, acme }) => {
    const variables = { CARDPROC_SECRET_KEY: 'sk_test', CARDPROC_PUBLISHABLE_KEY: 'pk_test', CARDPROC_WEBHOOK_SECRET: 'whsec' };
    const api = await secondApi({}, variables);
    try {
      await on('2025-01-01', async () => {
        await acme.signs(pro, byHand);
        const { attemptId } = await opens(acme, await addsCard(acme));
        const { record } = await charges(attemptId);
        const object = {
          id: `re_${attemptId}`,
          payment_intent: `pi_${attemptId}`,
          amount: 2000,
          currency: 'usd',
          metadata: {},
          status: 'succeeded',
        };
        const created = Math.floor(Date.now() / 1_000);
        const payload = JSON.stringify({ id: `evt_u_${attemptId}`, object: 'event', created, type: 'refund.created', data: { object } });
        const posts = async () => {
          const signature = new Stripe('sk_test').webhooks.generateTestHeaderString({ payload, secret: 'whsec' });
          const url = new URL('/v1/payment_webhook/cardproc', api.baseUrl);
          const { status, headers } = await fetch(url, { method: 'POST', headers: { 'stripe-signature': signature }, body: payload });
          return [status, headers.get('retry-after')];
        };
        expect(await posts()).toEqual([409, '60']);
        await record();
        await dependencies().db.query('update payment_attempt set reference = $2 where id = $1', [attemptId, `pi_${attemptId}`]);
        expect(await posts()).toEqual([200, null]);
      });
    } finally {
      await api.stop();
    }
    await expectsSoundLedger(acme.vendor);
  });

  story("about somebody else's charge are taken, once those that were called before have their outcomes", async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro, byHand);
      const { attemptId } = await opens(acme, await addsCard(acme));
      await charges(attemptId);
      const dispute = { type: 'dispute' as const, amount: '20.00', currency: 'usd' as const, state: 'open' as const, reason: 'fraud' };
      const foreign = { ...dispute, chargeReference: `pi_of_nobody_${attemptId}`, reference: `dp_of_nobody_${attemptId}` };
      // before anything of ours was called
      await tells({ id: `evt_s_${attemptId}`, ...foreign, at: Date.parse('2020-01-01') });
      // the processor's clock is a little behind
      const behind = { id: `evt_t_${attemptId}`, ...foreign, at: Date.now() - 60_000 };
      await expect(tells(behind)).rejects.toMatchObject({ code: 'payment_in_progress' });
    });
  });
});
