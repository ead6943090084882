import { changesBehindGate, estimatesBehindGate } from '../payments/gate-support.ts';
import { addsMethod } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { metered, perUnit, plan, refused, story, tieredUsage } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const day = (date: string): string => `${date}T00:00:00Z`;

/** Grants credits and gives the id of the grant. */
async function granted(acme: StoryCustomer, amount: string, more: AnyJson = {}): Promise<string> {
  const body = { customer: await acme.id(), currency: 'usd', amount, kind: 'promotional', ...more };
  const { status, body: id } = await acme.vendor.api.post('/v1/c/credit_grant', body);
  expect({ status, id }).toEqual({ status: 201, id: expect.stringMatching(/^Grant_/) });
  return id;
}

const creditOf = async (acme: StoryCustomer, currency = 'usd'): Promise<AnyJson> =>
  acme.vendor.api.read(`/v1/c/customer/${await acme.id()}/credit?currency=${currency}`);

const grantsOf = async (acme: StoryCustomer): Promise<AnyJson[]> =>
  (await creditOf(acme)).grants.map(({ left, status }: AnyJson) => [left, status]);

const usesOf = async (acme: StoryCustomer): Promise<AnyJson[]> => (await creditOf(acme)).uses.map(({ amount }: AnyJson) => amount);

const dueOf = async (acme: StoryCustomer, date: string): Promise<string[]> =>
  (await acme.invoicesOf(date)).map(({ amount_due }: AnyJson) => amount_due);

const expiredOf = async (acme: StoryCustomer, grant: string): Promise<AnyJson[]> => {
  const { hits } = await acme.vendor.api.read(`/v1/c/event?object=${grant}&type=v1.credit.expired`);
  return hits.map(({ timestamp, data }: AnyJson) => [timestamp.slice(0, 10), data.amount]);
};

const jobs = plan('jobs', '0', { features: { job: { price: perUnit('1'), trigger: 'on_demand' } } });
const tiered = tieredUsage('graduated', [
  { up_to: '5', unit_price: '7' },
  { up_to: '10', unit_price: '6.5' },
  { up_to: null, unit_price: '6' },
]);

describe('prepaid credits', () => {
  story(
    '10 to T10 and 15 to T15 with priority 0, 20 with 1: 5 are of the first, 10 of both, 10 expire at T15, the third stays',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(jobs));
      const a = await granted(acme, '10', { priority: 0, expires_at: day('2025-01-10') });
      const b = await granted(acme, '15', { priority: 0, expires_at: day('2025-01-15') });
      const c = await granted(acme, '20', { priority: 1 });
      await on('2025-01-02', () => acme.contract.charges('job', '5'));
      await on('2025-01-03', () => acme.contract.charges('job', '10'));
      const { uses, settled, live } = await creditOf(acme);
      expect(uses.map(({ grant, amount }: AnyJson) => [grant, amount])).toEqual([
        [a, '5.00'],
        [a, '5.00'],
        [b, '5.00'],
      ]);
      expect({ settled, live }).toEqual({ settled: '30.00', live: '30.00' });
      await on('2025-01-16');
      expect(await grantsOf(acme)).toEqual([
        ['0.00', 'used'],
        ['0.00', 'expired'],
        ['20.00', 'active'],
      ]);
      expect(await expiredOf(acme, b)).toEqual([['2025-01-15', '10.00']]);
      expect(await expiredOf(acme, c)).toEqual([]);
      await acme.expectsUnpaid('0.00');
    },
  );

  story(
    'of graduated usage 4 units before 16 June are covered: 28.00 of 79.50, 2.00 expire, 51.50 are due',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(plan('api', '0', { features: { calls: { price: tiered } } })));
      const grant = await granted(acme, '30', { expires_at: day('2025-06-16') });
      await on('2025-06-10', () => acme.uses('calls', '4'));
      expect(await creditOf(acme)).toMatchObject({ settled: '30.00', live: '2.00' });
      await on('2025-06-20', () => acme.uses('calls', '8'));
      expect(await grantsOf(acme)).toEqual([['30.00', 'active']]);
      const [next] = [await acme.contract.upcoming()];
      await on('2025-07-01');
      const [hit] = await acme.invoicesOf('2025-07-01');
      expect(hit).toMatchObject({ invoice: { total: '79.50' }, amount_due: '51.50' });
      expect((next as AnyJson).amount_due).toBe('51.50');
      expect(await usesOf(acme)).toEqual(['28.00']);
      expect(await expiredOf(acme, grant)).toEqual([['2025-07-01', '2.00']]);
      const { credits } = await vendor.api.read(`/v1/c/invoice/${hit?.invoice.id}/explain`);
      expect(credits).toMatchObject([
        { grant, place: 1, amount: '28.00', lines: [{ amount: '28.00', since: '2025-06-01T00:00:00.000Z' }] },
      ]);
    },
  );

  story(
    'an event of 31 January reported on 1 February is covered where usage closes a day later; the rest expires on 2 February',
    async ({ on, acme }) => {
      const usage_period_closing_policy = '1 day' as const;
      await on('2025-01-01', () =>
        acme.signs(plan('api', '0', { features: { calls: { price: metered('1') } } }), { usage_period_closing_policy }),
      );
      const grant = await granted(acme, '30', { expires_at: day('2025-02-01') });
      await on('2025-02-01', () => acme.uses('calls', '12', '2025-01-31'));
      expect(await grantsOf(acme)).toEqual([['30.00', 'active']]);
      await on('2025-02-02');
      expect(await dueOf(acme, '2025-02-02')).toEqual(['0.00']);
      expect(await expiredOf(acme, grant)).toEqual([['2025-02-02', '18.00']]);
      expect(await grantsOf(acme)).toEqual([['0.00', 'expired']]);
    },
  );

  story(
    'pay before the wallet: 40 of 100 by credits, 25 by the wallet, 35 are left; a line at the end of the life is not paid',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01');
      await acme.grants('25');
      const grant = await granted(acme, '40', { expires_at: day('2025-02-01') });
      await on('2025-01-05', () => acme.signs(plan('pro', '100')));
      const [hit] = await acme.invoices();
      expect(hit?.amount_due).toBe('35.00');
      const { payments } = await vendor.api.read(`/v1/c/invoice/${hit?.invoice.id}`);
      expect(payments.map(({ method, amount }: AnyJson) => [method, amount])).toEqual([
        [grant, '40.00'],
        ['wallet', '25.00'],
      ]);
      await granted(acme, '10', { effective_at: day('2025-01-05') });
      expect(await dueOf(acme, '2025-01-05')).toEqual(['25.00']);
    },
  );

  story(
    'a credit note gives back to the very grants, last use first: 70 of 100 lower 10, then 50 and 10 of two grants',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01');
      const first = await granted(acme, '40', { priority: 1 });
      const last = await granted(acme, '50', { priority: 2 });
      await on('2025-01-05', () => acme.signs(plan('pro', '100')));
      const [hit] = await acme.invoices();
      expect(hit?.amount_due).toBe('10.00');
      const items = [{ invoice_item_id: hit?.invoice_items[0]?.id, amount: '70' }];
      const { status } = await vendor.api.post(`/v1/c/invoice/${hit?.invoice.id}/credit_note`, { items, to: 'wallet' });
      expect(status).toBe(201);
      const { credit_notes, detailed_invoice_status, invoice } = await vendor.api.read(`/v1/c/invoice/${hit?.invoice.id}`);
      expect([detailed_invoice_status, invoice.deposit_transaction_status]).toEqual(['paid', 'succeeded']);
      expect(credit_notes).toMatchObject([{ reduced: '10.00', to_credits: '60.00', to_credits_ended: '0.00', to_wallet: '0.00' }]);
      const { uses } = await creditOf(acme);
      expect(uses.map(({ grant, amount }: AnyJson) => [grant, amount])).toEqual([
        [first, '40.00'],
        [last, '50.00'],
        [last, '-50.00'],
        [first, '-10.00'],
      ]);
      expect(await grantsOf(acme)).toEqual([
        ['10.00', 'active'],
        ['50.00', 'active'],
      ]);
    },
  );

  story('a freeze of ten days moves the end of a life to 11 February, and nothing expires in it', async ({ on, acme }) => {
    await on('2025-01-01');
    const grant = await granted(acme, '40', { expires_at: day('2025-02-01') });
    await on('2025-01-28', () => acme.freezes());
    await on('2025-02-07', () => acme.unfreezes());
    expect((await creditOf(acme)).grants).toMatchObject([{ expires_at: '2025-02-11T00:00:00.000Z', left: '40.00', status: 'active' }]);
    await on('2025-02-12');
    expect(await expiredOf(acme, grant)).toEqual([['2025-02-11', '40.00']]);
  });

  story('used up by the activation after a freeze that began at the end of their life: nothing stays due', async ({ on, acme }) => {
    const calls = plan('calls', '0', { features: { calls: { price: metered('1') } } });
    await on('2025-06-01', () => acme.signs(calls, { usage_period_closing_policy: '1 hour' }));
    await acme.uses('calls', '50');
    await granted(acme, '20', { expires_at: day('2025-07-01') });
    await on('2025-07-01', () => acme.freezes());
    await on('2025-07-02', () => acme.unfreezes());
    expect(await grantsOf(acme)).toEqual([['0.00', 'used']]);
    const id = await acme.id();
    const rows = await withTestDatabase((db) => db.query('select kind, due_at from agenda where customer_id = $1', [id]));
    expect(rows.filter(({ kind }: AnyJson) => kind === 'credit_expiry')).toEqual([]);
  });

  story('what is voided is gone, and what comes back to it as well; a second time is a 409', async ({ on, acme, vendor }) => {
    await on('2025-01-01');
    const grant = await granted(acme, '40');
    await on('2025-01-05', () => acme.signs(plan('pro', '30')));
    expect((await vendor.api.post(`/v1/c/credit_grant/${grant}/void`)).status).toBe(200);
    expect(await grantsOf(acme)).toEqual([['0.00', 'voided']]);
    await refused(409, vendor.client.voidCreditGrant(grant), 'credit_grant_state');
    const [hit] = await acme.invoices();
    const items = [{ invoice_item_id: hit?.invoice_items[0]?.id }];
    expect((await vendor.api.post(`/v1/c/invoice/${hit?.invoice.id}/credit_note`, { items, to: 'wallet' })).status).toBe(201);
    expect(await grantsOf(acme)).toEqual([['0.00', 'voided']]);
    await acme.expectsWallet('0.00');
  });

  story(
    'a credit note of 30.00 says that 20.00 went to credits that have expired: the customer gets 10.00',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01');
      await granted(acme, '20', { priority: 1, expires_at: day('2025-01-10') });
      await granted(acme, '40', { priority: 2 });
      await on('2025-01-05', () => acme.signs(plan('pro', '30')));
      await on('2025-01-15');
      const [hit] = await acme.invoices();
      const items = [{ invoice_item_id: hit?.invoice_items[0]?.id }];
      expect((await vendor.api.post(`/v1/c/invoice/${hit?.invoice.id}/credit_note`, { items, to: 'wallet' })).status).toBe(201);
      const { credit_notes } = await vendor.api.read(`/v1/c/invoice/${hit?.invoice.id}`);
      expect(credit_notes).toMatchObject([{ total: '30.00', to_credits: '30.00', to_credits_ended: '20.00', to_wallet: '0.00' }]);
      expect(await grantsOf(acme)).toEqual([
        ['0.00', 'expired'],
        ['40.00', 'active'],
      ]);
    },
  );

  story('restricted to a feature they pay its lines alone, and only in their currency', async ({ on, acme }) => {
    const pro = plan('pro', '100', { features: { seats: { price: perUnit('5') } } });
    await on('2025-01-01');
    await vendorPlan(acme, pro);
    await granted(acme, '40', { applies_to: { features: ['seats'] } });
    await granted(acme, '40', { currency: 'eur' });
    await on('2025-01-05', () => acme.signs(pro));
    expect(await dueOf(acme, '2025-01-05')).toEqual(['100.00']);
    expect(await usesOf(acme)).toEqual(['5.00']);
    expect(await creditOf(acme, 'eur')).toMatchObject({ settled: '40.00', uses: [] });
  });
});

describe('usage at the very end of what counts it', () => {
  const calls = plan('calls', '0', { features: { calls: { price: metered('1') } } });
  const forCalls = { applies_to: { features: ['calls'] } };

  story('is paid by credits whose life begins then, and what was used before is not: 6 of 14', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls));
    await on('2025-06-05', () => acme.uses('calls', '4'));
    await on('2025-06-16', async () => {
      const grant = await granted(acme, '20', forCalls);
      await acme.uses('calls', '6');
      expect(await creditOf(acme)).toMatchObject({ settled: '20.00', live: '14.00' });
      await acme.cancels('now');
      expect((await creditOf(acme)).uses).toMatchObject([{ grant, amount: '6.00' }]);
    });
    expect(await dueOf(acme, '2025-06-16')).toEqual(['4.00']);
  });

  story('is not paid by credits whose life ends then, and what was used before is: 4 of 10', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls));
    const grant = await granted(acme, '20', { ...forCalls, expires_at: '2025-06-16T00:00:00Z' });
    await on('2025-06-15 23:30', async () => {
      await acme.uses('calls', '4');
      await acme.uses('calls', '6', '2025-06-16');
    });
    await on('2025-06-16', () => acme.changesTo(plan('more', '0', { features: { calls: { price: metered('2') } } })));
    expect((await creditOf(acme)).uses).toMatchObject([{ grant, amount: '4.00' }]);
    expect([await grantsOf(acme), await expiredOf(acme, grant)]).toEqual([[['0.00', 'expired']], [['2025-06-16', '16.00']]]);
  });
});

describe('usage that is corrected after its line was charged', () => {
  const calls = plan('calls', '0', { features: { calls: { price: metered('1') } } });

  for (const { what, correct } of [
    { what: 'discarded', correct: (acme: StoryCustomer, event: string) => acme.discards(event) },
    { what: 'amended to 4', correct: (acme: StoryCustomer, event: string) => acme.amends(event, '4') },
  ]) {
    story(
      `${what}: the line of 10.00 from before a grant's life is divided as it was charged, and the grant stays whole`,
      async ({ on, acme }) => {
        await on('2025-01-01', () => acme.signs(calls));
        const event = await on('2025-01-05', () => acme.uses('calls', '10'));
        await on('2025-01-10', () => granted(acme, '100'));
        await on('2025-02-02', () => correct(acme, event));
        await acme.grants('1.00');
        expect([await dueOf(acme, '2025-02-01'), await grantsOf(acme)]).toEqual([['9.00'], [['100.00', 'active']]]);
      },
    );
  }

  story('a correction of 5 dated before the life takes nothing from what a grant is for: 10 of 10', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-15', () => acme.uses('calls', '10'));
    await on('2025-02-02', () => acme.uses('calls', '5', '2025-01-05', { allow_correction: true }));
    await granted(acme, '100', { effective_at: day('2025-01-10') });
    expect([await dueOf(acme, '2025-02-01'), await grantsOf(acme)]).toEqual([['0.00'], [['90.00', 'active']]]);
  });
});

const vendorPlan = (acme: StoryCustomer, spec: ReturnType<typeof plan>) => acme.vendor.planId(spec);

describe('behind a payment gate', () => {
  story(
    'they are held first: of 75.00 they pay 30.00, the wallet 20.00, the card 25.00; declined, they are free again',
    async ({ on, acme, vendor }) => {
      const [small, large] = [plan('small', '30'), plan('large', '180')];
      await on('2025-06-01', async () => {
        await addsMethod(acme, 'sandbox_ok');
        await acme.signs(small, { cycle_start_offset: 0 });
      });
      await acme.grants('20');
      const grant = await granted(acme, '30');
      await addsMethod(acme, 'sandbox_declined');
      await on('2025-06-16', async () => {
        const { body } = await changesBehindGate(acme, large);
        expect(body.code).toBe('payment_declined');
      });
      expect(await creditOf(acme)).toMatchObject({ settled: '30.00', uses: [] });
      await addsMethod(acme, 'sandbox_ok');
      const { awaiting_payment, estimate_token } = await estimatesBehindGate(acme, large);
      expect(awaiting_payment).toMatchObject({ invoice_amount: '75.00', from_credits: '30.00', from_wallet: '20.00', to_pay: '25.00' });
      const { status } = await changesBehindGate(acme, large, { token: estimate_token });
      expect(status).toBe(200);
      const [hit] = await acme.invoicesOf('2025-06-16');
      const { payments } = await vendor.api.read(`/v1/c/invoice/${hit?.invoice.id}`);
      expect(payments.map(({ amount }: AnyJson) => amount).sort()).toEqual(['20.00', '25.00', '30.00']);
      expect(hit?.amount_due).toBe('0.00');
      expect((await creditOf(acme)).uses).toMatchObject([{ grant, amount: '30.00' }]);
      await acme.expectsWallet('0.00');
    },
  );

  story(
    'pay what they held of a change that is paid, although usage of before their life is reported meanwhile',
    async ({ on, acme, vendor }) => {
      const calls = (price: string) => ({ features: { calls: { price: metered(price) } } });
      const [small, large] = [plan('small', '30', calls('1')), plan('large', '180', calls('2'))];
      await on('2025-06-01', async () => {
        await addsMethod(acme, 'sandbox_ok');
        await acme.signs(small, { cycle_start_offset: 0 });
      });
      const grant = await granted(acme, '6', { effective_at: '2025-06-10T00:00:00Z', applies_to: { features: ['calls'] } });
      await on('2025-06-05', () => acme.uses('calls', '4'));
      await on('2025-06-12', () => acme.uses('calls', '6'));
      await on('2025-06-16', async () => {
        await addsMethod(acme, 'sandbox_slow');
        await changesBehindGate(acme, large, { hours: 72 });
      });
      await acme.uses('calls', '3', '2025-06-06');
      // what is foreseen knows nothing of the payment
      await vendor.clock.advanceTo('2025-06-18T00:00:00Z');
      const { hits } = await vendor.api.read(`/v1/c/contract?customer=${await acme.id()}`);
      expect(hits.map(({ status }: AnyJson) => status).sort()).toEqual(['active', 'moved']);
      expect((await creditOf(acme)).uses).toMatchObject([{ grant, amount: '6.00' }]);
    },
  );
});
