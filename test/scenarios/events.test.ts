import { addsMethod, expectsState, invoiceOf } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { plan, story } from '../support/story.ts';
import type { StoryVendor } from '../support/story-vendor.ts';

const pro = plan('pro', '100');

/** All events of the vendor, once the log shows as many of a type as there have to be. */
async function eventsOf({ api }: StoryVendor, type: string, count: number): Promise<AnyJson[]> {
  return eventually(async () => {
    const { hits, total } = await api.read('/v1/c/event?limit=100');
    expect(total).toBeLessThanOrEqual(100);
    expect(hits.filter((event: AnyJson) => event.type === type)).toHaveLength(count);
    return hits;
  });
}

/** Each event of these types as "wallet.changed Wall 1": its type, the kind of its object, and its number there. */
const shown = (events: readonly AnyJson[], ...types: string[]): string[] =>
  events
    .filter(({ type }) => types.includes(type))
    .map(({ type, object, sequence }) => `${type.replace('v1.', '')} ${object.split('_')[0]} ${sequence}`);

describe('events', () => {
  story('of a method, a wallet, a credit note, its refund and a rollover: each once, with its object', async ({ on, acme, vendor }) => {
    const { api } = vendor;
    let method = '';
    await on('2025-01-01', async () => {
      method = await addsMethod(acme, 'sandbox_ok');
      await acme.signs(pro);
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
      const { invoice, invoice_items } = await invoiceOf(acme, '2025-01-01');
      const items = [{ invoice_item_id: invoice_items[0].id, amount: '10.00' }];
      await api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'payment' });
      await api.made(`/v1/c/customer/${await acme.id()}/wallet/transaction`, { currency: 'usd', amount: '30.00', description: 'sorry' });
    });
    await on('2025-02-01', async () => {
      await expectsState(acme, '2025-02-01', 'paid succeeded 0.00');
      await api.made(`/v1/c/customer/${await acme.id()}/payment/method/${method}/detach`);
      await api.made(`/v1/c/customer/${await acme.id()}/payment/method/${method}/detach`);
    });

    const events = await eventsOf(vendor, 'v1.payment_method.detached', 1);
    expect(shown(events, 'v1.payment_method.added', 'v1.payment_method.detached')).toEqual([
      'payment_method.added CPMet 1',
      'payment_method.detached CPMet 2',
    ]);
    expect(shown(events, 'v1.credit_note.created')).toEqual(['credit_note.created CNote 1']);
    expect(shown(events, 'v1.refund.created')).toEqual(['refund.created Inv 5']);
    expect(shown(events, 'v1.invoice.upcoming', 'v1.contract.renewed')).toEqual(['invoice.upcoming Cont 2', 'contract.renewed Cont 3']);
    const dataOf = (type: string): AnyJson[] => events.filter((event) => event.type === type).map(({ data }) => data);
    expect(dataOf('v1.wallet.changed')).toMatchObject([
      { currency: 'usd', balance: '30.00', transactions: [{ amount: '30.00', kind: 'grant' }] },
      { currency: 'usd', balance: '0.00', transactions: [{ amount: '-30.00', kind: 'payment' }] },
    ]);
    expect(dataOf('v1.contract.renewed')).toMatchObject([{ idx: 2, start: '2025-02-01T00:00:00.000Z', end: '2025-03-01T00:00:00.000Z' }]);
    expect(dataOf('v1.credit_note.created')).toMatchObject([{ customer_id: await acme.id(), total: '10.00', currency: 'usd' }]);
    expect(dataOf('v1.refund.created')).toMatchObject([{ amount: '10.00', currency: 'usd' }]);
    for (const [, some] of Map.groupBy(events, ({ object }) => object))
      expect(some.map(({ sequence }) => sequence)).toEqual(some.map((_, n) => n + 1));
  });
});
