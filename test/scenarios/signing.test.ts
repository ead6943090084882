import { metered, perUnit, plan, planOfFeatures, refused, story } from '../support/story.ts';

const pro = plan('pro', '100');

describe('when a contract begins', () => {
  story('pending until activated, then anchored there: 100.00 on 10 and 10', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { is_pending: true }));
    await acme.contract.expectsStatus('pending');
    await on('2025-02-10', () => acme.expectsInvoices());
    await acme.contract.activates();
    await acme.contract.expectsStatus('active');
    await on('2025-03-10', () => acme.expectsInvoices('2025-02-10 100.00', '2025-03-10 100.00'));
  });

  story('scheduled for 1 March: nothing before, usage before is a 409, 100.00 then', async ({ on, acme }) => {
    const calls = plan('pro', '100', { features: { calls: { price: metered('0.10') } } });
    await on('2025-01-01', () => acme.signs(calls, { activation: '2025-03-01T00:00:00Z' }));
    await acme.contract.expectsStatus('scheduled');
    await refused(409, acme.uses('calls', '1'));
    await on('2025-02-20', () => acme.expectsInvoices());
    await on('2025-03-01', () => acme.expectsInvoices('2025-03-01 100.00'));
    await acme.contract.expectsStatus('active');
  });

  story('scheduled with a trial of 14 days: active on 1 March, first charge on 15 March', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { activation: '2025-03-01T00:00:00Z', free_trial_days: 14 }));
    await on('2025-03-02', () => acme.contract.expectsStatus('active'));
    await on('2025-03-15', () => acme.expectsInvoices('2025-03-15 100.00'));
  });

  story('pending and activated for a later day it is scheduled until then: 100.00 on 1 March', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { is_pending: true }));
    await on('2025-02-01', () => acme.contract.activates('2025-03-01'));
    await acme.contract.expectsStatus('scheduled');
    await on('2025-03-01', () => acme.expectsInvoices('2025-03-01 100.00'));
    await acme.contract.expectsStatus('active');
  });

  story('a scheduled contract can be canceled before it begins and never charges', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { activation: '2025-03-01T00:00:00Z' }));
    await on('2025-02-01', () => acme.cancels('now'));
    await acme.contract.expectsStatus('canceled');
    await on('2025-04-01', () => acme.expectsInvoices());
  });
});

describe('which contracts a customer may hold', () => {
  story('one of a plan: a second of pro is a 409, one of mail is not', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await refused(409, acme.signs(pro));
    await acme.signs(plan('mail', '20'));
    await acme.expectsInvoices('100.00', '20.00');
  });

  story('a usage slug in one of them only: the second is a 409 usage_feature_taken', async ({ on, acme }) => {
    const calls = (slug: string) => planOfFeatures(slug, { calls: { price: metered('0.10') } });
    await on('2025-01-01', () => acme.signs(calls('first')));
    await refused(409, acme.signs(calls('second')), 'usage_feature_taken');
    await acme.cancels('now');
    await acme.signs(calls('second'));
  });

  story('two plans live apart: one is canceled with credit, the other goes on at 20.00', async ({ on, acme }) => {
    await on('2025-06-01');
    const first = await acme.signs(pro);
    await acme.signs(plan('mail', '20'));
    await acme.pays();
    await on('2025-06-16', () => first.cancels('now', { credit: true }));
    await acme.expectsWallet('50.00');
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 100.00', '2025-06-01 20.00', '2025-06-16 0.00', '2025-07-01 20.00'));
    await acme.expectsWallet('30.00');
  });

  story('entitlements show the most recent contract, the other one among others', async ({ on, acme }) => {
    await on('2025-01-01');
    const first = await acme.signs(planOfFeatures('team', { seats: { price: perUnit('10') } }), {
      unit_count_configuration: { seats: '4' },
    });
    await on('2025-01-02', () => acme.signs(plan('mail', '20')));
    const access = await acme.mayUse();
    expect(access).toMatchObject({ contract: { contract_id: acme.contract.id, status: 'active' }, plan: { slug: 'mail' } });
    expect(access.others).toMatchObject([{ contract: { contract_id: first.id }, plan: { slug: 'team' } }]);
    expect(access.others[0]?.plan?.features[0]?.entitlement_details).toMatchObject({
      pricing_strategy: 'per_unit',
      contracted_unit_count: '4',
    });
  });
});

describe('after the end', () => {
  story('a canceled contract entitles to nothing: no contract, no plan', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.cancels('now'));
    expect(await acme.mayUse()).toMatchObject({ contract: null, plan: null, customer: { status: 'active' } });
  });
});

describe('the contract as it is read', () => {
  story(
    'shows its figures before discount and free cycles: 5 seats at 10, usage of at least 100 at 0.10 and a fee of 3',
    async ({ on, acme }) => {
      const team = plan('team', '20', {
        features: {
          seats: { price: perUnit('10', { flat_fee: '2' }) },
          calls: { price: metered('0.10', { minimum_units: '100', flat_fee: '3' }) },
        },
      });
      await on('2025-01-01', () => acme.signs(team, { unit_count_configuration: { seats: '5' }, free_cycles: 1 }));
      const { contract_summary } = await acme.contract.read();
      const { cost_estimates, amount } = contract_summary;
      expect(cost_estimates.recurring_price).toEqual({
        cycle_start_charges: '72.00',
        minimum_usage: '13.00',
        extra_cycle_end_charges: '0.00',
      });
      expect(amount).toBe('85.00');
      expect(contract_summary).toMatchObject({
        plan: 'Team',
        plan_internal_name: 'Team internal',
        strategy: 'plan',
        currency: 'usd',
        cycle: 'month',
      });
    },
  );

  story('keeps its own copy: a plan made dearer in June still charges 100.00 in July', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(pro));
    const id = await vendor.planId(pro);
    const { pricings } = await vendor.api.read(`/v1/c/plan/${id}`);
    await vendor.api.made('/v1/c/plan', {
      id,
      slug: 'pro',
      internal_name: 'Pro internal',
      external_name: 'Pro',
      strategy: 'plan',
      pricings: [
        {
          pricing_id: pricings[0].pricing_id,
          currency: 'usd',
          cycle: 'month',
          price: pro.pricings[0].price ? { ...pro.pricings[0].price, amount: '150' } : null,
        },
      ],
    });
    await on('2025-07-01', () => acme.expectsInvoices('100.00', '100.00'));
    await acme.changesTo(pro);
    await acme.expectsLines('2025-07-01', 'Pro 100.00', 'Pro -100.00', 'Pro 150.00');
  });
});
