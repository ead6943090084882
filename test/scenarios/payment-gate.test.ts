import {
  changesBehindGate,
  estimatesBehindGate,
  eventsOf,
  listed,
  signsBehindGate,
  statusOf,
  taken,
  walletOf,
} from '../payments/gate-support.ts';
import { addsMethod, expectsSoundLedger, invoiceOf } from '../payments/support.ts';
import { eventually } from '../support/eventually.ts';
import { flat, perUnit, plan, refused, story } from '../support/story.ts';

const small = plan('small', '30');
const large = plan('large', '180');

describe('a change behind a payment gate', () => {
  story('that is declined leaves the plan whole: nothing owed, no number used', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_declined');
      const { status, body } = await changesBehindGate(acme, large);
      expect([status, body.code]).toEqual([402, 'payment_declined']);
      await acme.contract.expectsStatus('active');
      expect(await listed(acme)).toEqual(['active']);
      await acme.expectsInvoices('30.00');
      await acme.expectsUnpaid('0.00');
      expect(await taken(acme)).toEqual(['30.00']);
    });
    const other = vendor.customer('Other');
    await on('2025-06-17', () => other.signs(small));
    expect((await other.invoices()).map(({ invoice }) => invoice.invoice_number.number)).toEqual(['2']);
    await expectsSoundLedger(vendor);
  });

  story('that is paid costs what its estimate has shown, and is entitled from then on', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    await on('2025-06-16', async () => {
      const { awaiting_payment, estimate_token } = await estimatesBehindGate(acme, large);
      expect(awaiting_payment).toEqual({
        invoice_amount: '75.00',
        from_credits: '0.00',
        from_wallet: '0.00',
        to_pay: '75.00',
        expires: '2025-06-17T00:00:00.000Z',
      });
      const { status, body } = await changesBehindGate(acme, large, { token: estimate_token });
      expect(status).toBe(200);
      expect(await statusOf(acme, body)).toBe('active');
      await acme.contract.expectsStatus('moved');
      expect((await acme.mayUse()).contract?.contract_id).toBe(body);
      const { invoice, payments, amount_due } = await invoiceOf(acme, '2025-06-16');
      expect([invoice.total, invoice.status, amount_due, payments.length]).toEqual(['75.00', 'paid', '0.00', 1]);
      expect(await eventsOf(acme, invoice.id)).toEqual(['invoice.created', 'invoice.paid', 'payment.succeeded']);
      acme.contract.id = body;
    });
    await on('2025-07-01');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-16 75.00', '2025-07-01 180.00');
    await expectsSoundLedger(vendor);
  });

  story('waits for a slow payment with the price of its instant, and sends no event before', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    const waiting = await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      const { status, body } = await changesBehindGate(acme, large, { hours: 72 });
      expect(status).toBe(200);
      expect(await statusOf(acme, body)).toBe('scheduled, awaits 75.00 until 2025-06-19T00:00:00.000Z');
      expect(await statusOf(acme, acme.contract.id)).toBe('active');
      expect(await listed(acme)).toEqual(['active', 'scheduled']);
      await acme.expectsInvoices('30.00');
      expect((await acme.mayUse()).contract?.contract_id).toBe(acme.contract.id);
      await refused(409, vendor.api.made(`/v1/c/contract/${body}/upgrade`, await unitsOf(vendor)), 'awaiting_payment');
      await refused(409, vendor.api.made(`/v1/c/contract/${body}/upgrade_estimate`, await unitsOf(vendor)), 'awaiting_payment');
      await refused(409, vendor.api.made(`/v1/c/contract/${body}/activate`), 'awaiting_payment');
      const { next, past } = await vendor.api.read(`/v1/c/contract/${acme.contract.id}/timeline`);
      expect(next.map(({ what }: { what: string }) => what)).toContain('payment_gate');
      expect(past.map(({ what }: { what: string }) => what)).toContain('payment_gate_opened');
      expect(await eventsOf(acme, body)).toEqual([]);
      return body;
    });
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    expect(await statusOf(acme, waiting)).toBe('active');
    await acme.contract.expectsStatus('moved');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-16 75.00');
    await acme.expectsUnpaid('0.00');
    expect(await taken(acme)).toEqual(['30.00', '75.00']);
    await expectsSoundLedger(vendor);
  });

  story('is made although something is charged on demand while its payment is under way', async ({ on, acme, vendor }) => {
    const withHelp = plan('helped', '30', { features: { help: { price: perUnit('3'), trigger: 'on_demand' } } });
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(withHelp);
    });
    const waiting = await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      const { body } = await changesBehindGate(acme, large, { hours: 72 });
      await acme.contract.charges('help', '1');
      expect(await statusOf(acme, body)).toBe('scheduled, awaits 75.00 until 2025-06-19T00:00:00.000Z');
      return body;
    });
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    expect(await statusOf(acme, waiting)).toBe('active');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-16 3.00', '2025-06-16 75.00');
    expect(await walletOf(acme)).toBe('0.00, 0.00 held');
    await expectsSoundLedger(vendor);
  });

  story('is replaced or dropped as ever after a charge on demand', async ({ on, acme, vendor }) => {
    const withHelp = plan('helped', '30', { features: { help: { price: perUnit('3'), trigger: 'on_demand' } } });
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(withHelp);
    });
    await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      const gated = async () => {
        const { status, body } = await changesBehindGate(acme, large, { hours: 72 });
        expect({ status, body }).toEqual({ status: 200, body: expect.any(String) });
        await acme.contract.charges('help', '1');
        return body;
      };
      const first = await gated();
      const second = await gated();
      expect([await statusOf(acme, first), await statusOf(acme, second)]).toEqual([
        'canceled',
        expect.stringMatching(/^scheduled, awaits/),
      ]);
      await vendor.api.made(`/v1/c/contract/${acme.contract.id}/change_undo`);
      expect(await statusOf(acme, second)).toBe('canceled');
      const third = await gated();
      await acme.cancels('end_of_cycle');
      expect(await statusOf(acme, third)).toBe('canceled');
    });
    await expectsSoundLedger(vendor);
  });

  story('expires, and money that comes after that goes to the wallet', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    const waiting = await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      return (await changesBehindGate(acme, large, { hours: 12 })).body;
    });
    await on('2025-06-16 12:00');
    expect(await statusOf(acme, waiting)).toBe('canceled');
    expect(await listed(acme)).toEqual(['active']);
    await refused(409, vendor.api.made(`/v1/c/contract/${waiting}/cancel`, { when: { type: 'now' } }), 'contract_not_live');
    const path = `/v1/c/contract/${waiting}`;
    await refused(409, vendor.api.made(`${path}/cancel_estimate`, { when: { type: 'now' } }), 'contract_not_live');
    const units = { upgrade_strategy: 'change_unit_count', unit_count_configuration: {} };
    await refused(409, vendor.api.made(`${path}/upgrade_estimate`, { upgrade_configuration: units }), 'contract_not_live');
    expect(await walletOf(acme)).toBe('0.00, 0.00 held');
    await on('2025-06-17');
    await eventually(async () => expect(await walletOf(acme)).toBe('75.00, 0.00 held'));
    await acme.contract.expectsStatus('active');
    await acme.expectsInvoices('30.00');
    expect(await eventsOf(acme, waiting)).toEqual([]);
    await expectsSoundLedger(vendor);
  });

  story('holds the wallet’s money, which pays nothing else meanwhile', async ({ on, acme, vendor }) => {
    const fee = plan('fee', '30', { features: { setup: { price: flat('15'), trigger: 'on_demand' } } });
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(fee, { automatic_payment: false });
      await acme.pays();
    });
    const waiting = await on('2025-06-16', async () => {
      await acme.grants('20');
      await addsMethod(acme, 'sandbox_slow');
      const { body } = await changesBehindGate(acme, large, { hours: 48 });
      expect(await statusOf(acme, body)).toBe('scheduled, awaits 55.00 until 2025-06-18T00:00:00.000Z');
      expect(await walletOf(acme)).toBe('20.00, 20.00 held');
      await refused(409, acme.grants('-1'), 'wallet_insufficient');
      await acme.grants('5');
      expect(await walletOf(acme)).toBe('25.00, 20.00 held');
      return body;
    });
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    expect(await statusOf(acme, waiting)).toBe('active');
    expect(await walletOf(acme)).toBe('5.00, 0.00 held');
    const { invoice, payments, amount_due } = await invoiceOf(acme, '2025-06-16');
    expect([invoice.status, amount_due]).toEqual(['paid', '0.00']);
    expect(payments.map(({ amount }: { amount: string }) => amount).sort()).toEqual(['20.00', '55.00']);
    await expectsSoundLedger(vendor);
  });

  story('happens at once where the wallet pays all of it, or nothing is to be paid', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    await on('2025-06-16', async () => {
      await acme.grants('100');
      const { status, body } = await changesBehindGate(acme, large);
      expect([status, await statusOf(acme, body)]).toEqual([200, 'active']);
      expect(await walletOf(acme)).toBe('25.00, 0.00 held');
      acme.contract.id = body;
      const down = await changesBehindGate(acme, small);
      expect(await statusOf(acme, down.body)).toBe('scheduled');
    });
    expect(await taken(acme)).toEqual(['30.00']);
    await expectsSoundLedger(vendor);
  });

  story('is refused to a customer without a card, before anything is written', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(small));
    const { status, body } = await changesBehindGate(acme, large);
    expect([status, body.code]).toEqual([409, 'payment_method_state']);
    expect(await listed(acme)).toEqual(['active']);
  });

  story('is charged once where the provider does not answer, or answers twice', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_no_answer');
      await acme.signs(small, { automatic_payment: false });
      await acme.pays();
    });
    await on('2025-06-16', async () => {
      const { body } = await changesBehindGate(acme, large);
      await eventually(async () => expect(await statusOf(acme, body)).toBe('active'));
      acme.contract.id = body;
      await addsMethod(acme, 'sandbox_answers_twice');
      const more = await changesBehindGate(acme, plan('huge', '480'));
      await eventually(async () => expect(await statusOf(acme, more.body)).toBe('active'));
    });
    expect(await taken(acme)).toEqual(['75.00', '150.00']);
    expect(await walletOf(acme)).toBe('0.00, 0.00 held');
    await expectsSoundLedger(vendor);
  });

  story('is the same draft for a repeat under the same key', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      await acme.signs(small, { automatic_payment: false });
      await acme.pays();
    });
    await on('2025-06-16', async () => {
      const first = await changesBehindGate(acme, large, { key: 'once' });
      const again = await changesBehindGate(acme, large, { key: 'once' });
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(await listed(acme)).toEqual(['active', 'scheduled']);
    });
    await expectsSoundLedger(vendor);
  });
});

describe('one estimate', () => {
  story('leads to the same gate while that waits, and to a new one once a card was declined', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_declined');
      const { estimate_token: token } = await estimatesBehindGate(acme, large);
      expect((await changesBehindGate(acme, large, { token })).status).toBe(402);
      await addsMethod(acme, 'sandbox_slow');
      const first = await changesBehindGate(acme, large, { token });
      expect(await statusOf(acme, first.body)).toBe('scheduled, awaits 75.00 until 2025-06-17T00:00:00.000Z');
      const { estimate_token: other } = await estimatesBehindGate(acme, large);
      const second = await changesBehindGate(acme, large, { token: other });
      const again = await changesBehindGate(acme, large, { token: other });
      expect([second.status, again.status, again.body]).toEqual([200, 200, second.body]);
      expect(await statusOf(acme, first.body)).toBe('canceled');
      expect(await listed(acme)).toEqual(['active', 'scheduled']);
    });
    await expectsSoundLedger(vendor);
  });
});

describe('what ends a gate', () => {
  const slow = async (acme: Parameters<typeof changesBehindGate>[0], hours = 72): Promise<string> => {
    await addsMethod(acme, 'sandbox_slow');
    return (await changesBehindGate(acme, large, { hours })).body;
  };

  story('is the next cycle, a freeze, or a cancellation: the money goes to the wallet', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    const first = await on('2025-06-30 12:00', () => slow(acme));
    await addsMethod(acme, 'sandbox_ok');
    await on('2025-07-01');
    expect(await statusOf(acme, first)).toBe('canceled');
    await on('2025-07-01 12:00');
    await eventually(async () => expect(await walletOf(acme)).toBe('2.50, 0.00 held'));
    const second = await on('2025-07-02', () => slow(acme));
    expect(await walletOf(acme)).toBe('2.50, 2.50 held');
    await acme.freezes();
    expect(await statusOf(acme, second)).toBe('canceled');
    expect(await walletOf(acme)).toBe('2.50, 0.00 held');
    await acme.unfreezes();
    const third = await slow(acme);
    await acme.cancels('end_of_cycle');
    expect(await statusOf(acme, third)).toBe('canceled');
    await expectsSoundLedger(vendor);
  });

  story('is another change, change_undo of the old contract, or cancel of the new one', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    await on('2025-06-16', async () => {
      const first = await slow(acme);
      await acme.undoesTheChange();
      expect(await statusOf(acme, first)).toBe('canceled');
      const second = await slow(acme);
      await vendor.api.made(`/v1/c/contract/${second}/cancel`, { when: { type: 'now' } });
      expect(await statusOf(acme, second)).toBe('canceled');
      const third = await slow(acme);
      const fourth = (await changesBehindGate(acme, plan('huge', '480'))).body;
      expect(await statusOf(acme, third)).toBe('canceled');
      await acme.changesTo(plan('medium', '60'));
      expect(await statusOf(acme, fourth)).toBe('canceled');
      expect(await listed(acme)).toEqual(['moved', 'active']);
    });
    await expectsSoundLedger(vendor);
  });

  story('is no pending change: that is replaced when the gated one succeeds', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
      await acme.changesTo(plan('tiny', '10'));
    });
    const waiting = acme.contract.successor ?? '';
    const gated = await on('2025-06-16', () => slow(acme));
    await acme.contract.expectsStatus('scheduled', waiting);
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    expect([await statusOf(acme, gated), await statusOf(acme, waiting)]).toEqual(['active', 'canceled']);
    await expectsSoundLedger(vendor);
  });

  story('is another country of the customer, at once; another name is not', async ({ on, acme, vendor }) => {
    const address = { line_1: 'Hauptstr. 1', city: 'Wien', zip: '1010' };
    await on('2025-06-01', async () => {
      await vendor.setsTaxes({ rates: [{ country: 'AT', rate: '0.20' }], policy: 'tax_excluded' });
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    const gated = await on('2025-06-16', () => slow(acme));
    await acme.changesDetails({ name: 'Acme & Sons', configuration: { net_days: 10 } });
    expect(await statusOf(acme, gated)).toContain('scheduled');
    await acme.changesDetails({ addresses: { main: { ...address, country: 'AT' } } });
    expect(await statusOf(acme, gated)).toBe('canceled');
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    await eventually(async () => expect(await walletOf(acme)).toBe('75.00, 0.00 held'));
    await acme.contract.expectsStatus('active');
    await expectsSoundLedger(vendor);
  });

  story('is another setting of the customer, for a signing', async ({ on, acme, vendor }) => {
    const signing = await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_slow');
      return (await signsBehindGate(acme, large, { hours: 72 })).body;
    });
    await acme.changesDetails({ name: 'Acme & Sons' });
    expect(await statusOf(acme, signing)).toContain('pending');
    await acme.changesDetails({ configuration: { net_days: 10 } });
    expect(await statusOf(acme, signing)).toBe('canceled');
    expect(await listed(acme)).toEqual([]);
    await expectsSoundLedger(vendor);
  });

  story('is a new price in the catalogue: then the money goes to the wallet', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
    });
    const gated = await on('2025-06-16', () => slow(acme));
    await vendor.api.made(`/v1/c/plan/${await vendor.planId(large)}/archive`);
    await vendor.clock.advanceTo('2025-06-17T00:00:00Z');
    expect(await statusOf(acme, gated)).toBe('canceled');
    await eventually(async () => expect(await walletOf(acme)).toBe('75.00, 0.00 held'));
    await acme.contract.expectsStatus('active');
    await expectsSoundLedger(vendor);
  });
});

async function unitsOf(vendor: { planId(spec: typeof large): Promise<string> }) {
  return { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: await vendor.planId(large) } };
}
