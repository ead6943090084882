import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { metered, plan, planOfFeatures, refused, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { expectsSoundLedger, invoiceOf } from './support.ts';

const pro = plan('pro', '100');
const max = plan('max', '300');
const germany = { line_1: 'Hauptstr. 1', city: 'Berlin', zip: '10115', country: 'DE' as const };

/** A note on the item of that name of the invoice made at this instant; without an amount on all that is left of it. */
async function notes(customer: StoryCustomer, at: string, name: string, amount?: string): Promise<string> {
  const { invoice, invoice_items } = await invoiceOf(customer, at);
  const item = invoice_items.find((one: AnyJson) => one.name === name);
  const items = [{ invoice_item_id: item?.id, ...(amount === undefined ? {} : { amount }) }];
  return customer.vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'wallet' });
}

const notesOf = async (customer: StoryCustomer, at: string): Promise<string[]> =>
  (await invoiceOf(customer, at)).credit_notes.map(({ total }: AnyJson) => total);

describe('a line is given back once', () => {
  story('by a change in part, by notes to the rest: 50.00 of 100.00 are left, in two notes', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-16', async () => {
      await acme.changesTo(max);
      await acme.expectsLines('2025-06-16', 'Max 150.00', '-50.00');
      await refused(400, notes(acme, '2025-06-01', 'Pro', '100.00'));
      await refused(400, notes(acme, '2025-06-01', 'Pro', '50.01'));
      await notes(acme, '2025-06-01', 'Pro', '20.00');
      await refused(400, notes(acme, '2025-06-01', 'Pro', '30.01'));
      await notes(acme, '2025-06-01', 'Pro');
      await refused(400, notes(acme, '2025-06-01', 'Pro', '0.01'));
      expect(await notesOf(acme, '2025-06-01')).toEqual(['20.00', '30.00']);
    });
    await expectsSoundLedger(acme.vendor);
  });

  story('by notes, two changes and notes again: 119.00 of 100.00 and 19 % tax to the last cent', async ({ on, vendor }) => {
    const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates: [{ country: 'DE', rate: '0.19' }], policy: 'tax_excluded' });
    await on('2025-06-01', async () => {
      await buyer.signs(pro);
      await notes(buyer, '2025-06-01', 'Pro', '33.33');
    });
    await on('2025-06-11', () => buyer.changesTo(max));
    await on('2025-06-21', () => buyer.changesTo(plan('ultra', '900')));
    await on('2025-06-22', async () => {
      await notes(buyer, '2025-06-01', 'Pro', '0.01');
      await notes(buyer, '2025-06-01', 'Pro');
      await refused(400, notes(buyer, '2025-06-01', 'Pro'));
      await notes(buyer, '2025-06-11', 'Max');
    });
    // 20 of 30 days are given back: 66.67 and 12.67 of tax; 20 days were charged 200.00 and 38.00, of which 10 are
    // given back
    expect(await notesOf(buyer, '2025-06-01')).toEqual(['33.33', '0.01', '6.32']);
    expect(await notesOf(buyer, '2025-06-11')).toEqual(['119.00']);
    await expectsSoundLedger(vendor);
  });

  story('by a note after the surplus of a cancellation went to the wallet', async ({ on, acme }) => {
    await on('2025-06-01', async () => {
      await acme.signs(pro);
      await acme.pays();
    });
    await on('2025-06-16', async () => {
      await acme.cancels('now', { credit: true });
      await acme.expectsWallet('50.00');
      await refused(400, notes(acme, '2025-06-01', 'Pro', '50.01'));
      await notes(acme, '2025-06-01', 'Pro');
      await acme.expectsWallet('100.00');
    });
    await expectsSoundLedger(acme.vendor);
  });

  story('by a change or by a note at the same moment, whichever comes first', async ({ on, acme }) => {
    await on('2025-06-01', async () => {
      await acme.signs(pro);
      await notes(acme, '2025-06-01', 'Pro', '1.00');
    });
    await on('2025-06-16', async () => {
      const path = `/v1/c/contract/${acme.contract.id}/upgrade`;
      const plan_id = await acme.vendor.planId(max);
      const both = await withTestDatabase(async (db) => {
        let note: Promise<string> | undefined;
        let change: Promise<unknown> | undefined;
        await db.transaction(async (tx) => {
          // the note has looked at the invoice and waits for its number
          await tx.query(
            `select last from invoice_counter where series like 'credit-note:%' and vendor_id = (select vendor_id from customer where id = $1) for update`,
            [await acme.id()],
          );
          note = notes(acme, '2025-06-01', 'Pro', '99.00').catch(String);
          await eventually(async () => expect(await waitingFor(tx, db)).toBeGreaterThan(0));
          change = acme.vendor.api.post(path, { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id } });
          const settled = change.then(() => true);
          await eventually(async () => expect((await waitingFor(tx, db)) > 1 || (await Promise.race([settled, false]))).toBe(true));
        });
        return Promise.all([note, change]);
      });
      expect(both[1]).toMatchObject({ status: 200 });
    });
    await expectsSoundLedger(acme.vendor);
  });
});

describe('closed usage is given back once', () => {
  const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });

  story('by a correction, by a note to the rest: 10.00 charged, 6.00 corrected, 4.00 left', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls));
    const event = await on('2025-06-02', () => acme.uses('calls', '100'));
    await on('2025-07-02', () => acme.amends(event, '40'));
    await on('2025-08-01', async () => {
      await acme.expectsLines('2025-08-01', 'Calls 0.00', 'Correction: Calls -6.00', 'wallet 6.00');
      await refused(400, notes(acme, '2025-07-01', 'Calls', '4.01'));
      await notes(acme, '2025-07-01', 'Calls');
      await refused(400, notes(acme, '2025-07-01', 'Calls'));
    });
    await expectsSoundLedger(acme.vendor);
  });

  story('by a note, by a correction to the rest: 10.00 charged, 8.00 noted, nothing used after all gives 2.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls));
    const event = await on('2025-06-02', () => acme.uses('calls', '100'));
    await on('2025-07-02', async () => {
      await notes(acme, '2025-07-01', 'Calls', '8.00');
      await acme.discards(event);
    });
    await on('2025-08-01', () => acme.expectsLines('2025-08-01', 'Calls 0.00', 'Correction: Calls -2.00', 'wallet 2.00'));
    await expectsSoundLedger(acme.vendor);
  });
});

describe('a void invoice', () => {
  story('can’t be one whose lines a change has given back elsewhere; both together can', async ({ on, acme }) => {
    const { api } = acme.vendor;
    const [first = ''] = await on('2025-06-01', async () => {
      await acme.signs(pro, { invoice_trigger: 'manual' });
      return acme.contract.makesInvoice();
    });
    await on('2025-06-16', async () => {
      await acme.changesTo(max);
      await refused(409, api.made(`/v1/c/invoice/${first}/void`, {}), 'invoice_state');
      const [second = ''] = await acme.contract.makesInvoice();
      await refused(409, api.made(`/v1/c/invoice/${first}/void`, {}), 'invoice_state');
      await api.made(`/v1/c/invoice/${second}/void`, {});
      await api.made(`/v1/c/invoice/${first}/void`, {});
      await acme.expectsUnpaid('0.00');
    });
    await expectsSoundLedger(acme.vendor);
  });
});
