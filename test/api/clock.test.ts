import type { Api } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor, signedContract } from './support.ts';

describe('test clocks', () => {
  let vendor: TestVendor;
  let api: Api;
  beforeAll(async () => {
    vendor = await checkedVendor();
    api = vendor.api;
  });

  it('start at the given time, show what is due next, and bill month by month while they advance', async () => {
    const clock = await clockOf(vendor, '2025-01-31T00:00:00Z');
    expect(await api.read(`/v1/c/test_clock/${clock.id}`)).toEqual({
      id: clock.id,
      name: null,
      now: '2025-01-31T00:00:00.000Z',
      status: 'ready',
      reason: null,
      next_due: null,
    });
    const { contractId } = await signedContract(vendor, { test_clock: clock.id });
    expect((await api.read(`/v1/c/test_clock/${clock.id}`)).next_due).toBe('2025-02-28T00:00:00.000Z');
    await clock.advanceTo('2025-05-01T00:00:00Z');
    const { hits } = await api.read(`/v1/c/invoice?contract=${contractId}`);
    expect(hits.map((hit: { invoice: { date: string } }) => hit.invoice.date.slice(0, 10))).toEqual([
      '2025-01-31',
      '2025-02-28',
      '2025-03-31',
      '2025-04-30',
    ]);
    const past = (await api.read(`/v1/c/contract/${contractId}/timeline`)).past as { what: string; at: string }[];
    expect(past.filter(({ what }) => what === 'invoice_made').map(({ at }) => at.slice(0, 10))).toHaveLength(4);
  });

  it('list what happened at one instant in order: closing, next period, its invoice, and then what the caller did', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const { contractId } = await signedContract(vendor, { test_clock: clock.id });
    const path = `/v1/c/contract/${contractId}`;
    await clock.advanceTo('2025-02-01T00:00:00Z');
    await api.made(`${path}/cancel`, { when: { type: 'end_of_cycle' } });
    await api.made(`${path}/charge`, { feature_slug: 'report' });
    await api.made(`${path}/cancel_undo`);
    await api.made(`${path}/cancel`, { when: { type: 'now' } });
    type Entry = { at: string; what: string; data: { idx?: number; number?: string } };
    const past = (await api.read(`${path}/timeline`)).past as Entry[];
    const on = (day: string) =>
      past.filter(({ at }) => at.startsWith(day)).map(({ what, data }) => [what, data.idx ?? data.number].filter(Boolean).join(' '));
    expect(on('2025-01-01')).toEqual(['v1.contract.signature.completed', 'period_began 1', 'invoice_made 1']);
    expect(on('2025-02-01')).toEqual([
      'v1.usage_period.closed 1',
      'usage_closed 1',
      'period_began 2',
      'invoice_made 2',
      'cancel',
      'v1.contract.cancellation.scheduled',
      'invoice_made 3',
      'cancel_undo',
      'v1.contract.cancellation.undone',
      'cancel',
      'v1.contract.cancellation.completed',
      'v1.usage_period.closed 2',
      'usage_closed 2',
    ]);
  });

  it('never move back; an advance to the same instant is ready at once', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const path = `/v1/c/test_clock/${clock.id}/advance`;
    expect(await api.post(path, { now: '2024-12-31T00:00:00Z' })).toMatchObject({ status: 400 });
    expect(await api.post(path, { now: '2025-01-01T00:00:00Z' })).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  it('refuse writes to their customers and a second advance while they advance', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const { customerId } = await signedContract(vendor, { test_clock: clock.id });
    const path = `/v1/c/test_clock/${clock.id}/advance`;
    await api.made(path, { now: '2030-01-01T00:00:00Z' });
    const responses = [
      await api.post(path, { now: '2031-01-01T00:00:00Z' }),
      await api.post('/v1/c/customer', { id: customerId, name: 'x' }),
    ];
    for (const { status, body, headers } of responses) {
      // on a fast machine the advance of five years may have finished already
      if (status === 200) continue;
      expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'clock_advancing', '1']);
    }
  });
});

describe('a test clock that reaches an instant whose work fails', () => {
  it('stops there with the reason, and goes on with the next advance after a repair', async () => {
    const vendor = await checkedVendor();
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const customer = await vendor.api.made('/v1/c/customer', { name: 'Acme', test_clock: clock.id });
    const asked = { address: false, operation: 'add_method', provider: 'cardproc' };
    const { token } = (await vendor.api.post(`/v1/c/customer/${customer}/payment/session`, asked)).body;
    await withTestDatabase((db) =>
      db.query(`insert into sandbox_setup (reference, choice, confirmations) values ($1, 'no_such_method', 1)`, [token]),
    );
    await expect(clock.advanceTo('2025-02-01T00:00:00Z')).rejects.toThrow(
      `the clock stopped at 2025-01-02T00:00:00.000Z: session_expiry of ${token}: `,
    );
    await withTestDatabase((db) => db.query('delete from sandbox_setup where reference = $1', [token]));
    await clock.advanceTo('2025-02-01T00:00:00Z');
    expect((await vendor.api.read(`/v1/c/payment/session/${token}`)).status).toBe('expired');
  });
});

describe('the log of events', () => {
  it('lists what happened in order, numbered per object', async () => {
    const vendor = await checkedVendor();
    const { customerId, contractId } = await signedContract(vendor);
    await vendor.api.made('/v1/c/customer', { id: customerId, name: 'Renamed' });
    // the log waits for open transactions, so that a reader who goes on from here misses nothing
    const all = await eventually(async () => {
      const page = await vendor.api.read('/v1/c/event');
      expect([page.total, page.hits.length]).toEqual([4, 4]);
      return page;
    });
    expect(all.hits.map(({ type }: { type: string }) => type)).toEqual([
      'v1.customer.created',
      'v1.contract.signature.completed',
      'v1.invoice.created',
      'v1.customer.updated',
    ]);
    const own = await vendor.api.read(`/v1/c/event?object=${customerId}`);
    expect(own.hits.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2]);
    const after = await vendor.api.read(`/v1/c/event?after=${all.hits[1].id}&type=v1.customer.updated`);
    expect(after.hits).toMatchObject([{ object: customerId, data: { id: customerId } }]);
    expect((await vendor.api.read(`/v1/c/event?object=${contractId}`)).total).toBe(1);
  });
});
