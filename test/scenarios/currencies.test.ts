import { discount, metered, perUnit, plan, refused, story } from '../support/story.ts';

const germany = { line_1: 'Hauptstr. 1', city: 'Berlin', zip: '10115', country: 'DE' as const };

describe('yen, which have no digits', () => {
  const jpy = { currency: 'jpy' } as const;

  story('10 days of 30 are used: 1,000 gives back 667, 3,333 costs 2,222, the rest of a third of a yen is lost', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '1000', jpy)));
    await acme.expectsInvoices('1000');
    await on('2025-06-11', () => acme.changesTo(plan('max', '3333', jpy)));
    await acme.expectsLines('2025-06-11', 'Pro -667', 'Max 2222');
    await on('2025-07-01');
    await acme.expectsInvoices('1000', '1555', '3333');
  });

  story(
    'a surplus of 1,333 reaches the wallet whole and pays the next cycle of 1,000: with 500 given, 833 are left',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(plan('max', '3000', jpy)));
      await acme.pays();
      await on('2025-06-11', () => acme.changesTo(plan('pro', '1000', jpy), { downgrade_allowed: true }));
      await acme.expectsWallet('1333', 'jpy');
      await on('2025-07-01', () => acme.grants('500', 'jpy'));
      await acme.expectsWallet('833', 'jpy');
    },
  );

  story('101 off over 999 and three seats of 333 are 51 and 50; 10 % of tax on top is rounded to whole yen', async ({ on, vendor }) => {
    const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates: [{ country: 'DE', rate: '0.10' }], policy: 'tax_excluded' });
    const seats = { seats: { price: perUnit('333', { unit_count: '3' }) } };
    const off = discount('off', 'flat', '101', 1, 'jpy');
    await on('2025-06-01', () => buyer.signs(plan('team', '999', { ...jpy, features: seats }), { discount: off }));
    await buyer.expectsLines('2025-06-01', 'Team 1043', 'Seats 1044');
    await on('2025-07-01');
    await buyer.expectsLines('2025-07-01', 'Team 1099', 'Seats 1099');
  });

  story('calls at 0.3: 1,001 are 300.3, charged 300', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '1000', { ...jpy, features: { calls: { price: metered('0.3') } } })));
    await on('2025-06-20', () => acme.uses('calls', '1001'));
    await on('2025-07-01');
    await acme.expectsInvoices('1000', '1300');
  });
});

describe('dinars, which have three digits', () => {
  const kwd = { currency: 'kwd' } as const;

  story('half of June is used: 9.995 gives back 4.998, 30.005 costs 15.003', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '9.995', kwd)));
    await on('2025-06-16', () => acme.changesTo(plan('max', '30.005', kwd)));
    await acme.expectsLines('2025-06-16', 'Pro -4.998', 'Max 15.003');
    await on('2025-07-01');
    await acme.expectsInvoices('9.995', '10.005', '30.005');
  });

  story('calls at 0.0005: 1,001 are 0.5005, charged 0.501; 1.234 in the wallet pays of it', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '1', { ...kwd, features: { calls: { price: metered('0.0005') } } })));
    await acme.pays();
    await on('2025-06-20', () => acme.uses('calls', '1001'));
    await acme.grants('1.234', 'kwd');
    await on('2025-07-01');
    await acme.expectsInvoices('1.000', '1.501');
    await acme.expectsWallet('0.000', 'kwd');
    await acme.expectsUnpaid('0.267', 'kwd');
  });
});

describe('codes', () => {
  story('in capitals mean the same currency; gold is none', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '1000', { currency: 'JPY' as 'jpy' })));
    const { currency, amount } = (await acme.contract.read()).contract_summary;
    expect([currency, amount]).toEqual(['jpy', '1000']);
    await refused(400, acme.grants('1.00', 'xau' as 'usd'), 'invalid_request');
    await refused(400, acme.grants('1.5', 'jpy'), 'invalid_request');
    await acme.grants('1.005', 'KWD' as 'kwd');
    await acme.expectsWallet('1.005', 'kwd');
  });
});
