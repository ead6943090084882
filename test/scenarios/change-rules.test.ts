import type { AnyJson } from '../support/api.ts';
import { flat, perUnit, plan, story } from '../support/story.ts';

type Rule = {
  when?: 'now' | 'next_cycle';
  proration?: 'time' | 'difference' | 'full' | 'none';
  collect?: 'now' | 'next_invoice';
  credit?: 'wallet' | 'none';
};
const every = (rule: Rule) => {
  const one = { when: 'now' as const, ...rule };
  return { change_rules: { upgrade: one, downgrade: one, units_up: one, units_down: one } };
};
const team = plan('team', '30');
const business = plan('business', '60');
const seats = (count: string) => plan('seats', '7', { features: { seats: { price: perUnit('30', { unit_count: count }) } } });

describe('30 → 60 a month on 16 June', () => {
  story('time: -15.00 and +30.00, next on 1 July', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(team, every({ proration: 'time' })));
    await on('2025-06-16', () => acme.changesTo(business));
    await acme.expectsLines('2025-06-16', 'Team -15.00', 'Business 30.00');
    await on('2025-07-01', () => acme.expectsInvoices('30.00', '15.00', '60.00'));
  });

  story('difference: +30.00, next on 1 July', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(team, every({ proration: 'difference' })));
    await on('2025-06-16', () => acme.changesTo(business));
    await acme.expectsLines('2025-06-16', 'Business 30.00');
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 30.00', '2025-06-16 30.00', '2025-07-01 60.00'));
  });

  story('full: 60.00, next on 16 July', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(team, every({ proration: 'full' })));
    await on('2025-06-16', () => acme.changesTo(business));
    await acme.contract.expectsPeriod('2025-06-16', '2025-07-16', 1);
    await on('2025-07-16', () => acme.expectsInvoices('2025-06-01 30.00', '2025-06-16 60.00', '2025-07-16 60.00'));
  });

  story('none: 0.00, then 60.00 on 1 July', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(team, every({ proration: 'none' })));
    await on('2025-06-16', async () => {
      const estimate = await acme.contract.estimatesChangeTo(business);
      expect(estimate.upgrade_cost_breakdown.total).toBe('0.00');
      expect(estimate.change_rule).toEqual({
        direction: 'upgrade',
        from: 'contract',
        when: 'now',
        proration: 'none',
        collect: 'now',
        credit: 'wallet',
      });
      await acme.changesTo(business);
    });
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 30.00', '2025-07-01 60.00'));
  });
});

describe('60 → 30 a month on 16 June, at once', () => {
  story('time: -30.00 and +15.00, 15.00 to the wallet, which pays on 1 July', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(business, every({ proration: 'time' })));
    await on('2025-06-16', () => acme.changesTo(team));
    await acme.expectsLines('2025-06-16', 'Business -30.00', 'Team 15.00', 'wallet 15.00');
    await on('2025-07-01', () => acme.expectsInvoices('60.00', '0.00', '30.00'));
  });

  story('time without credit: 15.00 and no line that gives back', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(business, every({ credit: 'none' })));
    await on('2025-06-16', () => acme.changesTo(team));
    await acme.expectsLines('2025-06-16', 'Team 15.00');
  });

  story('difference and none: nothing before 30.00 on 1 July', async ({ on, acme, vendor }) => {
    const globex = vendor.customer('Globex', { emails: { main: 'billing@globex.example' } });
    await on('2025-06-01', async () => {
      await acme.signs(business, every({ proration: 'difference' }));
      await globex.signs(business, every({ proration: 'none' }));
    });
    await on('2025-06-16', async () => {
      await acme.changesTo(team);
      await globex.changesTo(team);
    });
    await on('2025-07-01', async () => {
      await acme.expectsInvoices('60.00', '30.00');
      await globex.expectsInvoices('60.00', '30.00');
    });
  });

  story('full: 30.00 and a new period', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(business, every({ proration: 'full' })));
    await on('2025-06-16', () => acme.changesTo(team));
    await on('2025-07-16', () => acme.expectsInvoices('2025-06-01 60.00', '2025-06-16 30.00', '2025-07-16 30.00'));
  });
});

describe('units of 30.00, 1 → 2 on 16 June and back to 1 on 21 June', () => {
  const twice = (title: string, rule: Rule, ...invoices: string[]) =>
    story(title, async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(seats('1'), every(rule)));
      await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
      await on('2025-06-21', () => acme.changesUnits({ seats: '1' }));
      await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 37.00', ...invoices));
    });

  twice('time: 15.00, 10.00 of it back, which pays for July', {}, '2025-06-16 15.00', '2025-06-21 0.00', '2025-07-01 37.00');
  twice('difference: 30.00, nothing back', { proration: 'difference' }, '2025-06-16 30.00', '2025-07-01 37.00');
  twice('full: 67.00 and 37.00, whole', { proration: 'full' }, '2025-06-16 67.00', '2025-06-21 37.00');
  twice('none: nothing', { proration: 'none' }, '2025-07-01 37.00');
  twice('collect next_invoice: 5.00 on that of 1 July', { collect: 'next_invoice' }, '2025-07-01 42.00');
});

describe('collect next_invoice', () => {
  story('five changes of seats in a month: one invoice, on 1 July; added and removed at once: nothing', async ({ on, acme, vendor }) => {
    const globex = vendor.customer('Globex', { emails: { main: 'billing@globex.example' } });
    await on('2025-06-01', async () => {
      await acme.signs(seats('1'), every({ collect: 'next_invoice' }));
      await globex.signs(seats('1'), every({ collect: 'next_invoice' }));
    });
    for (let day = 2; day <= 6; day += 1)
      await on(`2025-06-${String(day).padStart(2, '0')}`, () => acme.changesUnits({ seats: String(day) }));
    await on('2025-06-07', async () => {
      await globex.changesUnits({ seats: '5' });
      await globex.changesUnits({ seats: '1' });
    });
    await on('2025-07-01', async () => {
      await acme.expectsInvoices('2025-06-01 37.00', '2025-07-01 322.00');
      await globex.expectsInvoices('2025-06-01 37.00', '2025-07-01 37.00');
      await globex.expectsLines('2025-07-01', 'Seats 7.00', 'Seats 30.00');
    });
  });

  story('what has waited is due with the invoice that takes it up, as the preview of it said', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(team, every({ collect: 'next_invoice' })));
    await on('2025-06-16', () => acme.changesTo(business));
    await on('2025-06-20', () => acme.freezes());
    await on('2025-06-25', () => acme.unfreezes());
    const dues = ({ invoice, invoice_items }: AnyJson) => [invoice, ...invoice_items].map(({ due_date }) => due_date);
    const foreseen = await vendor.api.read(`/v1/c/contract/${(await acme.contract.read()).contract_summary.id}/upcoming_invoice`);
    expect(foreseen.invoice_items.map(({ due_date }: AnyJson) => due_date)).toEqual(Array(3).fill('2025-07-06T00:00:00.000Z'));
    await on('2025-07-06');
    const [, taken] = await acme.invoices();
    expect(dues(taken)).toEqual(Array(4).fill('2025-07-06T00:00:00.000Z'));
  });

  story('a change back at once, which takes back all that waits, is estimated as what it is: nothing', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(seats('2'), { change_rules: { units_up: { when: 'now', collect: 'next_invoice' } } }));
    await on('2025-06-16', async () => {
      await acme.changesUnits({ seats: '4' });
      const { id } = (await acme.contract.read()).contract_summary;
      const back = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '2' }, activation: { type: 'immediate' } };
      const configuration = { upgrade_configuration: back, downgrade_allowed: true };
      const estimate = await vendor.api.made<AnyJson>(`/v1/c/contract/${id}/upgrade_estimate`, configuration);
      expect(estimate).toMatchObject({ price_on_new_contract: [], remains_to_pay_current_contract: [] });
      expect(estimate.upgrade_cost_breakdown.total).toBe('0.00');
      await vendor.api.made(`/v1/c/contract/${id}/upgrade`, configuration);
      await acme.expectsInvoices('2025-06-01 67.00');
      await acme.expectsWallet('0.00');
    });
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 67.00', '2025-07-01 67.00'));
  });

  story('a contract that ends takes up what waits', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(seats('1'), { ...every({ collect: 'next_invoice' }), expiration: '2025-06-26T00:00:00Z' }));
    await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
    await on('2025-06-26', () => acme.expectsInvoices('2025-06-01 37.00', '2025-06-26 10.00'));
  });
});

describe('whose rule it is', () => {
  story('the contract’s, the plan’s, the vendor’s, and none: each direction by itself', async ({ on, acme, vendor }) => {
    const { api } = vendor;
    await api.post('/v1/c/preferences/change', { upgrade: { proration: 'full' }, units_up: { collect: 'next_invoice' } });
    const { change_rules, ...shown } = (await api.get('/v1/c/preferences/change')).body;
    expect(shown).toMatchObject({
      upgrade: { when: 'now', proration: 'full', collect: 'now', credit: 'wallet' },
      downgrade: { when: 'next_cycle', proration: 'time' },
      units_up: { collect: 'next_invoice' },
    });
    expect(change_rules).toEqual(shown);
    await api.post('/v1/c/plan', {
      id: await vendor.planId(team),
      change_rules: { upgrade: { proration: 'none' }, downgrade: { when: 'now' } },
    });
    await on('2025-06-01', () => acme.signs(team, { change_rules: { downgrade: { when: 'now', credit: 'none' } } }));
    await api.post('/v1/c/preferences/change', { upgrade: null, units_up: null });
    const read = await acme.contract.read();
    expect(read.change_rules_from).toEqual({ upgrade: 'plan', downgrade: 'contract', units_up: 'vendor', units_down: 'default' });
    expect(read.change_rules).toEqual({
      upgrade: { when: 'now', proration: 'none', collect: 'now', credit: 'wallet' },
      downgrade: { when: 'now', proration: 'time', collect: 'now', credit: 'none' },
      units_up: { when: 'now', proration: 'time', collect: 'next_invoice', credit: 'wallet' },
      units_down: { when: 'next_cycle', proration: 'time', collect: 'now', credit: 'wallet' },
    });
    await on('2025-06-16', () => acme.changesTo(business));
    expect((await acme.contract.read()).change_rules_from).toEqual({
      upgrade: 'vendor',
      downgrade: 'contract',
      units_up: 'vendor',
      units_down: 'default',
    });
  });

  story('the lines of a change name the rule', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(team, every({ proration: 'difference' })));
    await on('2025-06-16', () => acme.changesTo(business));
    const [, change] = await acme.invoices();
    const { lines } = (await vendor.api.get(`/v1/c/invoice/${change?.invoice.id}/explain`)).body;
    expect(lines[0].derivation.rule).toMatchObject({ direction: 'upgrade', from: 'contract', proration: 'difference' });
    expect(lines[0].recomputed).toMatchObject({ subtotal: '30.00', total_including_tax: '30.00' });
    expect(lines[0].sentences.at(-1)).toContain('The contract’s own rule for upgrades was followed: proration "difference"');
  });
});

describe('365.00 a year beside a month that ends with its cycle, seats 1 to 2 on 16 June by a full period', () => {
  const supported = plan('seats', '0', {
    features: { seats: { price: perUnit('30') }, support: { price: flat('365'), trigger: 'year' } },
  });

  story('what the change gives back and charges again cancels out, and the end on 16 July gives back 320.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(supported, every({ proration: 'full', collect: 'next_invoice' })));
    await on('2025-06-02', () => acme.cancels('end_of_cycle', { credit: true }));
    await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
    await on('2025-07-16', async () => {
      await acme.contract.expectsStatus('canceled');
      await acme.expectsLines('2025-07-16', 'Seats 0.00', 'Seats 60.00', 'Support -320.00', 'wallet 260.00');
    });
  });
});
