import { exportedLines } from '../support/exported.ts';
import { readFigures } from '../support/figures.ts';
import { downloadPdf, sheetsOf } from '../support/pdf.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import { metered, plan, type Scene, story } from '../support/story.ts';

// Early invoices where somebody reads them: exports, reports, the portal and documents.

const pro = plan('pro', '30', { features: { calls: { price: metered('1') } } });

/** A plan of 30.00, and in June 110 and 130 calls that reach the threshold, and 4 more. */
async function june({ on, acme }: Pick<Scene, 'on' | 'acme'>): Promise<void> {
  await on('2025-06-01', () => acme.signs(pro, { invoice_threshold: '100.00' }));
  await on('2025-06-10', () => acme.uses('calls', '110'));
  await on('2025-06-20', () => acme.uses('calls', '130'));
  await acme.uses('calls', '4');
}

describe('early invoices', () => {
  story('in reports: June earns with a threshold what it earns without, MRR is 30.00, and each part is due', async (scene) => {
    const { on, vendor } = scene;
    const bob = vendor.customer('Bob');
    await on('2025-06-01', () => bob.signs(pro));
    await june(scene);
    await bob.uses('calls', '244');
    const figures = readFigures(vendor);
    expect(await figures.balances('2025-06-20')).toMatchObject({ 'receivable usd': '300.00', 'revenue usd': '-300.00' });
    expect(await figures.aging('2025-06-20')).toMatchObject([{ currency: 'usd', not_due: '130.00', d1_30: '170.00' }]);
    await on('2025-07-01');
    expect(await figures.balances('2025-07-01')).toMatchObject({ 'receivable usd': '608.00', 'revenue usd': '-608.00' });
    expect(await figures.moves()).toEqual(['2025-06-01 new 30.00', '2025-06-01 new 30.00']);
    expect(await figures.revenue('2025-06-01', '2025-08-01')).toEqual(['2025-06 300.00 548.00 -248.00', '2025-07 308.00 60.00 0.00']);
  });

  story('in an export: the lines of June are 110.00, 130.00 and 4.00, each with what was billed before', async (scene) => {
    await june(scene);
    await scene.on('2025-07-01');
    const lines = await exportedLines(scene.vendor.vendorId, 'invoice_item');
    const usage = lines.map(({ invoice_item }) => invoice_item).filter(({ name }) => name === 'Calls');
    expect(usage.map((line) => [line.unit_count, line.total_including_tax, line.description]).sort()).toEqual([
      ['110', '110.00', 'so far'],
      ['130', '130.00', '240.00 so far, less 110.00 billed before'],
      ['4', '4.00', '244.00, less 240.00 billed before'],
    ]);
    const invoices = await exportedLines(scene.vendor.vendorId, 'invoice');
    expect(invoices.map(({ invoice }) => invoice.total)).toEqual(['30.00', '110.00', '130.00', '34.00']);
  });

  story('in the portal: four invoices, the newest first, each part with its own due day', async (scene) => {
    await june(scene);
    await scene.on('2025-07-01');
    const visitor = await CustomerInPortal.enter(scene.vendor, await scene.acme.id());
    const text = await visitor.text('/portal/invoices');
    const listed = [...text.matchAll(/Invoice (\d) PDF (\d+ \w+) 2025 USD ([\d.]+)/g)].map(([, ...words]) => words.join(' '));
    expect(listed).toEqual(['4 1 Jul 34.00', '3 20 Jun 130.00', '2 10 Jun 110.00', '1 1 Jun 30.00']);
    expect(text).toContain('USD 130.00 Overdue since 20 Jun 2025');
  });

  story('on paper: the second part says 240.00 so far, less 110.00 billed before, and asks for 130.00', async (scene) => {
    await june(scene);
    const [hit] = await scene.acme.invoicesOf('2025-06-20');
    const [sheet = ''] = await sheetsOf(await downloadPdf(scene.vendor.apiKey, `/v1/c/invoice/${hit?.invoice.id}/pdf`));
    expect(sheet).toContain('240.00 so far, less 110.00 billed before');
    expect(sheet).toContain('Amount due USD 130.00 by 20 June 2025');
    expect(sheet).toContain('1 Jun 2025 – 20 Jun 2025');
  });
});
