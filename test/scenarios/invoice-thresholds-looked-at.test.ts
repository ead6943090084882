import { at } from '../../billing/calendar/instant.ts';
import { parkContract } from '../../services/contract/park.ts';
import { workflowsWrong } from '../model/workflows-check.ts';
import { changesBehindGate, statusOf } from '../payments/gate-support.ts';
import { addsMethod, expectsSoundLedger } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import { servers } from '../support/servers.ts';
import { metered, plan, planOfFeatures, type Scene, story } from '../support/story.ts';

// What held early invoices back has ended: usage that has come to the threshold is invoiced then, not with the next
// event.

const calls = planOfFeatures('few', { calls: { price: metered('1') } });
const at100 = { invoice_threshold: '100.00' };
const big = plan('big', '180', { features: { calls: { price: metered('1') } } });

/** Rows of the agenda that a contract's invoice threshold is looked at, by whether they are held. */
async function looksOf(contractId: string): Promise<boolean[]> {
  const read = "select held from agenda where contract_id = $1 and kind = 'usage_threshold'";
  const rows = await withTestDatabase((db) => db.query<{ held: boolean }>(read, [contractId]));
  return rows.map(({ held }) => held);
}

/** A gate that is open on 16 June, with usage behind it. */
async function has130BehindAGate({ on, acme }: Pick<Scene, 'on' | 'acme'>, more: AnyJson = {}): Promise<void> {
  await on('2025-06-01', async () => {
    await addsMethod(acme, 'sandbox_slow');
    await acme.signs(calls, { ...at100, ...more });
  });
  await on('2025-06-16');
  await changesBehindGate(acme, big, { hours: 72 });
  await acme.uses('calls', '130');
}

/** The same, and the gate is taken back: a look is planned. */
async function uses130BehindAGate({ on, acme }: Pick<Scene, 'on' | 'acme'>): Promise<void> {
  await has130BehindAGate({ on, acme });
  await acme.undoesTheChange();
}

/** Cancels, and compares what is invoiced from the end on with the estimate. */
async function cancelsAsEstimated(
  { on, acme }: Pick<Scene, 'on' | 'acme'>,
  type: 'now' | 'end_of_cycle',
  until: string,
): Promise<string[]> {
  const path = `/v1/c/contract/${acme.contract.id}/cancel`;
  const { at: end, invoices, usage, total } = await acme.vendor.api.made<AnyJson>(`${path}_estimate`, { when: { type } });
  await acme.vendor.api.made(path, { when: { type } });
  await on(until);
  const shown = (some: AnyJson[]): string[] => some.map(({ invoice }) => `${invoice.date.slice(0, 10)} ${invoice.total}`);
  expect(shown(invoices)).toEqual(shown((await acme.invoices()).filter(({ invoice }) => invoice.date >= end)));
  return [...shown(invoices), `usage ${usage}`, `total ${total}`];
}

describe('a threshold of 100.00 is looked at', () => {
  story('when a gate ends unpaid: 60 before and 70 in it are 130.00, once', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      await acme.signs(calls, at100);
    });
    await on('2025-06-10', () => acme.uses('calls', '60'));
    await on('2025-06-16');
    const gated = (await changesBehindGate(acme, big, { hours: 1 })).body;
    await acme.uses('calls', '70');
    await acme.expectsInvoices();
    const foreseen = await acme.contract.upcoming();
    expect([foreseen.at, foreseen.invoice?.total]).toEqual(['2025-06-16T01:00:00.000Z', '130.00']);
    await on('2025-06-20');
    expect(await statusOf(acme, gated)).toBe('canceled');
    expect((await acme.invoices()).map(({ invoice }) => invoice.total)).toEqual(['130.00']);
    await acme.uses('calls', '5');
    await on('2025-07-01');
    expect((await acme.invoices()).map(({ invoice }) => invoice.total)).toEqual(['130.00', '5.00']);
    await expectsSoundLedger(vendor);
  });

  story('when a gate is paid: the 120 calls since then are invoiced of the new contract', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      await acme.signs(calls, at100);
    });
    await on('2025-06-16');
    const gated = (await changesBehindGate(acme, big, { hours: 72 })).body;
    await vendor.clock.advanceTo('2025-06-16T00:01:00Z');
    await acme.uses('calls', '120');
    await vendor.clock.advanceTo('2025-06-18T00:00:00Z');
    expect(await statusOf(acme, gated)).toBe('active');
    const lines = (await acme.invoices()).flatMap(({ invoice_items }) => invoice_items).filter(({ name }) => name.includes('Calls'));
    expect(lines.map(({ unit_count }) => unit_count)).toEqual(['120']);
    await expectsSoundLedger(vendor);
  });

  story('although the contract is canceled for the cycle’s end between the end of the gate and the look', async ({ on, acme, vendor }) => {
    await uses130BehindAGate({ on, acme });
    await acme.cancels('end_of_cycle');
    await acme.expectsInvoices();
    await on('2025-06-17', () => acme.expectsInvoices('2025-06-16 130.00'));
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-16 130.00'));
    expect(await looksOf(acme.contract.id)).toEqual([]);
    await expectsSoundLedger(vendor);
  });

  story('in vain, when the contract was canceled in between: the look is gone, and so is the workflow', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(calls, at100);
    });
    await on('2025-06-16');
    const gated = (await changesBehindGate(acme, big)).body;
    await eventually(async () => expect(await statusOf(acme, gated)).toBe('active'));
    await vendor.api.made(`/v1/c/contract/${gated}/cancel`, { when: { type: 'now' } });
    expect(await looksOf(gated)).toEqual([false]);
    await on('2025-06-17');
    expect(await looksOf(gated)).toEqual([]);
    const at = await servers();
    await withTestDatabase((db) => eventually(async () => expect(await workflowsWrong(db, vendor.vendorId, at)).toEqual([])));
  });

  story('although the contract is parked between the end of the gate and the look, once it is resumed', async ({ on, acme, vendor }) => {
    await uses130BehindAGate({ on, acme });
    const { id } = acme.contract;
    expect(await looksOf(id)).toEqual([false]);
    await withTestDatabase((db) => db.transaction((tx) => parkContract(tx, id, 'for a test', at('2025-06-16'))));
    expect(await looksOf(id)).toEqual([true]);
    await acme.expectsInvoices();
    await vendor.client.resumeContract(id);
    expect(await looksOf(id)).toEqual([false]);
    await on('2025-06-17', () => acme.expectsInvoices('2025-06-16 130.00'));
    expect(await looksOf(id)).toEqual([]);
    await expectsSoundLedger(vendor);
  });

  story('when a freeze ends by itself: 70 before and 60 held in it are foreseen as 130.00', async ({ on, acme, vendor }) => {
    const holding = { ...calls, pauseRules: { usage: 'hold' as const } };
    await on('2025-06-01', () => acme.signs(holding, at100));
    await on('2025-06-10', () => acme.uses('calls', '70'));
    await acme.freezes({ resume_at: '2025-06-20T00:00:00.000Z' });
    await on('2025-06-15', () => acme.uses('calls', '60'));
    const foreseen = await acme.contract.upcoming();
    expect([foreseen.at, foreseen.invoice?.total]).toEqual(['2025-06-20T00:00:00.000Z', '130.00']);
    const visitor = await CustomerInPortal.enter(vendor, await acme.id());
    expect(await visitor.text('/portal')).toContain('USD 130.00');
    await on('2025-06-21', () => acme.expectsInvoices('2025-06-20 130.00'));
    await on('2025-07-11', () => acme.expectsInvoices('2025-06-20 130.00'));
    await expectsSoundLedger(vendor);
  });

  story('when a parked contract is resumed: 120.00 of usage that came meanwhile', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(calls, at100));
    await on('2025-06-10');
    const { id } = acme.contract;
    const park = "update contract set parked_reason = 'for a test' where id = $1";
    await withTestDatabase((db) => db.query(park, [id]));
    await acme.uses('calls', '120');
    await acme.expectsInvoices();
    await vendor.client.resumeContract(id);
    await acme.expectsInvoices('2025-06-10 120.00');
    await acme.uses('calls', '4');
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-10 120.00', '2025-07-01 4.00'));
    await expectsSoundLedger(vendor);
  });

  story('and the estimate of a cancellation knows it, where a gate has ended before', async ({ on, acme, vendor }) => {
    await uses130BehindAGate({ on, acme });
    expect(await cancelsAsEstimated({ on, acme }, 'end_of_cycle', '2025-07-03')).toEqual(['usage 0.00', 'total 0.00']);
    await acme.expectsInvoices('2025-06-16 130.00');
    await expectsSoundLedger(vendor);
  });

  story('and the estimate of a cancellation knows it, which ends the gate itself', async ({ on, acme, vendor }) => {
    await has130BehindAGate({ on, acme });
    expect(await cancelsAsEstimated({ on, acme }, 'end_of_cycle', '2025-07-03')).toEqual(['usage 0.00', 'total 0.00']);
    await acme.expectsInvoices('2025-06-16 130.00');
    await expectsSoundLedger(vendor);
  });

  story('and the estimate of a cancellation knows it, where usage closes a day later', async ({ on, acme, vendor }) => {
    await has130BehindAGate({ on, acme }, { usage_period_closing_policy: '1 day' });
    expect(await cancelsAsEstimated({ on, acme }, 'now', '2025-06-18')).toEqual(['2025-06-16 130.00', 'usage 130.00', 'total 130.00']);
    await expectsSoundLedger(vendor);
  });

  story('with the first event after a change, whose estimate is its own invoice: 90.00, and then 131.00', async ({ on, acme, vendor }) => {
    await uses130BehindAGate({ on, acme });
    await acme.changesTo(big);
    await on('2025-06-17', () => acme.expectsInvoices('2025-06-16 90.00'));
    await acme.uses('calls', '1');
    await acme.expectsInvoices('2025-06-16 90.00', '2025-06-17 131.00');
    await expectsSoundLedger(vendor);
  });
});
