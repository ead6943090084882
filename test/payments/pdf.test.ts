import { createHash } from 'node:crypto';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { servers } from '../support/servers.ts';
import { flat, plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { withDatabase } from '../support/vendor.ts';
import { addsMethod, expectsState, invoiceOf } from './support.ts';

const germany = { line_1: 'Königstraße 1', city: 'Stuttgart', zip: '70173', country: 'DE' };
const france = { line_1: '5 avenue Anatole France', line_2: 'étage 3', city: 'Paris', zip: '75007', country: 'FR' };
const seller = { name: 'Müller & Söhne GmbH', address: germany, vat_id: 'DE123456789' };

async function download(key: string, path: string): Promise<Buffer> {
  const { baseUrl } = await servers();
  const answer = await fetch(new URL(path, baseUrl), { headers: { 'wb-key': key } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await answer.arrayBuffer());
}

/** The text of each sheet, parts joined by blanks. */
async function textOf(pdf: Buffer): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(pdf), useSystemFonts: true, verbosity: 0 }).promise;
  const sheets: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    sheets.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replace(/\s+/g, ' '),
    );
  }
  await document.destroy();
  return sheets;
}

const keyOf = (customer: StoryCustomer): string => customer.vendor.apiKey;

describe('a printed invoice', () => {
  story('names both parties with their VAT ids, each line with its time, and the reverse charge', async ({ on, vendor }) => {
    const buyer = vendor.customer('Société Ξένος', { addresses: { main: france }, tax_details: { vat_id: 'FR83404833048' } });
    await vendor.setsTaxes({ rates: [{ country: 'FR', rate: '0.20' }], policy: 'tax_excluded', seller });
    await on('2025-01-31', () => buyer.signs(plan('pro', '1234.5', { currency: 'eur' })));
    const { invoice } = await invoiceOf(buyer, '2025-01-31');
    const path = `/v1/c/invoice/${invoice.id}/pdf`;
    const first = await download(keyOf(buyer), path);
    const [sheet = ''] = await textOf(first);
    for (const part of [
      ...['Invoice', 'Müller & Söhne GmbH', 'Königstraße 1', 'DE123456789', 'Société Ξένος', '75007 Paris', 'France', 'FR83404833048'],
      ...['31 January 2025', '31 Jan 2025 – 28 Feb 2025', 'Pro', '1,234.50', 'EUR 1,234.50', 'Reverse charge', 'Page 1 of 1'],
    ]) {
      expect(sheet).toContain(part);
    }
    await buyer.changesDetails({ name: 'Somebody else', addresses: { main: germany } });
    const again = await download(keyOf(buyer), path);
    expect(again.equals(first)).toBe(true);
    const [kept] = await withDatabase((db) => db.query('select sha256 from document where id = $1', [invoice.id]));
    expect(kept).toEqual({ sha256: createHash('sha256').update(first).digest('hex') });
  });

  story('goes over as many sheets as its lines need, with the titles on each and the total on the last', async ({ on, acme }) => {
    const features = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`feature-${index}`, { price: flat('1.00') }]));
    await on('2025-01-01', () => acme.signs(plan('big', '40', { currency: 'brl', features })));
    const { invoice } = await invoiceOf(acme, '2025-01-01');
    const sheets = await textOf(await download(keyOf(acme), `/v1/c/invoice/${invoice.id}/pdf`));
    expect(sheets.length).toBeGreaterThan(1);
    for (const [index, sheet] of sheets.entries()) expect(sheet).toContain(`Page ${index + 1} of ${sheets.length}`);
    for (const sheet of sheets.slice(0, -1)) expect(sheet).toContain('Unit price');
    expect(sheets.join(' ').match(/Feature-\d+/g)).toHaveLength(60);
    expect(sheets.at(-1)).toContain('BRL 100.00');
  });

  for (const currency of ['usd', 'eur', 'gbp', 'brl', 'ars'] as const) {
    story(`shows ${currency.toUpperCase()} 0.50 and a credit of half a period`, async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(plan('small', '0.50', { currency })));
      await on('2025-06-16', () => acme.changesTo(plan('large', '300', { currency })));
      const { invoice } = await invoiceOf(acme, '2025-06-16');
      const [sheet = ''] = await textOf(await download(keyOf(acme), `/v1/c/invoice/${invoice.id}/pdf`));
      expect(sheet).toContain('−0.25');
      expect(sheet).toContain('15 of 30 days');
      expect(sheet).toContain(`${currency.toUpperCase()} 149.75`);
    });
  }

  story('says once something is paid what was paid how, what was given back and what is left', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100')));
    const { invoice, invoice_items } = await invoiceOf(acme, '2025-01-01');
    const path = `/v1/c/invoice/${invoice.id}/pdf`;
    const print = async (): Promise<string> => (await textOf(await download(keyOf(acme), path))).join(' ');
    expect(await print()).not.toContain('Balance due');
    await on('2025-01-02', async () => {
      await acme.grants('30.00');
      const items = [{ invoice_item_id: invoice_items[0].id, amount: '20.00' }];
      await acme.vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'wallet' });
    });
    const part = await print();
    for (const text of [
      '2 January 2025 −30.00 Paid from your wallet',
      '2 January 2025 −20.00 Credit note 1 over USD 20.00',
      'Balance due USD 50.00',
    ]) {
      expect(part).toContain(text);
    }
    await on('2025-01-05', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    });
    const all = await print();
    for (const text of ['5 January 2025 −50.00 Paid by card', 'Balance due USD 0.00']) expect(all).toContain(text);
    const [kept] = await withDatabase((db) => db.query('select sha256 from document where id = $1', [invoice.id]));
    expect(kept).toEqual({ sha256: expect.any(String) });
  });

  story('has a credit note beside it that says where the money goes', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(plan('pro', '100'));
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
      const { invoice, invoice_items } = await invoiceOf(acme, '2025-01-01');
      const items = [{ invoice_item_id: invoice_items[0].id, amount: '30.00' }];
      const note = await acme.vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'wallet', notes: 'As agreed.' });
      const [sheet = ''] = await textOf(await download(keyOf(acme), `/v1/c/invoice/${invoice.id}/credit_note/${note}/pdf`));
      for (const part of ['Credit note', `For invoice ${invoice.invoice_number.number}`, 'USD 30.00 goes to your wallet.', 'As agreed.']) {
        expect(sheet).toContain(part);
      }
    });
  });
});
