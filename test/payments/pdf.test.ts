import { createHash } from 'node:crypto';
import { withTestDatabase } from '../support/database.ts';
import { downloadPdf, sheetsOf } from '../support/pdf.ts';
import { flat, plan, story, tieredUnits } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { addsMethod, expectsState, invoiceOf } from './support.ts';

const germany = { line_1: 'Königstraße 1', city: 'Stuttgart', zip: '70173', country: 'DE' as const };
const france = { line_1: '5 avenue Anatole France', line_2: 'étage 3', city: 'Paris', zip: '75007', country: 'FR' as const };
const seller = { name: 'Müller & Söhne GmbH', address: germany, vat_id: 'DE123456789' };

const keyOf = (customer: StoryCustomer): string => customer.vendor.apiKey;
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What is kept of a document's prints. */
const printsOf = (id: string) =>
  withTestDatabase((db) =>
    db.query<{ edition: string; sha256: string; bytes: Buffer }>(
      'select edition, sha256, bytes from document_print where document_id = $1 order by edition',
      [id],
    ),
  );

describe('a printed invoice', () => {
  story('names both parties with their VAT ids, each line with its time, and the reverse charge', async ({ on, vendor }) => {
    const buyer = vendor.customer('Société Ξένος', { addresses: { main: france }, tax_details: { vat_id: 'FR83404833048' } });
    await vendor.setsTaxes({ rates: [{ country: 'FR', rate: '0.20' }], policy: 'tax_excluded', seller });
    await on('2025-01-31', () => buyer.signs(plan('pro', '1234.5', { currency: 'eur' })));
    const { invoice } = await invoiceOf(buyer, '2025-01-31');
    const path = `/v1/c/invoice/${invoice.id}/pdf`;
    const first = await downloadPdf(keyOf(buyer), path);
    const [sheet = ''] = await sheetsOf(first);
    for (const part of [
      'Amount due EUR 1,234.50 by 31 January 2025',
      ...['Invoice', 'Müller & Söhne GmbH', 'Königstraße 1', 'DE123456789', 'Société Ξένος', '75007 Paris', 'France', 'FR83404833048'],
      ...['31 January 2025', '31 Jan 2025 – 28 Feb 2025', 'Pro', '1,234.50', 'EUR 1,234.50', 'Reverse charge', 'Page 1 of 1'],
    ]) {
      expect(sheet).toContain(part);
    }
    await buyer.changesDetails({ name: 'Somebody else', addresses: { main: germany } });
    const again = await downloadPdf(keyOf(buyer), path);
    expect(again.equals(first)).toBe(true);
    expect(await printsOf(invoice.id)).toEqual([{ edition: 'made', sha256: hashOf(first), bytes: first }]);
  });

  story('names the address that was taxed: without `main` that of the lowest number', async ({ on, vendor }) => {
    const berlin = { line_1: 'Unter den Linden 1', city: 'Berlin', zip: '10117', country: 'DE' as const };
    const buyer = vendor.customer('Numbered', { addresses: { billing: france, 10: france, 9: berlin } });
    const rates = [
      { country: 'DE' as const, rate: '0.19' },
      { country: 'FR' as const, rate: '0.20' },
    ];
    await vendor.setsTaxes({ rates, policy: 'tax_excluded', seller });
    await on('2025-01-31', () => buyer.signs(plan('pro', '100', { currency: 'eur' })));
    const { invoice } = await invoiceOf(buyer, '2025-01-31');
    const [sheet = ''] = await sheetsOf(await downloadPdf(keyOf(buyer), `/v1/c/invoice/${invoice.id}/pdf`));
    expect([invoice.total, sheet.includes('10117 Berlin'), sheet.includes('Paris')]).toEqual(['119.00', true, false]);
  });

  story('goes over as many sheets as its lines need, with the titles on each and the total on the last', async ({ on, acme }) => {
    const features = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`feature-${index}`, { price: flat('1.00') }]));
    await on('2025-01-01', () => acme.signs(plan('big', '40', { currency: 'brl', features })));
    const { invoice } = await invoiceOf(acme, '2025-01-01');
    const sheets = await sheetsOf(await downloadPdf(keyOf(acme), `/v1/c/invoice/${invoice.id}/pdf`));
    expect(sheets.length).toBeGreaterThan(1);
    for (const [index, sheet] of sheets.entries()) expect(sheet).toContain(`Page ${index + 1} of ${sheets.length}`);
    for (const sheet of sheets.slice(0, -1)) expect(sheet).toContain('Unit price');
    expect(sheets[0]).toContain('Amount due BRL 100.00');
    expect(sheets.join(' ').match(/Feature-\d+/g)).toHaveLength(60);
    expect(sheets.at(-1)).toContain('BRL 100.00');
  });

  for (const currency of ['usd', 'eur', 'gbp', 'brl', 'ars'] as const) {
    story(`shows ${currency.toUpperCase()} 0.50 and a credit of half a period`, async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(plan('small', '0.50', { currency })));
      await on('2025-06-16', () => acme.changesTo(plan('large', '300', { currency })));
      const { invoice } = await invoiceOf(acme, '2025-06-16');
      const [sheet = ''] = await sheetsOf(await downloadPdf(keyOf(acme), `/v1/c/invoice/${invoice.id}/pdf`));
      expect(sheet).toContain('−0.25');
      expect(sheet).toContain('15 of 30 days');
      expect(sheet).toContain(`${currency.toUpperCase()} 149.75`);
    });
  }

  story('says once something is paid what was paid how, what was given back and what is left', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100')));
    const { invoice, invoice_items } = await invoiceOf(acme, '2025-01-01');
    const path = `/v1/c/invoice/${invoice.id}/pdf`;
    const print = async (): Promise<string> => (await sheetsOf(await downloadPdf(keyOf(acme), path))).join(' ');
    expect(await print()).not.toContain('Payments and credits');
    await on('2025-01-02', async () => {
      await acme.grants('30.00');
      const items = [{ invoice_item_id: invoice_items[0].id, amount: '20.00' }];
      await acme.vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'wallet' });
    });
    const part = await print();
    for (const text of [
      'Amount due USD 50.00 by 1 January 2025, of USD 100.00 in all',
      '2 January 2025 −30.00 Paid from your wallet',
      '2 January 2025 −20.00 Credit note 1 ',
      'Total of the invoice 100.00 Amount due USD 50.00',
    ]) {
      expect(part).toContain(text);
    }
    await on('2025-01-05', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    });
    const all = await print();
    for (const text of ['PAID on 5 January 2025', '5 January 2025 −50.00 Paid by card', 'Amount due USD 0.00']) expect(all).toContain(text);
    expect((await printsOf(invoice.id)).map(({ edition }) => edition)).toEqual(['made', 'since']);
  });

  story('is printed once and kept, for each state of things: what is served is what was printed then', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100')));
    const { invoice } = await invoiceOf(acme, '2025-01-01');
    const path = `/v1/c/invoice/${invoice.id}/pdf`;
    const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => downloadPdf(keyOf(acme), path)));
    expect(new Set([first, ...others].map((bytes) => bytes && hashOf(bytes))).size).toBe(1);
    const put = (bytes: string) =>
      withTestDatabase((db) => db.query('update document_print set bytes = $2 where document_id = $1', [invoice.id, Buffer.from(bytes)]));
    await put('as printed then');
    expect((await downloadPdf(keyOf(acme), path)).toString()).toBe('as printed then');
    await on('2025-01-02', () => acme.grants('100.00'));
    const paid = await downloadPdf(keyOf(acme), path);
    expect((await sheetsOf(paid))[0]).toContain('PAID USD 100.00 on 2 January 2025');
    await put('paid then');
    expect((await downloadPdf(keyOf(acme), path)).toString()).toBe('paid then');
    await withTestDatabase((db) => db.query('delete from document_print where document_id = $1', [invoice.id]));
    expect(hashOf(await downloadPdf(keyOf(acme), path))).toBe(hashOf(paid));
  });

  story('says of tiers what each costs', async ({ on, acme }) => {
    const seats = tieredUnits('graduated', [
      { up_to: '5', unit_price: '7.00' },
      { up_to: null, unit_price: '6.00' },
    ]);
    const terms = { unit_count_configuration: { seats: '8' } };
    await on('2025-01-01', () => acme.signs(plan('pro', '10', { features: { seats: { price: seats } } }), terms));
    const { invoice } = await invoiceOf(acme, '2025-01-01');
    const [sheet = ''] = await sheetsOf(await downloadPdf(keyOf(acme), `/v1/c/invoice/${invoice.id}/pdf`));
    for (const text of ['8 53.00 Seats', 'Up to 5 5 7.00 35.00', 'Above 5 3 6.00 18.00', 'Amount due USD 63.00'])
      expect(sheet).toContain(text);
    expect(sheet).not.toContain('6.625');
  });

  story('has a credit note beside it that says where the money goes', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(plan('pro', '100'));
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
      const { invoice, invoice_items } = await invoiceOf(acme, '2025-01-01');
      const items = [{ invoice_item_id: invoice_items[0].id, amount: '30.00' }];
      const note = await acme.vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'wallet', notes: 'As agreed.' });
      const [sheet = ''] = await sheetsOf(await downloadPdf(keyOf(acme), `/v1/c/invoice/${invoice.id}/credit_note/${note}/pdf`));
      for (const part of [
        'Credit note',
        `For invoice ${invoice.invoice_number.number}`,
        'Credit of USD 30.00 USD 30.00 moved to your wallet',
        'As agreed.',
      ]) {
        expect(sheet).toContain(part);
      }
    });
  });

  story('has a credit note beside it that says of a reverse charge what it says', async ({ on, vendor }) => {
    const buyer = vendor.customer('Société', { addresses: { main: france }, tax_details: { vat_id: 'FR83404833048' } });
    await vendor.setsTaxes({ rates: [{ country: 'FR', rate: '0.20' }], policy: 'tax_excluded', seller });
    await on('2025-01-01', async () => {
      await buyer.signs(plan('pro', '100', { currency: 'eur' }));
      const { invoice, invoice_items } = await invoiceOf(buyer, '2025-01-01');
      const items = [{ invoice_item_id: invoice_items[0].id, amount: '30.00' }];
      const note = await vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'wallet' });
      const [sheet = ''] = await sheetsOf(await downloadPdf(keyOf(buyer), `/v1/c/invoice/${invoice.id}/credit_note/${note}/pdf`));
      expect(sheet).toContain('Reverse charge: the tax is owed by the recipient of the service');
    });
  });
});
