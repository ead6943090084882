import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { printInvoice } from '../../../pdf/invoice.ts';
import type { InvoiceDocument } from '../../../services/document/read.ts';
import { contractLine, invoiceDocumentOf } from './documents.ts';

interface PdfText {
  text: string;
  x: number;
  y: number;
}

/** The texts of each page with their positions; `y` counts from the bottom. */
async function pagesOf(document: InvoiceDocument): Promise<PdfText[][]> {
  const pdf = await getDocument({ data: new Uint8Array(await printInvoice(document)), useSystemFonts: true, verbosity: 0 }).promise;
  const pages: PdfText[][] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(
      items.flatMap((item) =>
        'str' in item && item.str.trim() !== '' ? [{ text: item.str, x: item.transform[4], y: item.transform[5] }] : [],
      ),
    );
  }
  await pdf.destroy();
  return pages;
}

const tierSteps = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ step: 'charge', kind: 'tier', from: String(n), upTo: n === count - 1 ? null : String(n + 1) },
    ...{ units: '1', unitPrice: '2.00', amount: '2.00' },
  }));
const tiered = (count: number) =>
  contractLine({
    ...{ name: 'Seats', unitCount: String(count), unitPrice: '2.00', subtotal: `${count * 2}.00` },
    ...{ totalExcludingTax: `${count * 2}.00`, totalIncludingTax: `${count * 2}.00` },
    derivation: {
      type: 'charge',
      units: String(count),
      events: null,
      steps: tierSteps(count),
      ratio: { part: 1, whole: 1 },
      ratioUse: 'line',
      free: false,
    },
  });

describe('the pages of an invoice', () => {
  it('a line of 150 tiers fills several pages, each with the titles; the sum is on the page of the last tier', async () => {
    const pages = await pagesOf(invoiceDocumentOf([tiered(150)], { total: '300.00' }));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page.map(({ text }) => text)).toContain('Unit price');
    const tiers = pages.map((page) => page.filter(({ text }) => /^(Up to|Above) /.test(text)));
    expect(tiers.flat()).toHaveLength(150);
    expect(tiers.at(-1)?.length).toBeGreaterThan(0);
    expect(pages.at(-1)?.map(({ text }) => text)).toContain('USD 300.00');
  });

  it('no two texts of a column overlap, and none is below the footer', async () => {
    const lines = Array.from({ length: 30 }, (_, n) =>
      n % 3 === 0
        ? tiered(4)
        : contractLine({ name: `A feature with a name so long that it takes more than one line, number ${n}`, description: 'as agreed' }),
    );
    for (const page of await pagesOf(invoiceDocumentOf(lines, { total: '2000.00' }))) {
      const foot = Math.min(...page.map(({ y }) => y));
      for (const column of Map.groupBy(
        page.filter(({ y }) => y > foot),
        ({ x }) => Math.round(x),
      ).values()) {
        const heights = column.map(({ y }) => y).toSorted((a, b) => b - a);
        const gaps = heights.slice(1).map((y, index) => (heights[index] ?? 0) - y);
        expect(Math.min(...gaps, 99)).toBeGreaterThan(7);
      }
    }
  });

  it('amounts with their tax and before it say which they are where both stand on one invoice, and the title says neither', async () => {
    const line = (taxPolicy: 'tax_included' | 'tax_excluded', more: object = {}) =>
      contractLine({ ...{ name: taxPolicy, taxPolicy, taxRate: '0.19', taxAmount: '19.00', totalIncludingTax: '119.00' }, ...more });
    const textsOf = async (...lines: ReturnType<typeof line>[]) =>
      (await pagesOf(invoiceDocumentOf(lines))).flat().flatMap(({ text }) => (text.startsWith('Amount') ? [text] : []));
    const shown = (texts: string[]) => texts.filter((text) => !text.startsWith('Amount due'));
    const untaxed = line('tax_excluded', { taxRate: null, taxAmount: '0.00', totalIncludingTax: '100.00' });
    expect(shown(await textsOf(line('tax_included'), line('tax_excluded'), untaxed))).toEqual([
      'Amount',
      'Amount incl. tax',
      'Amount excl. tax',
    ]);
    expect(shown(await textsOf(line('tax_included'), untaxed))).toEqual(['Amount incl. tax']);
    expect(shown(await textsOf(line('tax_excluded'), untaxed))).toEqual(['Amount']);
  });
});
