import { dayOf, discount, metered, plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const calls = { calls: { price: metered('0.50') } };
const pro = plan('pro', '100', { features: calls, trialDays: 14 });
const basic = plan('basic', '40', { features: { calls: { price: metered('0.70') } } });

/** The next invoice as `date total, lines`, and those of the same instant. */
async function next({ contract, vendor }: StoryCustomer): Promise<string[]> {
  const { at, invoice, invoice_items, others } = await vendor.api.read(`/v1/c/contract/${contract.id}/upcoming_invoice`);
  const shown = [{ invoice, invoice_items }, ...others].filter((one) => one.invoice !== null);
  return shown.map((one) => {
    const lines = one.invoice_items.map(({ name, total_including_tax }: Record<string, string>) => `${name} ${total_including_tax}`);
    return `${dayOf(at)} ${one.invoice.total}: ${lines.join(', ')}`;
  });
}

describe('what is to come', () => {
  story('a trial, a discount, a freeze, a downgrade and a cancellation: each invoice is known before', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { discount: discount('half', 'percentage', '50', 1) }));
    expect(await next(acme)).toEqual(['2025-01-15 50.00: Pro 50.00']);

    await on('2025-01-20', () => acme.uses('calls', '6'));
    expect(await next(acme)).toEqual(['2025-02-15 103.00: Calls 3.00, Pro 100.00']);

    await on('2025-01-25', () => acme.freezes());
    expect(await next(acme)).toEqual([]);
    await on('2025-01-30', () => acme.unfreezes());
    expect(await next(acme)).toEqual(['2025-02-20 103.00: Calls 3.00, Pro 100.00']);

    await acme.changesTo(basic);
    expect(await next(acme)).toEqual(['2025-02-20 3.00: Calls 3.00', '2025-02-20 40.00: Basic 40.00']);

    await on('2025-02-20', () => acme.expectsInvoices('2025-01-15 50.00', '2025-02-20 3.00', '2025-02-20 40.00'));
    acme.contract.follows();
    await acme.cancels('end_of_cycle');
    await acme.uses('calls', '10');
    expect(await next(acme)).toEqual(['2025-03-20 7.00: Calls 7.00']);
    await on('2025-03-20', () => acme.contract.expectsStatus('canceled'));
    expect(await next(acme)).toEqual([]);
  });
});
