import { alwaysWrong } from '../model/invariants.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { discount, metered, plan, planOfFeatures, refused, story } from '../support/story.ts';
import { dayOf } from '../support/story-time.ts';

const pro = plan('pro', '100');

describe('freezing a customer stops its time', () => {
  story('frozen 10 to 20 January the month ends on 11 February, the next on 11 March', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await acme.contract.expectsPeriod('2025-01-01', '2025-02-11', 1);
    await acme.contract.expectsNextCycle('2025-02-11');
    await on('2025-03-11', () => acme.expectsInvoices('2025-01-01 100.00', '2025-02-11 100.00', '2025-03-11 100.00'));
  });

  story(
    'frozen over two boundaries, 20 January to 20 March: nothing is charged, the paid 12 days last to 1 April',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(pro));
      await on('2025-01-20', () => acme.freezes());
      await on('2025-03-20', () => acme.unfreezes());
      await acme.expectsInvoices('100.00');
      await on('2025-04-01', () => acme.expectsInvoices('2025-01-01 100.00', '2025-04-01 100.00'));
    },
  );

  story('three freezes of a day each move the month by three days, to 4 February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    for (const day of ['05', '10', '15']) {
      await on(`2025-01-${day}`, () => acme.freezes());
      await on(`2025-01-${day.replace(/.$/, (last) => String(Number(last) + 1))}`, () => acme.unfreezes());
    }
    await acme.contract.expectsNextCycle('2025-02-04');
    await on('2025-02-04', () => acme.expectsInvoices('2025-01-01 100.00', '2025-02-04 100.00'));
  });

  story('a trial to 15 January frozen for 5 days ends on 20 January', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100', { trialDays: 14 })));
    await on('2025-01-05', () => acme.freezes());
    await on('2025-01-10', () => acme.unfreezes());
    await on('2025-01-20', () => acme.expectsInvoices('2025-01-20 100.00'));
  });

  story(
    'January closed by hand on the 5th, frozen for 10 days: it ends on 11 February too, where the next begins',
    async ({ on, acme, vendor }) => {
      const periods = async () => {
        const { hits } = await vendor.api.read(`/v1/c/contract/${acme.contract.id}/usage_period`);
        return hits.map(({ idx, start, end, status }: AnyJson) => `${idx}: ${dayOf(start)} to ${dayOf(end)} ${status}`);
      };
      await on('2025-01-01', () => acme.signs(plan('pro', '100', { features: { calls: { price: metered('0.10') } } })));
      await on('2025-01-05', () => acme.contract.closesUsage(1));
      await on('2025-01-10', () => acme.freezes());
      await on('2025-01-20', () => acme.unfreezes());
      expect(await periods()).toEqual(['1: 2025-01-01 to 2025-02-11 closed']);
      await on('2025-02-05', () => refused(409, acme.uses('calls', '5'), 'period_closed'));
      await on('2025-02-11', () => acme.uses('calls', '5'));
      expect(await periods()).toEqual(['1: 2025-01-01 to 2025-02-11 closed', '2: 2025-02-11 to 2025-03-11 open']);
      expect(await withTestDatabase((db) => alwaysWrong(db, vendor.vendorId))).toEqual([]);
    },
  );

  story('an expiration on 16 February moves to 26 February, with its two charges', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { expiration: '2025-02-16T00:00:00Z' }));
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await on('2025-02-25', () => acme.contract.expectsStatus('active'));
    await on('2025-02-26', () => acme.contract.expectsStatus('canceled'));
    await on('2025-04-01', () => acme.expectsInvoices('2025-01-01 100.00', '2025-02-11 100.00'));
  });

  story('a downgrade waiting for 1 February waits for 11 February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-05', () => acme.changesTo(plan('basic', '40')));
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await on('2025-02-11', () => acme.expectsInvoices('2025-01-01 100.00', '2025-02-11 40.00'));
  });

  story('the contract of that downgrade shows 1 February, and 11 February after the freeze', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    const basic = await on('2025-01-05', () => acme.changesTo(plan('basic', '40')));
    const begins = async () => (await acme.contract.read(basic)).contract_summary.activation;
    expect(await begins()).toBe('2025-02-01T00:00:00.000Z');
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    expect(await begins()).toBe('2025-02-11T00:00:00.000Z');
  });

  story('aligned contracts move too: 1 July becomes 6 July, and stays there', async ({ on, acme }) => {
    await on('2025-06-16', () => acme.signs(pro, { cycle_start_offset: 0 }));
    await on('2025-06-20', () => acme.freezes());
    await on('2025-06-25', () => acme.unfreezes());
    await on('2025-08-06', () => acme.expectsInvoices('2025-06-16 50.00', '2025-07-06 100.00', '2025-08-06 100.00'));
  });

  story(
    'frozen time counts in no ratio: frozen 6 to 16 June, a change on 26 June has half of the month left, -50.00 and +150.00',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(pro));
      await on('2025-06-06', () => acme.freezes());
      await on('2025-06-16', () => acme.unfreezes());
      await on('2025-06-26', () => acme.changesTo(plan('max', '300')));
      await acme.expectsLines('2025-06-26', 'Pro -50.00', 'Max 150.00');
      await acme.contract.expectsPeriod('2025-06-01', '2025-07-11');
    },
  );

  story('frozen for ten days right at a boundary, after its charge: the next one is 11 March', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-02-01', () => acme.freezes());
    await on('2025-02-11', () => acme.unfreezes());
    await on('2025-03-11', () => acme.expectsInvoices('2025-01-01 100.00', '2025-02-01 100.00', '2025-03-11 100.00'));
  });

  story('frozen and back at one instant nothing moves', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.freezes());
    await acme.unfreezes();
    await acme.contract.expectsNextCycle('2025-02-01');
    await on('2025-02-01', () => acme.expectsInvoices('100.00', '100.00'));
  });

  story('a discount of 2 cycles stands still: 90.00 in January and on 11 February, 100.00 on 11 March', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { discount: discount('spring', 'percentage', '10', 2) }));
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await on('2025-03-11', () => acme.expectsInvoices('90.00', '90.00', '100.00'));
  });
});

describe('while frozen', () => {
  story('the customer is inactive, has no features, and every write is a 409 customer_frozen', async ({ on, acme }) => {
    const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-10', () => acme.freezes());
    expect((await acme.read()).status).toBe('inactive');
    expect((await acme.mayUse()).customer.status).toBe('inactive');
    expect(await acme.features()).toEqual([]);
    await acme.contract.expectsNextCycle('2025-02-01');
    await acme.contract.expectsPeriod('2025-01-01', '2025-02-01', 1);
    await refused(409, acme.uses('calls', '1'), 'customer_frozen');
    await refused(409, acme.uses('calls', '1', '2025-01-05'), 'customer_frozen');
    await refused(409, acme.changesTo(pro), 'customer_frozen');
    await refused(409, acme.contract.estimatesChangeTo(pro), 'customer_frozen');
    await refused(409, acme.cancels('now'), 'customer_frozen');
    await refused(409, acme.signs(pro), 'customer_frozen');
    await refused(409, acme.changesDetails({ name: 'Other' }), 'customer_frozen');
    await refused(409, acme.grants('5.00'), 'customer_frozen');
    await on('2025-01-12', () => acme.unfreezes());
    expect((await acme.read()).status).toBe('active');
    expect(await acme.features()).toEqual(['calls']);
    await refused(409, acme.uses('calls', '1', '2025-01-11'));
    await acme.uses('calls', '1');
  });

  story('freezing twice and activating twice change nothing: the month still ends on 11 February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-15', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await on('2025-01-25', () => acme.unfreezes());
    await acme.contract.expectsNextCycle('2025-02-11');
  });

  story(
    'a period that ended before still closes: 10 calls of January billed 1.00 on 2 February, collected from no frozen customer',
    async ({ on, acme }) => {
      const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });
      await on('2025-01-01', () => acme.signs(calls, { usage_period_closing_policy: '1 day' }));
      await on('2025-01-10', () => acme.uses('calls', '10'));
      await on('2025-02-01 06:00', () => acme.freezes());
      await on('2025-02-03', () => acme.expectsInvoices('2025-02-02 1.00'));
      const [hit] = await acme.invoices();
      expect(hit?.detailed_invoice_status).toBe('customer_not_active');
      await acme.unfreezes();
      const [after] = await acme.invoices();
      expect(after?.detailed_invoice_status).toBe('ready_for_payment');
    },
  );
});
