import { expectsSoundLedger } from '../payments/support.ts';
import { discount, flat, metered, plan, planOfFeatures, refused, story } from '../support/story.ts';

const germany = { line_1: 'Hauptstr. 1', city: 'Berlin', zip: '10115', country: 'DE' as const };
const austria = { line_1: 'Ring 1', city: 'Wien', zip: '1010', country: 'AT' as const };
const rates = [{ country: 'DE' as const, rate: '0.19' }];
const seller = { name: 'Vendor GmbH', address: germany, vat_id: 'DE123456789' };

describe('tax', () => {
  story('included: 119.00 holds 19.00 of 19 %, net 100.00', async ({ on, vendor }) => {
    const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates, policy: 'tax_included' });
    await on('2025-01-01', () => buyer.signs(plan('pro', '119')));
    await buyer.expectsInvoices('119.00');
    const [line] = await buyer.linesOf('2025-01-01');
    expect(line).toMatchObject({
      subtotal: '119.00',
      total_excluding_tax: '100.00',
      tax_amount: '19.00',
      total_including_tax: '119.00',
      tax_policy: 'tax_included',
    });
  });

  story('excluded: 19 % comes on top of 100.00, and off a credit: -59.50 and +178.50', async ({ on, vendor }) => {
    const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates, policy: 'tax_excluded' });
    await on('2025-06-01', () => buyer.signs(plan('pro', '100')));
    const [line] = await buyer.linesOf('2025-06-01');
    expect(line).toMatchObject({
      total_excluding_tax: '100.00',
      tax_amount: '19.00',
      total_including_tax: '119.00',
      tax_policy: 'tax_excluded',
    });
    await on('2025-06-16', () => buyer.changesTo(plan('max', '300')));
    await buyer.expectsLines('2025-06-16', 'Pro -59.50', 'Max 178.50');
    await buyer.expectsInvoices('119.00', '119.00');
  });

  story('of a credit is that of its charge: moved from 19 % to 20 % it is -59.50 and +180.00', async ({ on, vendor }) => {
    const buyer = vendor.customer('Mover', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates: [...rates, { country: 'AT', rate: '0.20' }], policy: 'tax_excluded' });
    await on('2025-06-01', () => buyer.signs(plan('pro', '100')));
    await on('2025-06-10', () => buyer.changesDetails({ addresses: { main: austria } }));
    await on('2025-06-16', () => buyer.changesTo(plan('max', '300')));
    await buyer.expectsLines('2025-06-16', 'Pro -59.50', 'Max 180.00');
  });

  const calls = planOfFeatures('calls', { calls: { price: metered('1') } });

  story(
    'of a correction is that of its usage: of 119.00 charged 119.00 comes back, by then at 21 % and by then reverse',
    async ({ on, vendor }) => {
      const vienna = { addresses: { main: austria } };
      const [later, company] = [vendor.customer('Later', vienna), vendor.customer('Company', vienna)];
      await vendor.setsTaxes({ rates: [{ country: 'AT', rate: '0.19' }], policy: 'tax_excluded', seller });
      await on('2025-01-01', () => later.signs(calls));
      await company.signs(calls);
      const used = await Promise.all([later, company].map((one) => one.uses('calls', '100', '2025-01-01')));
      await on('2025-02-01', () => later.expectsInvoices('119.00'));
      await company.expectsInvoices('119.00');
      await vendor.setsTaxes({ rates: [{ country: 'AT', rate: '0.21' }], policy: 'tax_excluded', seller });
      await company.changesDetails({ ...vienna, tax_details: { vat_id: 'ATU12345678' } });
      await later.discards(used[0] ?? '');
      await company.discards(used[1] ?? '');
      await on('2025-03-01', () => later.expectsLines('2025-03-01', 'Calls 0.00', 'Correction: Calls -119.00', 'wallet 119.00'));
      await company.expectsLines('2025-03-01', 'Calls 0.00', 'Correction: Calls -119.00', 'wallet 119.00');
      await expectsSoundLedger(vendor);
    },
  );

  story('of what an invoice threshold charged comes back with it: −119.00 at the end, by then at 21 %', async ({ on, vendor }) => {
    const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates, policy: 'tax_excluded' });
    await on('2025-01-01', () => buyer.signs(calls, { invoice_threshold: '100.00' }));
    const event = await on('2025-01-10', () => buyer.uses('calls', '100'));
    await buyer.expectsInvoices('119.00');
    await vendor.setsTaxes({ rates: [{ country: 'DE', rate: '0.21' }], policy: 'tax_excluded' });
    await buyer.discards(event);
    await on('2025-02-01', () => buyer.expectsLines('2025-02-01', 'Calls -119.00', 'wallet 119.00'));
    await expectsSoundLedger(vendor);
  });

  story('is rounded once a line: 10 % on 0.25 three times is 0.09, not 0.08', async ({ on, vendor }) => {
    const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates: [{ country: 'DE', rate: '0.10' }], policy: 'tax_excluded' });
    const three = plan('a', '0.25', { features: { b: { price: flat('0.25') }, c: { price: flat('0.25') } } });
    await on('2025-01-01', () => buyer.signs(three));
    await buyer.expectsLines('2025-01-01', '0.28', '0.28', '0.28');
  });

  story('the more specific rate wins: code food 7 %, New York 8.875 %, elsewhere in the US none', async ({ on, vendor }) => {
    const at = (state: string) => ({
      addresses: { main: { line_1: '1 Main', city: 'Town', zip: '10001', country: 'US' as const, state } },
    });
    const [york, utah, berlin] = [
      vendor.customer('York', at('NY')),
      vendor.customer('Utah', at('UT')),
      vendor.customer('Berlin', { addresses: { main: germany } }),
    ];
    await vendor.setsTaxes({
      rates: [...rates, { country: 'US', state: 'NY', rate: '0.08875' }, { tax_code: 'food', country: 'DE', rate: '0.07' }],
      policy: 'tax_excluded',
    });
    const box = plan('box', '100', { features: { snacks: { price: flat('10', { tax_code: 'food' }) } } });
    await on('2025-01-01', () => york.signs(box));
    await utah.signs(box);
    await berlin.signs(box);
    await york.expectsLines('2025-01-01', 'Box 108.88', 'Snacks 10.89');
    await utah.expectsLines('2025-01-01', 'Box 100.00', 'Snacks 10.00');
    await berlin.expectsLines('2025-01-01', 'Box 119.00', 'Snacks 10.70');
  });

  story('reverse charge for a company in another member state: 100.00 without tax; an invalid VAT id pays 20 %', async ({ on, vendor }) => {
    const company = vendor.customer('Wien', { addresses: { main: austria }, tax_details: { vat_id: 'ATU12345678' } });
    const person = vendor.customer('Graz', { addresses: { main: austria }, tax_details: { vat_id: 'nonsense' } });
    await vendor.setsTaxes({ rates: [...rates, { country: 'AT', rate: '0.20' }], policy: 'tax_excluded', seller });
    await on('2025-01-01', () => company.signs(plan('pro', '100')));
    await person.signs(plan('pro', '100'));
    await company.expectsInvoices('100.00');
    await person.expectsInvoices('120.00');
  });

  story('reverse charge with tax included keeps the price: 119.00, tax 0.00', async ({ on, vendor }) => {
    const company = vendor.customer('Wien', { addresses: { main: austria }, tax_details: { vat_id: 'ATU12345678' } });
    await vendor.setsTaxes({ rates: [...rates, { country: 'AT', rate: '0.20' }], policy: 'tax_included', seller });
    await on('2025-01-01', () => company.signs(plan('pro', '119')));
    const [line] = await company.linesOf('2025-01-01');
    expect(line).toMatchObject({ total_excluding_tax: '119.00', tax_amount: '0.00', total_including_tax: '119.00' });
    expect(line?.description).toContain('Reverse charge');
  });
});

describe('the wallet', () => {
  story(
    '100 with 10 off and 10 % tax on top, 5 in the wallet: 94.00 to pay, and at most 94.00 can be paid back',
    async ({ on, vendor }) => {
      const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
      await vendor.setsTaxes({ rates: [{ country: 'DE', rate: '0.10' }], policy: 'tax_excluded' });
      await on('2025-01-01', () => buyer.grants('5'));
      await buyer.signs(plan('pro', '100'), { discount: discount('ten', 'flat', '10', 1) });
      const [hit] = await buyer.invoices();
      expect([hit?.invoice.total, hit?.amount_due]).toEqual(['99.00', '94.00']);
      await buyer.pays();
      const back = (amount: string) =>
        vendor.api.made(`/v1/c/invoice/${hit?.invoice.id}/credit_note`, {
          items: [{ invoice_item_id: hit?.invoice_items[0]?.id, amount }],
          to: 'payment',
        });
      await refused(400, back('94.01'));
      await back('94.00');
    },
  );

  story('pays by itself, in part if need be: 150.00 granted, 100.00 and 50.00 of 100.00 paid', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.grants('150'));
    await acme.signs(plan('pro', '100'));
    await acme.expectsWallet('50.00');
    await on('2025-02-01', () => acme.expectsWallet('0.00'));
    await acme.expectsUnpaid('50.00');
    expect((await acme.invoices()).map(({ invoice, amount_due }) => [invoice.status, amount_due])).toEqual([
      ['paid', '0.00'],
      ['ready_for_payment', '50.00'],
    ]);
  });

  story('granted later pays what is open, oldest first: 130.00 pays January and 30.00 of February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100')));
    await on('2025-02-10', () => acme.grants('130'));
    expect((await acme.invoices()).map(({ amount_due }) => amount_due)).toEqual(['0.00', '70.00']);
    await acme.expectsWallet('0.00');
  });

  story('is kept per currency and never goes below zero: eur 20.00 pays no usd, taking 30 back is a 409', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.grants('20', 'eur'));
    await acme.signs(plan('pro', '100'));
    await acme.expectsUnpaid('100.00');
    await acme.expectsWallet('20.00', 'eur');
    await refused(409, acme.grants('-30', 'eur'));
    await acme.grants('-20', 'eur');
    await acme.expectsWallet('0.00', 'eur');
  });
});
