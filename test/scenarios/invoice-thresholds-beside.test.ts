import { readChainSchedule } from '../../db/sql/contract/chain-schedule.ts';
import { scheduleOf } from '../../temporal/schedule.ts';
import { detailsText } from '../../workflows/contract/words.messages.ts';
import { changesBehindGate, statusOf, taken } from '../payments/gate-support.ts';
import { addsMethod, expectsSoundLedger } from '../payments/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { metered, type PriceSpec, plan, planOfFeatures, refused, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

// Early invoices beside what else may happen to an invoice, a contract and a customer.

const calls = (price: PriceSpec, slug = 'pro') => planOfFeatures(slug, { calls: { price } });
const at = (invoice_threshold: string | null) => ({ invoice_threshold });
const isWatched = async (acme: StoryCustomer): Promise<boolean | undefined> => {
  const id = await acme.id();
  const [row] = await withTestDatabase((db) => db.query<{ watched: boolean }>('select watched from customer where id = $1', [id]));
  return row?.watched;
};
/** What the workflow of a contract shows to operators. */
async function detailsOf(contract: string): Promise<string> {
  const row = await withTestDatabase((db) => readChainSchedule(db, contract, null));
  return row === null ? '' : detailsText(scheduleOf(row, { isLeft: false, bundle: 'tests', signals: 0 }));
}

describe('an early invoice', () => {
  const drafts = { ...at('100.00'), invoice_trigger: 'manual' } as const;

  story('that is voided charges nothing: the next part has its 110.00, and it isn’t invoiced again', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), drafts));
    await on('2025-06-10', () => acme.uses('calls', '110'));
    const [first = ''] = await acme.contract.makesInvoice();
    await acme.uses('calls', '120');
    await acme.contract.makesInvoice();
    await vendor.client.voidInvoice(first);
    await acme.uses('calls', '1');
    await acme.contract.makesInvoice();
    await acme.expectsInvoices('110.00', '120.00', '111.00');
    const [voided, , last] = await acme.invoices();
    expect(last?.invoice_items[0]?.description).toBe('231.00 so far, less 120.00 billed before');
    const named = { invoice_item_ids: [voided?.invoice_items[0]?.id ?? ''] };
    await refused(409, vendor.client.makeInvoices(named), 'invoice_state');
    await acme.uses('calls', '9');
    await on('2025-07-01', () => acme.contract.makesInvoice());
    await acme.expectsInvoices('110.00', '120.00', '111.00', '9.00');
    await expectsSoundLedger(vendor);
  });

  story('that is voided and invoiced again is charged once: the parts after it leave it out', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), drafts));
    await on('2025-06-10', () => acme.uses('calls', '110'));
    const [first = ''] = await acme.contract.makesInvoice();
    await acme.uses('calls', '120');
    await acme.contract.makesInvoice();
    await vendor.client.voidInvoice(first);
    const [voided] = await acme.invoices();
    await vendor.client.makeInvoices({ invoice_item_ids: [voided?.invoice_items[0]?.id ?? ''] });
    await acme.uses('calls', '100');
    await acme.uses('calls', '7');
    await on('2025-07-01', () => acme.contract.makesInvoice());
    const charged = (await acme.invoices()).filter(({ invoice }) => invoice.id !== first);
    expect(charged.flatMap(({ invoice_items }) => invoice_items.map(({ unit_count }) => unit_count)).sort()).toEqual([
      '100',
      '110',
      '120',
      '7',
    ]);
    await expectsSoundLedger(vendor);
  });

  story('of which a note gave back 50.00 of 120.00: the closing gives back at most 70.00', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), at('100.00')));
    const event = await on('2025-06-10', () => acme.uses('calls', '120'));
    await acme.pays();
    const [early] = await acme.invoices();
    const items = [{ invoice_item_id: early?.invoice_items[0]?.id ?? '', amount: '50.00' }];
    await vendor.client.createCreditNote(early?.invoice.id ?? '', { items, to: 'wallet' });
    await acme.discards(event);
    await on('2025-07-01', () => acme.expectsInvoices('120.00', '0.00'));
    await acme.expectsWallet('120.00');
    await expectsSoundLedger(vendor);
  });

  story('reads right where it is shown: it is dated when it came, says so far, and is explained', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), at('100.00')));
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await on('2025-06-20', () => acme.uses('calls', '130'));
    const [first, second] = await acme.invoices();
    const shown = [first, second].map((hit) => [hit?.invoice.date, ...(hit?.invoice_items ?? []).map(({ description }) => description)]);
    expect(shown).toEqual([
      ['2025-06-10T00:00:00.000Z', 'so far'],
      ['2025-06-20T00:00:00.000Z', '240.00 so far, less 110.00 billed before'],
    ]);
    expect(await acme.contract.usagePeriods()).toMatchObject([{ idx: 1, invoice_threshold: '100.00' }]);
    const explained = JSON.stringify(await vendor.api.read(`/v1/c/invoice/${second?.invoice.id}/explain`));
    expect(explained).toContain('2025-06-01T00:00:00.000Z');
    expect(explained).toContain('its usage has reached the invoice threshold');
    expect(explained).toContain(`Less 110.00, which the item ${first?.invoice_items[0]?.id} charged before.`);
  });

  story('is collected like any other, and its decline is retried on its own', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(calls(metered('1')), { ...at('100.00'), automatic_payment: true });
    });
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await vendor.clock.advanceTo('2025-06-10T12:00:00Z');
    await acme.expectsUnpaid('110.00');
    await addsMethod(acme, 'sandbox_ok');
    await acme.uses('calls', '100');
    await vendor.clock.advanceTo('2025-06-14T00:00:00Z');
    await acme.expectsUnpaid('0.00');
    expect((await taken(acme)).toSorted()).toEqual(['100.00', '110.00']);
    await expectsSoundLedger(vendor);
  });
});

describe('beside an early invoice', () => {
  story('a payment gate holds it back: usage that the gate is paid for isn’t invoiced twice', async ({ on, acme, vendor }) => {
    const big = plan('big', '180', { features: { calls: { price: metered('1') } } });
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(calls(metered('1'), 'few'), at('100.00'));
    });
    await on('2025-06-10', () => acme.uses('calls', '60'));
    await on('2025-06-16', () => addsMethod(acme, 'sandbox_slow'));
    const gated = (await changesBehindGate(acme, big, { hours: 72 })).body;
    await acme.uses('calls', '70');
    await acme.expectsInvoices();
    await addsMethod(acme, 'sandbox_ok');
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    expect(await statusOf(acme, gated)).toBe('active');
    acme.contract.id = gated;
    await vendor.clock.advanceTo('2025-07-01T00:00:00Z');
    const lines = (await acme.invoices()).flatMap(({ invoice_items }) => invoice_items).filter(({ name }) => name.includes('Calls'));
    expect(lines.reduce((units, { unit_count }) => units + Number(unit_count), 0)).toBe(130);
    await expectsSoundLedger(vendor);
  });

  story('a period that is closed by hand: late usage makes parts, and the closing charges the rest', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), { ...at('100.00'), usage_period_closing_policy: 'manual' }));
    await on('2025-06-30', () => acme.uses('calls', '90'));
    await on('2025-07-05', () => acme.uses('calls', '20', '2025-06-30'));
    await acme.expectsInvoices('2025-07-05 110.00');
    await acme.uses('calls', '4', '2025-06-30');
    await on('2025-07-06', () => acme.contract.closesUsage(1));
    await acme.expectsInvoices('2025-07-05 110.00', '2025-07-06 4.00');
  });

  story('trigger and closing by hand together: parts wait, each is invoiced once', async ({ on, acme }) => {
    const byHand = { invoice_trigger: 'manual', usage_period_closing_policy: 'manual' } as const;
    await on('2025-06-01', () => acme.signs(calls(metered('1')), { ...at('100.00'), ...byHand }));
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await on('2025-07-05', () => acme.uses('calls', '120', '2025-06-30'));
    await acme.expectsInvoices();
    await acme.contract.makesInvoice();
    await acme.expectsInvoices('230.00');
    await acme.uses('calls', '5', '2025-06-30');
    await acme.contract.closesUsage(1);
    await acme.contract.makesInvoice();
    await acme.expectsInvoices('230.00', '5.00');
  });

  story('the contract expires: its usage closes with the rest, or by hand later, still in parts', async ({ on, acme }) => {
    const term = { ...at('100.00'), expiration: '2025-06-21T00:00:00Z' };
    await on('2025-06-01', () => acme.signs(calls(metered('1')), term));
    await on('2025-06-10', () => acme.uses('calls', '110'));
    await on('2025-06-12', () => acme.uses('calls', '40'));
    await on('2025-06-21', () => acme.expectsInvoices('2025-06-10 110.00', '2025-06-21 40.00'));
  });

  story('the contract has expired and its usage is closed by hand: late usage still makes parts', async ({ on, acme }) => {
    const term = { ...at('100.00'), expiration: '2025-06-21T00:00:00Z', usage_period_closing_policy: 'manual' } as const;
    await on('2025-06-01', () => acme.signs(calls(metered('1')), term));
    await on('2025-06-10', () => acme.uses('calls', '60'));
    await on('2025-06-22', () => acme.uses('calls', '50', '2025-06-15'));
    await acme.expectsInvoices('2025-06-22 110.00');
    await acme.uses('calls', '3', '2025-06-15');
    await acme.contract.closesUsage(1);
    await acme.expectsInvoices('2025-06-22 110.00', '2025-06-22 3.00');
  });

  story('its workflow shows the threshold until the usage of its last period is closed', async ({ on, acme }) => {
    const closedByHand = { ...at('100.00'), usage_period_closing_policy: 'manual' } as const;
    await on('2025-06-01', () => acme.signs(calls(metered('1')), closedByHand));
    const contract = acme.contract.id;
    expect(await detailsOf(contract)).toContain('usage is invoiced each time it comes to the invoice threshold');
    await acme.uses('calls', '10');
    await acme.contract.cancels('now');
    expect(await detailsOf(contract)).toContain('**canceled**, period 1, usage is invoiced each time');
    await acme.contract.closesUsage(1);
    expect(await detailsOf(contract)).toMatch(/\*\*canceled\*\*, period 1\n/);
    await acme.signs(calls(metered('1'), 'next'), at(null));
    expect(await detailsOf(acme.contract.id)).not.toContain('threshold');
  });

  story('the last contract with a threshold ends: the customer is watched until its next usage, and no longer', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls(metered('1')), at('100.00')));
    const mails = planOfFeatures('mail', { mails: { price: metered('1') } });
    await acme.uses('calls', '10');
    expect(await isWatched(acme)).toBe(true);
    await acme.contract.cancels('now');
    await acme.signs(mails);
    await acme.uses('mails', '1');
    expect(await isWatched(acme)).toBe(false);
    await acme.uses('mails', '2');
    await acme.expectsUsed('mails', '3');
    await on('2025-06-02', () => acme.signs(calls(metered('1'), 'next'), at('100.00')));
    expect(await isWatched(acme)).toBe(true);
    await acme.uses('calls', '100');
    await acme.expectsLines('2025-06-02', 'Calls 100.00');
  });
});
