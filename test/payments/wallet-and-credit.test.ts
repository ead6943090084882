import type { TestResponse } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { plan, refused, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { addsMethod, billingOf, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

const pro = plan('pro', '100');
const germany = { line_1: 'Hauptstr. 1', city: 'Berlin', zip: '10115', country: 'DE' as const };

async function credits(customer: StoryCustomer, at: string, to: 'wallet' | 'payment', amount?: string): Promise<string> {
  const { invoice, invoice_items } = await invoiceOf(customer, at);
  const items = [{ invoice_item_id: invoice_items[0].id, ...(amount === undefined ? {} : { amount }) }];
  return customer.vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to });
}

describe('the wallet', () => {
  story('pays its part first: 30.00 from the wallet, 70.00 by card', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.grants('30.00');
      await acme.signs(pro);
    });
    await expectsPayments(acme, '2025-01-01', '2025-01-01 wallet succeeded 30.00', '2025-01-01 succeeded 70.00');
    await acme.expectsWallet('0.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('pays the oldest first, in its own currency only: 120.00 usd against 100 usd, 100 usd and 50 eur', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro);
      await acme.signs(plan('euro', '50', { currency: 'eur' }));
    });
    await on('2025-02-01', () => acme.grants('120.00'));
    await acme.expectsUnpaid('80.00', 'usd');
    await acme.expectsUnpaid('100.00', 'eur');
    await acme.expectsWallet('0.00', 'usd');
    const { payment } = await billingOf(acme);
    expect(payment.unpaid_invoices_info.map((info: { currency: string }) => info.currency)).toEqual(['eur', 'usd']);
    expect(payment.next_payment_due).toBe('2025-01-01T00:00:00.000Z');
    await expectsSoundLedger(acme.vendor);
  });

  story('50 takings of 3.00 at once from 100.00: 33 succeed, 17 are refused, 1.00 stays', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.grants('100.00');
      const path = `/v1/c/customer/${await acme.id()}/wallet/transaction`;
      const take = async (): Promise<TestResponse> => {
        const answer = await acme.vendor.api.post(path, { currency: 'usd', amount: '-3.00', description: 'taken back' });
        // on a busy machine the last one waits longer than a caller is kept waiting: nothing was done
        return answer.body.code === 'unavailable' ? take() : answer;
      };
      const answers = await Promise.all(Array.from({ length: 50 }, take));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(33);
      expect(answers.filter(({ status, body }) => status === 409 && body.code === 'wallet_insufficient')).toHaveLength(17);
      await acme.expectsWallet('1.00');
    });
    await expectsSoundLedger(acme.vendor);
  });
});

describe('credit notes', () => {
  story(
    'take part in what a change gives back: 80.00 noted of 100.00, an upgrade at half of June gives back 20.00, not 50.00',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(pro));
      await credits(acme, '2025-06-01', 'wallet', '80.00');
      await on('2025-06-16', () => acme.contract.changesTo(plan('max', '300')));
      const { invoice_items } = await invoiceOf(acme, '2025-06-16');
      expect(invoice_items.map((item: { total_including_tax: string }) => item.total_including_tax).sort()).toEqual(['-20.00', '150.00']);
      await expectsSoundLedger(acme.vendor);
    },
  );

  story('after a payment: 30.00 to the wallet, at most 70.00 back to the card, nothing more', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(pro);
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
      expect(await credits(acme, '2025-01-01', 'wallet', '30.00')).toMatch(/^CNote_/);
      await acme.expectsWallet('30.00');
      await refused(400, credits(acme, '2025-01-01', 'payment', '70.01'));
      await credits(acme, '2025-01-01', 'payment', '70.00');
      await refused(400, credits(acme, '2025-01-01', 'wallet', '0.01'));
      const { credit_notes, invoice } = await invoiceOf(acme, '2025-01-01');
      expect(credit_notes.map(({ number, total, to }: Record<string, string>) => [number, total, to])).toEqual([
        ['1', '30.00', 'wallet'],
        ['2', '70.00', 'payment'],
      ]);
      expect(invoice.status).toBe('paid');
      await eventually(async () => {
        const [, back] = (await invoiceOf(acme, '2025-01-01')).credit_notes;
        expect(back).toMatchObject({
          reduced: '0.00',
          to_payment: '70.00',
          refunds: [{ amount: '70.00', status: 'succeeded', reason: null }],
        });
      });
    });
    await on('2025-02-01');
    await expectsPayments(acme, '2025-02-01', '2025-02-01 wallet succeeded 30.00', '2025-02-01 succeeded 70.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('L14: 99.00 of which the wallet paid 5.00: at most 94.00 go back to the method', async ({ on, vendor }) => {
    const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates: [{ country: 'DE', rate: '0.10' }], policy: 'tax_excluded' });
    await on('2025-01-01', async () => {
      await addsMethod(buyer, 'sandbox_ok');
      await buyer.grants('5.00');
      await buyer.signs(plan('ninety', '90'));
      await expectsPayments(buyer, '2025-01-01', '2025-01-01 wallet succeeded 5.00', '2025-01-01 succeeded 94.00');
      await refused(400, credits(buyer, '2025-01-01', 'payment', '94.01'));
      await credits(buyer, '2025-01-01', 'payment', '94.00');
      await credits(buyer, '2025-01-01', 'wallet');
      await buyer.expectsWallet('5.00');
    });
    await expectsSoundLedger(vendor);
  });

  story('of an unpaid invoice lowers what is left: 100.00, 60.00, nothing, and is no payment', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro);
      await credits(acme, '2025-01-01', 'wallet', '40.00');
      await expectsState(acme, '2025-01-01', 'ready_for_payment not_processed 60.00');
      await credits(acme, '2025-01-01', 'wallet');
      await expectsState(acme, '2025-01-01', 'paid not_processed 0.00');
      expect((await invoiceOf(acme, '2025-01-01')).detailed_invoice_status).toBe('canceled_unpaid_transaction');
      await acme.expectsWallet('0.00');
      await acme.expectsUnpaid('0.00');
    });
    await expectsSoundLedger(acme.vendor);
  });
});

describe('invoices made by hand', () => {
  story('wait for their validation, then are collected; a void one is owed by nobody', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(pro, { invoice_trigger: 'manual' });
      const [first = ''] = await acme.contract.makesInvoice();
      const { api } = acme.vendor;
      expect((await api.read(`/v1/c/invoice/${first}`)).detailed_invoice_status).toBe('pending_validation');
      await refused(409, api.made(`/v1/c/invoice/${first}/pay`, { method: 'manual' }), 'invoice_state');
      await refused(409, credits(acme, '2025-01-01', 'wallet'), 'invoice_state');
      await api.made(`/v1/c/invoice/${first}/validate`, {});
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
      await refused(409, api.made(`/v1/c/invoice/${first}/void`, {}), 'invoice_state');
    });
    await on('2025-02-01', async () => {
      const [second = ''] = await acme.contract.makesInvoice();
      const voided = await acme.vendor.api.made(`/v1/c/invoice/${second}/void`, {});
      expect(voided).toMatchObject({ detailed_invoice_status: 'voided', amount_due: '0.00' });
      expect(await acme.contract.makesInvoice()).toEqual([]);
      await refused(409, acme.vendor.api.made(`/v1/c/invoice/${second}/validate`, {}), 'invoice_state');
    });
    await expectsSoundLedger(acme.vendor);
  });
});
