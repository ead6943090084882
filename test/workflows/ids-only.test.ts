import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { heldOf } from '../support/histories.ts';
import { servers } from '../support/servers.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';
import { newVendor } from '../support/vendor.ts';

let temporal: Temporal;
beforeAll(async () => {
  temporal = temporalAt((await servers()).temporalAddress);
});
afterAll(() => temporal.close());

/** A word that is in everything that a person writes in this story. */
const WRITTEN = 'Zanzibar';

it('what people write, as the notes of a cancellation, stands in Postgres alone: histories hold ids', async () => {
  const { api, vendorId } = await newVendor();
  const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
  const plan = await api.made('/v1/c/plan', {
    slug: 'plain',
    internal_name: `${WRITTEN} plan`,
    strategy: 'plan',
    features: [],
    pricings: [{ currency: 'usd', cycle: 'month', price, features: {} }],
  });
  const address = { line_1: `${WRITTEN} Street 1`, city: WRITTEN, zip: '10115', country: 'DE' };
  const customer = await api.made('/v1/c/customer', {
    name: `Ada ${WRITTEN}`,
    emails: { main: `ada@${WRITTEN}.test` },
    addresses: { main: address },
    notes: `of ${WRITTEN}`,
    metadata: { city: WRITTEN },
  });
  await api.made(`/v1/c/customer/${customer}/activate`, { notes: `from ${WRITTEN}` });
  const session = await api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
  const contract = await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  const paid = await eventually(async () => {
    const [hit] = (await api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    expect(hit.invoice.status).toBe('paid');
    return hit;
  });
  const items = [{ invoice_item_id: paid.invoice_items[0].id, amount: '1.00' }];
  await api.made(`/v1/c/invoice/${paid.invoice.id}/credit_note`, { items, to: 'payment', notes: `sorry, ${WRITTEN}` });
  await api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount: '5.00', description: `for ${WRITTEN}` });
  await api.made(`/v1/c/customer/${customer}/inactivate`, { notes: `away to ${WRITTEN}` });
  await api.made(`/v1/c/customer/${customer}/activate`, { notes: `back from ${WRITTEN}` });
  await api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' }, notes: `moves to ${WRITTEN}` });

  const held = await eventually(async () => {
    const now = await heldOf(temporal, `PerennialVendor = "${vendorId}"`);
    expect([...now.keys()].map((id) => id.split(/[:_]/)[0]).sort()).toEqual(['Cont', 'customer', 'payment', 'refund']);
    // the contract's workflow has read the end, or began behind it: while callers are many, starts wait
    expect(now.get(contract)).toMatch(/cancellation\.completed|\*\*canceled\*\*/);
    return now;
  });
  for (const [id, text] of held) {
    expect(text).toContain(id.includes(':') ? (id.split(':')[1] ?? '') : id);
    expect(text).toContain(customer);
    expect([id, text.match(new RegExp(`.*${WRITTEN}.*`, 'i'))]).toEqual([id, null]);
  }
});
