import { planBody, signedContract } from '../api/support.ts';
import type { AnyJson } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/runs.ts';
import type { TestVendor } from '../support/vendor.ts';
import { booksOf, expectSettled, repeatingVendor, tally, usageOf } from './books.ts';

const ROUNDS = Array.from({ length: rounds(2, 20) }, (_, round) => round);
const unitsTo = (seats: number) => ({
  upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: String(seats) } },
});

let vendor: TestVendor;
beforeAll(async () => {
  vendor = await repeatingVendor();
});

const many = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

describe.each(ROUNDS)('at the same moment (round %i)', (round) => {
  it('100 upgrades of one contract: one 200, 99 conflicts, one live contract', async () => {
    const { contractId, customerId } = await signedContract(vendor);
    const answers = await many(100, (i) => vendor.api.post(`/v1/c/contract/${contractId}/upgrade`, unitsTo(6 + ((i + round) % 40))));
    expectSettled(answers);
    expect(tally(answers)['200']).toBe(1);
    const { live, contracts, invoices } = await booksOf(vendor.api, customerId);
    // the cycle's and the change's; usage goes on in the new contract
    expect([live.length, contracts.length, invoices.length]).toEqual([1, 2, 2]);
    expect(answers.find(({ status }) => status === 200)?.body).toBe(live[0].id);
  });

  it('one change under one Idempotency-Key, 50 times: one new contract, the same id in every success', async () => {
    const { contractId, customerId } = await signedContract(vendor);
    const headers = { 'idempotency-key': `storm-${round}-${contractId}` };
    const answers = await many(50, () => vendor.api.post(`/v1/c/contract/${contractId}/upgrade`, unitsTo(9), headers));
    expectSettled(answers);
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body)).size).toBe(1);
    expect((await booksOf(vendor.api, customerId)).contracts).toHaveLength(2);
  });

  it('20 upgrades against 20 cancellations: the chain ends as its last words say, lines add up', async () => {
    const { contractId, customerId } = await signedContract(vendor);
    const answers = await many(40, (i) =>
      (i + round) % 2 === 0
        ? vendor.api.post(`/v1/c/contract/${contractId}/upgrade`, unitsTo(7 + i))
        : vendor.api.post(`/v1/c/contract/${contractId}/cancel`, { when: { type: 'now' }, credit: true }),
    );
    expectSettled(answers);
    const upgraded = answers.some(({ status, body }) => status === 200 && body !== contractId && String(body).startsWith('Cont_'));
    const { live, contracts } = await booksOf(vendor.api, customerId);
    expect(live.length).toBeLessThanOrEqual(1);
    expect(contracts.length).toBe(upgraded ? 2 : 1);
    expect(contracts.find(({ id }) => id === contractId)?.status).toBe(upgraded ? 'moved' : 'canceled');
  });

  it('30 on-demand charges: as many lines as successes', async () => {
    const { contractId, customerId } = await signedContract(vendor);
    const answers = await many(30, () => vendor.api.post(`/v1/c/contract/${contractId}/charge`, { feature_slug: 'report' }));
    expectSettled(answers);
    const { invoices } = await booksOf(vendor.api, customerId);
    const lines = invoices.flatMap(({ invoice_items }) => invoice_items).filter(({ name }) => name.includes('Report'));
    expect(lines).toHaveLength(answers.filter(({ status }) => status < 300).length);
  });

  it('120 usage events against an upgrade: each event in exactly one contract', async () => {
    const { contractId, customerId } = await signedContract(vendor);
    const report = () => vendor.api.post('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '1' });
    const events = many(120, report);
    const upgrade = await vendor.api.post(`/v1/c/contract/${contractId}/upgrade`, unitsTo(8));
    expect(upgrade.status).toBe(200);
    const answers = await events;
    expectSettled(answers);
    const accepted = answers.filter(({ status }) => status === 200).length;
    const { closed, open } = await usageOf(vendor.api, customerId, 'calls');
    expect(Number(closed) + Number(open)).toBe(accepted);
    const { hits } = await vendor.api.read(`/v1/c/usage?customer=${customerId}&limit=100`);
    expect(hits.length).toBe(Math.min(100, accepted));
  });

  it('freeze and activate against upgrades: 200 or 409, one live contract', async () => {
    const { contractId, customerId } = await signedContract(vendor);
    const answers = await many(30, (i) => {
      if (i % 3 === 0) return vendor.api.post(`/v1/c/customer/${customerId}/inactivate`, { notes: 'pause' });
      if (i % 3 === 1) return vendor.api.post(`/v1/c/customer/${customerId}/activate`, {});
      return vendor.api.post(`/v1/c/contract/${contractId}/upgrade`, unitsTo(6 + i));
    });
    expectSettled(answers);
    await vendor.api.made(`/v1/c/customer/${customerId}/activate`, {});
    const { live } = await booksOf(vendor.api, customerId);
    expect(live).toHaveLength(1);
    expect(live[0].status).toBe('active');
  });

  it('a clock that moves two months against changes on it: 200 or 409, then one live contract with every period billed once', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const { contractId, customerId } = await signedContract(vendor, { test_clock: clock.id });
    const moving = clock.advanceTo('2025-03-01T00:00:00Z');
    const answers = await many(20, (i) => vendor.api.post(`/v1/c/contract/${contractId}/upgrade`, unitsTo(6 + i + round)));
    expectSettled(answers);
    await moving;
    const { live, invoices } = await booksOf(vendor.api, customerId);
    expect(live).toHaveLength(1);
    const whole = invoices.filter(({ invoice_items }) =>
      invoice_items.some(({ name, subtotal }: { name: string; subtotal: string }) => name.startsWith('plan-') && subtotal === '29.00'),
    );
    expect(whole.map(({ invoice }) => invoice.date.slice(0, 10))).toEqual(['2025-01-01', '2025-02-01', '2025-03-01']);
  });

  it('usage of 10 January against changes of units on the 20th and the closing of the period by hand: in the one sum or refused', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const { contractId, customerId } = await signedContract(vendor, {
      test_clock: clock.id,
      configuration: { usage_period_closing_policy: 'manual' },
    });
    await clock.advanceTo('2025-01-20T00:00:00Z');
    const event = { customer_id: customerId, feature_slug: 'calls', units: '7', timestamp: '2025-01-10T00:00:00Z' };
    const events = many(80, (i) => vendor.api.post('/v1/c/usage', i % 20 === 9 ? { ...event, units: '0', is_absolute: true } : event));
    let last = contractId;
    // on a slow machine a change may find its contract locked for a second: its caller asks again
    for (const seats of [8, 9, 10]) last = await eventually(() => vendor.api.made(`/v1/c/contract/${last}/upgrade`, unitsTo(seats)));
    await eventually(() => vendor.api.made(`/v1/c/contract/${last}/usage_period/1/close`, {}));
    const answers = await events;
    expectSettled(answers);
    const { hits } = await vendor.api.read(`/v1/c/usage?customer=${customerId}&limit=100`);
    expect(hits).toHaveLength(answers.filter(({ status }) => status === 200).length);
    const counted = hits
      .filter(({ discarded }: AnyJson) => !discarded)
      .reduce((units: number, one: AnyJson) => units + Number(one.units), 0);
    const { closed, open } = await usageOf(vendor.api, customerId, 'calls');
    expect({ closed, open }).toEqual({ closed: String(counted), open: '0' });
    const { invoices } = await booksOf(vendor.api, customerId);
    const lines = invoices.flatMap(({ invoice_items }) => invoice_items).filter(({ name }) => name.includes('Calls'));
    expect(lines.map(({ unit_count }) => Number(unit_count))).toEqual([Math.ceil(counted / 100) * 100]);
  });

  it('usage against the closing of its period by hand: in the sum or refused', async () => {
    const planId = await vendor.api.made('/v1/c/plan', planBody(`closing-${round}-${Math.random().toString(36).slice(2)}`));
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const customerId = await vendor.api.made('/v1/c/customer', { name: 'Late', test_clock: clock.id });
    const contractId = await vendor.api.made('/v1/c/contract', {
      customer: customerId,
      plan: planId,
      currency: 'usd',
      cycle: 'month',
      usage_period_closing_policy: 'manual',
    });
    await clock.advanceTo('2025-02-01T00:00:00Z');
    const event = { customer_id: customerId, feature_slug: 'calls', units: '1', timestamp: '2025-01-20T00:00:00Z' };
    const events = many(60, () => vendor.api.post('/v1/c/usage', event));
    const close = await vendor.api.post(`/v1/c/contract/${contractId}/usage_period/1/close`, {});
    expect(close.status).toBe(200);
    const answers = await events;
    expectSettled(answers);
    const accepted = answers.filter(({ status }) => status === 200).length;
    await eventually(async () => expect((await usageOf(vendor.api, customerId, 'calls')).closed).toBe(String(accepted)));
    const { invoices } = await booksOf(vendor.api, customerId);
    const line = invoices
      .flatMap(({ invoice_items }) => invoice_items)
      .filter(({ name }) => name.includes('Calls') && !name.includes('Unused'));
    const packs = Math.ceil(accepted / 100) * 100;
    // a period without usage makes no invoice of its own
    expect(line.map(({ unit_count }) => unit_count)).toEqual(packs === 0 ? [] : [String(packs)]);
  });
});
