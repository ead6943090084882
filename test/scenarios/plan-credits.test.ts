import { expectsSoundLedger } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { downloadPdf, sheetsOf } from '../support/pdf.ts';
import { metered, plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const calls = { calls: { price: metered('1') } };
const gives = (amount: string, most?: string, cycles = 1) => ({
  amount,
  expires_after_cycles: cycles,
  ...(most === undefined ? {} : { rollover_maximum: most }),
});

const creditOf = async (acme: StoryCustomer): Promise<AnyJson> =>
  acme.vendor.api.read(`/v1/c/customer/${await acme.id()}/credit?currency=usd`);

/** Each grant as "left status effective_at–expires_at". */
const grantsOf = async (acme: StoryCustomer): Promise<string[]> =>
  (await creditOf(acme)).grants.map(
    ({ left, status, effective_at, expires_at }: AnyJson) => `${left} ${status} ${effective_at.slice(5, 10)}–${expires_at.slice(5, 10)}`,
  );

/** What has expired, each as "date amount". */
const expiredOf = async (acme: StoryCustomer): Promise<string[]> => {
  const { hits } = await acme.vendor.api.read('/v1/c/event?type=v1.credit.expired');
  return hits.map(({ timestamp, data }: AnyJson) => `${timestamp.slice(0, 10)} ${data.amount}`).sort();
};

const dueOf = async (acme: StoryCustomer, date: string): Promise<string[]> =>
  (await acme.invoicesOf(date)).map(({ invoice, amount_due }: AnyJson) => `${invoice.total}: ${amount_due}`);

describe('credits that a plan gives', () => {
  const pro = plan('pro', '29', { features: calls, credits: gives('50', '20') });

  story('pay what is used and not the price; 20 of what is left lasts one cycle more, once', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(pro));
    expect(await dueOf(acme, '2025-01-01')).toEqual(['29.00: 29.00']);
    expect(await grantsOf(acme)).toEqual(['50.00 active 01-01–02-01']);
    await on('2025-01-10', () => acme.uses('calls', '10'));
    await on('2025-02-01');
    expect(await dueOf(acme, '2025-02-01')).toEqual(['39.00: 29.00']);
    expect(await grantsOf(acme)).toEqual(['0.00 expired 01-01–02-01', '50.00 active 02-01–03-01', '20.00 active 02-01–03-01']);
    await on('2025-03-01');
    expect(await grantsOf(acme)).toEqual([
      '0.00 expired 01-01–02-01',
      '0.00 expired 02-01–03-01',
      '0.00 expired 02-01–03-01',
      '50.00 active 03-01–04-01',
      '20.00 active 03-01–04-01',
    ]);
    const { grants } = await creditOf(acme);
    expect(grants[2]).toMatchObject({ kind: 'promotional', contract_id: acme.contract.id, rolled_over_from: grants[0].id });
    const { past } = await vendor.client.getContractTimeline(acme.contract.id);
    expect(past.filter(({ what }) => what === 'v1.credit.granted')).toHaveLength(5);
  });

  story(
    'are on the invoice that they have paid, with what was left of them then: 40.00 and what lasts on',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(pro));
      const gift = { customer: await acme.id(), currency: 'usd', amount: '7', kind: 'promotional', applies_to: { features: ['calls'] } };
      await vendor.api.made('/v1/c/credit_grant', gift);
      await on('2025-01-10', () => acme.uses('calls', '10'));
      await on('2025-02-01');
      const [hit] = await acme.invoicesOf('2025-02-01');
      const print = async () => (await sheetsOf(await downloadPdf(acme.vendor.apiKey, `/v1/c/invoice/${hit?.invoice.id}/pdf`))).join(' ');
      // of the cycle that begins 50, of the one that ended 20 of 40, and the gift
      expect(await print()).toContain('Paid by prepaid credits USD 77.00 of your credits left');
      await on('2025-02-10', () => acme.uses('calls', '60'));
      await on('2025-03-01', () => acme.pays());
      expect(await print()).toContain('USD 77.00 of your credits left');
    },
  );

  story(
    'pay a correction that comes with the next invoice, as the estimate of that one says: 20.00 of 29.00 + 20.00',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(pro));
      await on('2025-01-20', () => acme.uses('calls', '50'));
      await on('2025-02-10', () => acme.uses('calls', '50'));
      await on('2025-02-20');
      await vendor.api.made('/v1/c/usage', {
        ...{ customer_id: await acme.id(), feature_slug: 'calls', units: '20' },
        ...{ timestamp: '2025-01-25T00:00:00Z', allow_correction: true },
      });
      const foreseen = await vendor.api.read(`/v1/c/contract/${acme.contract.id}/upcoming_invoice`);
      expect([foreseen.at, foreseen.invoice.total, foreseen.amount_due]).toEqual(['2025-03-01T00:00:00.000Z', '99.00', '29.00']);
      await on('2025-03-01');
      expect(await dueOf(acme, '2025-03-01')).toEqual([`${foreseen.invoice.total}: ${foreseen.amount_due}`]);
    },
  );

  story(
    'and what lasts on pays a correction on the invoice of its own instant, before the wallet: 10.00, and 50.00 of the cycle’s',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(pro));
      await on('2025-01-20', () => acme.uses('calls', '50'));
      await on('2025-02-10', () => acme.uses('calls', '60', '2025-01-25', { allow_correction: true }));
      await vendor.api.made(`/v1/c/customer/${await acme.id()}/wallet/transaction`, {
        currency: 'usd',
        amount: '160',
        description: 'A gift',
      });
      const foreseen = await vendor.api.read(`/v1/c/contract/${acme.contract.id}/upcoming_invoice`);
      expect([foreseen.invoice.total, foreseen.amount_due]).toEqual(['89.00', '0.00']);
      await on('2025-03-01');
      expect(await dueOf(acme, '2025-03-01')).toEqual(['89.00: 0.00']);
      await acme.expectsWallet('73.00');
      expect(await grantsOf(acme)).toEqual([
        '0.00 used 01-01–02-01',
        '0.00 expired 02-01–03-01',
        '0.00 used 03-01–04-01',
        '10.00 active 03-01–04-01',
      ]);
      await expectsSoundLedger(vendor);
    },
  );

  story('and what lasts on pays a correction where the next plan gives none: 15.00 of 20.00, as foreseen', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-20', () => acme.uses('calls', '50'));
    await on('2025-02-10', () => acme.uses('calls', '15', '2025-01-25', { allow_correction: true }));
    await acme.changesTo(plan('lean', '10', { features: calls }));
    await on('2025-03-01');
    expect((await dueOf(acme, '2025-03-01')).toSorted()).toEqual(['10.00: 10.00', '15.00: 0.00']);
    expect((await grantsOf(acme)).at(-1)).toBe('5.00 active 03-01–04-01');
  });

  story('by a rule of difference, 30.00 more come with a change, and go with the way back at its instant', async ({ on, acme }) => {
    const [small, large] = [plan('small', '30', { credits: gives('30') }), plan('large', '60', { credits: gives('60') })];
    await on('2025-06-01', () => acme.signs(small, { change_rules: { upgrade: { when: 'now', proration: 'difference' } } }));
    await on('2025-06-11', () => acme.changesTo(large));
    expect(await grantsOf(acme)).toEqual(['30.00 active 06-01–07-01', '30.00 active 06-11–07-01']);
    await acme.changesTo(small, { downgrade_allowed: true });
    expect(await grantsOf(acme)).toEqual(['30.00 active 06-01–07-01', '0.00 voided 06-11–07-01']);
    await acme.expectsWallet('0.00');
  });

  story('begin with the first cycle and not with the trial, and come with a free cycle', async ({ on, acme }) => {
    const tried = plan('tried', '29', { trialDays: 10, features: calls, credits: gives('50', undefined, 2) });
    await on('2025-01-01', () => acme.signs(tried, { free_cycles: 1 }));
    await on('2025-01-05');
    expect((await creditOf(acme).catch(() => ({ grants: [] }))).grants).toEqual([]);
    await on('2025-01-11');
    expect(await grantsOf(acme)).toEqual(['50.00 active 01-11–03-11']);
    await on('2025-02-11');
    expect(await grantsOf(acme)).toEqual(['50.00 active 01-11–03-11', '50.00 active 02-11–04-11']);
  });

  story('follow the price in a change: half a cycle of 150 more is 75, and the way back takes them again', async ({ on, acme, vendor }) => {
    const max = plan('max', '290', { features: calls, credits: gives('200') });
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-16');
    const { credits } = await acme.contract.estimatesChangeTo(max);
    expect(credits).toMatchObject({ given: [{ amount: '75.00', expires_at: '2025-07-01T00:00:00.000Z' }], taken_back: null });
    await acme.contract.changesTo(max);
    expect(await grantsOf(acme)).toEqual(['50.00 active 06-01–07-01', '75.00 active 06-16–07-01']);
    await acme.contract.changesTo(pro, { downgrade_allowed: true });
    expect(await grantsOf(acme)).toEqual(['50.00 active 06-01–07-01', '0.00 voided 06-16–07-01']);
    await on('2025-07-01');
    expect((await grantsOf(acme)).slice(2)).toEqual(['50.00 active 07-01–08-01', '20.00 active 07-01–08-01']);
    const { hits } = await vendor.api.read(`/v1/c/event?type=v1.credit.expired`);
    expect(hits.map(({ data }: AnyJson) => `${data.amount} ${data.reason}`).sort()).toEqual(['50.00 expired', '75.00 voided']);
  });

  story('up to a cancellation on 21 June they are given up to there, and the rest once it is taken back', async ({ on, acme }) => {
    const [small, large] = [plan('small', '30', { credits: gives('30') }), plan('large', '300', { credits: gives('300') })];
    await on('2025-06-01', () => acme.signs(small));
    await on('2025-06-05', () => acme.cancels('2025-06-21'));
    await on('2025-06-11', () => acme.changesTo(large));
    expect(await grantsOf(acme)).toEqual(['30.00 active 06-01–07-01', '90.00 active 06-11–07-01']);
    await on('2025-06-15', () => acme.contract.undoesTheCancellation());
    const more = ['90.00 active 06-11–07-01', '90.00 active 06-15–07-01'];
    expect(await grantsOf(acme)).toEqual(['30.00 active 06-01–07-01', ...more]);
    await on('2025-06-16', () => acme.cancels('now', { credit: true }));
    expect(await grantsOf(acme)).toEqual(['30.00 active 06-01–07-01', '30.00 active 06-11–07-01', '0.00 voided 06-15–07-01']);
  });

  story('a rule that charges the new price from the next cycle on has that bring all of its credits', async ({ on, acme }) => {
    const rule = { when: 'next_cycle', proration: 'none' } as const;
    const [small, large] = [plan('small', '30', { credits: gives('30') }), plan('large', '300', { credits: gives('300') })];
    await on('2025-06-01', () => acme.signs(small, { change_rules: { upgrade: rule } }));
    await on('2025-06-11', () => acme.changesTo(large));
    await on('2025-07-01');
    expect(await grantsOf(acme)).toEqual(['0.00 expired 06-01–07-01', '300.00 active 07-01–08-01']);
  });

  story('a cancellation that gives back half the price takes half the credits, as far as they are left', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-10', () => acme.uses('calls', '40'));
    await on('2025-06-16', () => acme.contract.cancels('now', { credit: true }));
    expect(await grantsOf(acme)).toEqual(['0.00 used 06-01–07-01']);
  });

  story(
    'the estimate of a cancellation says what is taken back: of half of 50, what 45 calls at 14.50 less leave',
    async ({ on, acme, vendor }) => {
      const estimate = async (when: AnyJson, credit = true): Promise<string> =>
        (await vendor.api.post(`/v1/c/contract/${acme.contract.id}/cancel_estimate`, { when, credit })).body.credits_taken_back;
      await on('2025-06-01', () => acme.signs(pro));
      await on('2025-06-10', () => acme.uses('calls', '10'));
      await on('2025-06-16');
      expect(await estimate({ type: 'now' })).toBe('25.00');
      expect(await estimate({ type: 'now' }, false)).toBe('0.00');
      expect(await estimate({ type: 'date', date: '2025-06-25T00:00:00Z' })).toBe('10.00');
      expect(await estimate({ type: 'date', date: '2025-07-11T12:00:00Z' })).toBe('33.06');
      expect(await estimate({ type: 'end_of_cycle' })).toBe('0.00');
      await acme.uses('calls', '35');
      expect(await estimate({ type: 'now' })).toBe('19.50');
      await acme.contract.cancels('now', { credit: true });
      expect(await grantsOf(acme)).toEqual(['0.00 used 06-01–07-01']);
    },
  );

  story(
    'the estimate of a later cancellation knows what lasts on by then: the cycle’s 50 pay a correction of 40, so 10.00 go back',
    async ({ on, acme, vendor }) => {
      const later = { when: { type: 'date', date: '2025-07-16T12:00:00Z' }, credit: true };
      await on('2025-05-01', () => acme.signs(pro));
      await on('2025-06-10', () => acme.uses('calls', '40', '2025-05-20', { allow_correction: true }));
      const { body } = await vendor.api.post(`/v1/c/contract/${acme.contract.id}/cancel_estimate`, later);
      expect(body.credits_taken_back).toBe('10.00');
      await vendor.api.made(`/v1/c/contract/${acme.contract.id}/cancel`, later);
      await on('2025-07-17');
      expect((await grantsOf(acme)).slice(-2)).toEqual(['0.00 used 07-01–08-01', '20.00 active 07-01–08-01']);
    },
  );

  story('a later cancellation takes back what its estimate says, of a change that waits too', async ({ on, acme, vendor }) => {
    const max = plan('max', '290', { features: calls, credits: gives('200') });
    const on16 = (month: string) => ({ when: { type: 'date', date: `2025-${month}-16T12:00:00Z` }, credit: true });
    await on('2025-06-01', () => acme.signs(max));
    await on('2025-06-16', () => acme.contract.changesTo(pro));
    const takenBack = async (month: string): Promise<string> =>
      (await vendor.api.post(`/v1/c/contract/${acme.contract.id}/cancel_estimate`, on16(month))).body.credits_taken_back;
    // the change would give those of July up to the end alone
    expect([await takenBack('07'), await takenBack('08')]).toEqual(['0.00', '25.00']);
    await vendor.api.made(`/v1/c/contract/${acme.contract.id}/cancel`, on16('08'));
    await on('2025-08-17');
    expect((await grantsOf(acme))[2]).toBe('25.00 active 08-01–09-01');
    const { hits } = await vendor.api.read(`/v1/c/event?type=v1.credit.expired`);
    const ended = ['200.00 expired', '25.00 taken_back', '50.00 expired'];
    expect(hits.map(({ data }: AnyJson) => `${data.amount} ${data.reason}`).sort()).toEqual(ended);
  });

  story('what is left after the end of the contract expires on its day, and lasts on as promised', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-16', () => acme.contract.cancels('now'));
    expect(await grantsOf(acme)).toEqual(['50.00 active 06-01–07-01']);
    await on('2025-07-02');
    expect(await grantsOf(acme)).toEqual(['0.00 expired 06-01–07-01', '20.00 active 07-01–08-01']);
    await on('2025-08-02');
    expect(await grantsOf(acme)).toEqual(['0.00 expired 06-01–07-01', '0.00 expired 07-01–08-01']);
  });

  story(
    'what lasts on ends on its day, also where the contract has become one by the year: 20.00 expire on 1 August',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(pro));
      await on('2025-06-16', () => acme.contract.changesTo(plan('yearly', '1200', { cycle: 'year' })));
      await on('2025-07-01');
      expect(await grantsOf(acme)).toEqual(['0.00 expired 06-01–07-01', '20.00 active 07-01–08-01']);
      await expectsSoundLedger(vendor);
      await on('2025-08-01');
      expect(await grantsOf(acme)).toEqual(['0.00 expired 06-01–07-01', '0.00 expired 07-01–08-01']);
      expect(await expiredOf(acme)).toEqual(['2025-06-16 25.00', '2025-07-01 25.00', '2025-08-01 20.00']);
      await expectsSoundLedger(vendor);
    },
  );

  story(
    'usage that is closed early leaves their end to the next cycle: 10.00 used, 40.00 expire, 20.00 last',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(pro));
      await on('2025-01-10', () => acme.uses('calls', '10'));
      await acme.contract.closesUsage(1);
      expect(await grantsOf(acme)).toEqual(['40.00 active 01-01–02-01']);
      await expectsSoundLedger(vendor);
      await on('2025-02-01');
      expect(await grantsOf(acme)).toEqual(['0.00 expired 01-01–02-01', '50.00 active 02-01–03-01', '20.00 active 02-01–03-01']);
      expect(await expiredOf(acme)).toEqual(['2025-02-01 40.00']);
      await expectsSoundLedger(vendor);
    },
  );

  story('a freeze of ten days moves their end, and what lasts on, with the cycle', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    expect(await grantsOf(acme)).toEqual(['50.00 active 01-01–02-11']);
    await on('2025-02-11');
    expect(await grantsOf(acme)).toEqual(['0.00 expired 01-01–02-11', '50.00 active 02-11–03-11', '20.00 active 02-11–03-11']);
  });

  story('and where later months are longer or shorter, they end with their cycle all the same', async ({ on, acme }) => {
    const lasting = plan('lasting', '29', { features: calls, credits: gives('50', '20', 2) });
    await on('2025-01-30', () => acme.signs(lasting));
    await on('2025-02-10', () => acme.freezes());
    await on('2025-02-15', () => acme.unfreezes());
    const { contract_summary } = await acme.contract.read();
    expect(contract_summary.next_cycle_start).toBe('2025-03-05T00:00:00.000Z');
    expect(await grantsOf(acme)).toEqual(['50.00 active 01-30–04-05']);
    await on('2025-04-04', () => acme.uses('calls', '10'));
    await on('2025-04-05');
    expect((await grantsOf(acme)).slice(0, 1)).toEqual(['0.00 expired 01-30–04-05']);
    expect((await grantsOf(acme)).at(-1)).toBe('20.00 active 04-05–06-05');
    expect(await dueOf(acme, '2025-04-05')).toEqual(['39.00: 29.00']);
  });

  story('usage that closes a day late is paid by its own cycle; the rest lasts on from the end of that cycle', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { usage_period_closing_policy: '1 day' }));
    await on('2025-02-01', () => acme.uses('calls', '45', '2025-01-31'));
    expect(await grantsOf(acme)).toEqual(['50.00 active 01-01–02-01', '50.00 active 02-01–03-01']);
    await on('2025-02-02');
    expect(await dueOf(acme, '2025-02-02')).toEqual(['45.00: 0.00']);
    expect(await grantsOf(acme)).toEqual(['0.00 expired 01-01–02-01', '50.00 active 02-01–03-01', '5.00 active 02-01–03-01']);
  });
});
