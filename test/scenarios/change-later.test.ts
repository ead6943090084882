import { plan, refused, story } from '../support/story.ts';

const basic = plan('basic', '40');
const pro = plan('pro', '100');
const max = plan('max', '300');

describe('a downgrade waits for the end of the cycle', () => {
  story('100 to 40 asked on 10 January costs nothing now and 40.00 on 1 February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10');
    const estimate = await acme.contract.estimatesChangeTo(basic);
    expect(estimate).toMatchObject({ is_downgrade: true, activation: '2025-02-01T00:00:00.000Z', remains_to_pay_current_contract: [] });
    expect(estimate.price_on_new_contract.map((hit: { invoice: { total: string } }) => hit.invoice.total)).toEqual(['40.00']);
    expect(estimate.upgrade_cost_breakdown.old_contract).toMatchObject({ pro_rate: '1' });
    await acme.changesTo(basic);
    await acme.contract.expectsStatus('active');
    await acme.contract.expectsStatus('scheduled', String(acme.contract.successor));
    await acme.expectsInvoices('100.00');
    await on('2025-02-01', () => acme.expectsInvoices('2025-01-01 100.00', '2025-02-01 40.00'));
    await acme.contract.expectsStatus('moved');
    acme.contract.follows();
    await acme.contract.expectsStatus('active');
    await acme.contract.expectsPeriod('2025-02-01', '2025-03-01', 1);
  });

  story('a downgrade waits for the end of the cycle and can be undone: 100.00 again', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.changesTo(basic));
    const dropped = String(acme.contract.successor);
    await on('2025-01-20', () => acme.undoesTheChange());
    await acme.contract.expectsStatus('canceled', dropped);
    await on('2025-02-01', () => acme.expectsInvoices('100.00', '100.00'));
    await acme.contract.expectsStatus('active');
  });

  story('undoing when nothing is scheduled is a 409', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await refused(409, acme.undoesTheChange());
  });

  story('a second downgrade, to 20, replaces the first: the scheduled one is canceled, 20.00 on 1 February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.changesTo(basic));
    const replaced = String(acme.contract.successor);
    await on('2025-01-20', () => acme.changesTo(plan('mini', '20')));
    await acme.contract.expectsStatus('canceled', replaced);
    await on('2025-02-01', () => acme.expectsInvoices('100.00', '20.00'));
  });

  story(
    'an upgrade to 300 now replaces the downgrade that waited: -54.84 and +164.52 on 15 January, 300.00 in February',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(pro));
      await on('2025-01-10', () => acme.changesTo(basic));
      const replaced = String(acme.contract.successor);
      await on('2025-01-15', () => acme.changesTo(max)); // 17 of 31 days left
      await acme.expectsLines('2025-01-15', 'Pro -54.84', 'Max 164.52');
      await acme.contract.expectsStatus('canceled', replaced);
      await on('2025-02-01', () => acme.expectsInvoices('100.00', '109.68', '300.00'));
    },
  );

  story('signed on 31 January, downgraded on 28 February, the next boundary is 31 March', async ({ on, acme }) => {
    await on('2025-01-31', () => acme.signs(pro));
    await on('2025-02-10', () => acme.changesTo(basic));
    await on('2025-03-31', () => acme.expectsInvoices('2025-01-31 100.00', '2025-02-28 40.00', '2025-03-31 40.00'));
  });

  story('forced by downgrade_allowed it happens at once: -50.00, +20.00, 30.00 of credit', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await acme.pays();
    await on('2025-06-16', () => acme.changesTo(basic, { downgrade_allowed: true }));
    await acme.expectsLines('2025-06-16', 'Pro -50.00', 'Basic 20.00', 'wallet 30.00');
    await acme.expectsWallet('30.00');
    await on('2025-07-01', () => acme.expectsWallet('0.00'));
    await acme.expectsUnpaid('10.00');
  });
});

describe('the time of a change can be chosen', () => {
  story('an upgrade for the next cycle costs nothing now and 300.00 on 1 February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.changesTo(max, { activation: { type: 'next_cycle' } }));
    await acme.expectsInvoices('100.00');
    await on('2025-02-01', () => acme.expectsInvoices('100.00', '300.00'));
  });

  story('an upgrade dated 16 June is scheduled on 3 June and then costs -50.00 and +150.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-03', () => acme.changesTo(max, { activation: { type: 'date', date: '2025-06-16T00:00:00Z' } }));
    await acme.expectsInvoices('100.00');
    await on('2025-06-16', () => acme.expectsLines('2025-06-16', 'Pro -50.00', 'Max 150.00'));
    acme.contract.follows();
    await acme.contract.expectsPeriod('2025-06-01', '2025-07-01', 1);
    await on('2025-07-01', () => acme.expectsInvoices('100.00', '100.00', '300.00'));
  });

  story('the date of a change may stand in `value`, and a date in the past is a 400', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-03');
    await refused(400, acme.changesTo(max, { activation: { type: 'date', date: '2025-06-02T00:00:00Z' } }));
    await acme.changesTo(max, { activation: { type: 'date', value: '2025-06-16T00:00:00Z' } });
    await on('2025-06-16', () => acme.expectsInvoices('100.00', '100.00'));
  });

  story(
    'an upgrade dated 16 July lets July begin with 100.00 and then costs -51.61 and +154.84 for 16 of 31 days',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(pro));
      await on('2025-06-03', () => acme.changesTo(max, { activation: { type: 'date', date: '2025-07-16T00:00:00Z' } }));
      await on('2025-07-16', () => acme.expectsLines('2025-07-16', 'Pro -51.61', 'Max 154.84'));
      await on('2025-08-01', () => acme.expectsInvoices('100.00', '100.00', '103.23', '300.00'));
    },
  );

  story('a downgrade dated 16 July waits for 1 August: 100.00, 100.00, 40.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-03', () => acme.changesTo(basic, { activation: { type: 'date', date: '2025-07-16T00:00:00Z' } }));
    await on('2025-08-01', () => acme.expectsInvoices('2025-06-01 100.00', '2025-07-01 100.00', '2025-08-01 40.00'));
  });

  story('a downgrade dated 16 June waits for 1 July: nothing in June, 40.00 then', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-03', () => acme.changesTo(basic, { activation: { type: 'date', date: '2025-06-16T00:00:00Z' } }));
    await on('2025-06-20', () => acme.contract.expectsStatus('active'));
    await acme.expectsInvoices('100.00');
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 100.00', '2025-07-01 40.00'));
  });

  story('a downgrade dated 16 June and forced happens then: -50.00 and +20.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-03', () =>
      acme.changesTo(basic, { activation: { type: 'date', date: '2025-06-16T00:00:00Z' }, downgrade_allowed: true }),
    );
    await on('2025-06-16', () => acme.expectsLines('2025-06-16', 'Pro -50.00', 'Basic 20.00', 'wallet 30.00'));
  });
});

describe('a change of a contract that has not begun', () => {
  story(
    'in a trial it takes effect at once, keeps the trial end and costs nothing: first charge 40.00 on 15 January',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(plan('pro', '100', { trialDays: 14 })));
      await on('2025-01-05', () => acme.changesTo(basic));
      await acme.contract.expectsStatus('active');
      await acme.contract.expectsNextCycle('2025-01-15');
      await acme.expectsInvoices();
      await on('2025-01-15', () => acme.expectsInvoices('2025-01-15 40.00'));
    },
  );

  story('of a scheduled contract it makes another scheduled one and charges nothing: 300.00 on 1 March', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { activation: '2025-03-01T00:00:00Z' }));
    await acme.contract.expectsStatus('scheduled');
    const old = acme.contract.id;
    await on('2025-02-01');
    await acme.changesTo(max);
    const next = acme.contract.successor ?? acme.contract.id;
    await acme.contract.expectsStatus('moved', old);
    await acme.contract.expectsStatus('scheduled', next);
    await acme.expectsInvoices();
    await on('2025-03-01', () => acme.expectsInvoices('2025-03-01 300.00'));
    await acme.contract.expectsStatus('active', next);
  });

  story('of a pending contract it makes another pending one', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { is_pending: true }));
    await acme.changesTo(max);
    await acme.contract.expectsStatus('pending');
    await acme.contract.expectsStatus('moved', String(acme.contract.previous));
    await acme.expectsInvoices();
    await on('2025-02-10', () => acme.contract.activates());
    await acme.expectsInvoices('2025-02-10 300.00');
  });
});
