import type { AnyJson } from '../support/api.ts';
import { plan, refused, story } from '../support/story.ts';
import { addsMethod, billingOf, confirms, expectsPayments, expectsState, methodsOf } from './support.ts';

const pro = plan('pro', '100');

describe('payment sessions and methods', () => {
  story('a first method becomes the default, a second one only when it replaces it', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const session = await confirms(acme, 'sandbox_ok');
      expect(session).toMatchObject({
        status: 'succeeded',
        operation: 'add_method',
        provider: 'cardproc',
        detach_previous_on_success: false,
      });
      const [first] = await methodsOf(acme);
      expect(first).toMatchObject({ method_type: 'card', provider: 'cardproc', status: 'active', preference: 'default' });
      await confirms(acme, 'sandbox_declined');
      expect((await methodsOf(acme)).map(({ preference }) => preference)).toEqual(['default', null]);
      await confirms(acme, 'sandbox_slow', { detach_previous_on_success: true });
      const left = await methodsOf(acme);
      expect(left.map(({ preference, details }) => [details.brand, preference])).toEqual([
        ['sandbox_declined', null],
        ['sandbox_slow', 'default'],
      ]);
      const gone = await acme.vendor.api.read(`/v1/c/customer/${await acme.id()}/payment/method/${first?.id}`);
      expect(gone.status).toBe('detached');
      expect((await billingOf(acme)).payment.payment_provider).toBe('cardproc');
    });
  });

  story('two open sessions that both succeed leave one default, and the loser of a replacement is detached', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const { api } = acme.vendor;
      const acmeId = await acme.id();
      const open = () =>
        api.made<{ token: string }>(`/v1/c/customer/${acmeId}/payment/session`, { provider: 'sandbox', detach_previous_on_success: true });
      const sessions = await Promise.all([open(), open()]);
      await Promise.all(sessions.map(({ token }) => api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' })));
      expect((await methodsOf(acme)).map(({ preference, status }) => [preference, status])).toEqual([['default', 'active']]);
    });
  });

  story('a second step: needs_action is pending after the first confirmation', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const session = await confirms(acme, 'sandbox_needs_action');
      expect(session.status).toBe('pending');
      expect(await methodsOf(acme)).toEqual([]);
      const { api } = acme.vendor;
      const again = await api.made<{ status: string }>(`/v1/c/payment/session/${session.token}/confirm`, {
        payment_method: 'sandbox_needs_action',
      });
      expect(again.status).toBe('succeeded');
      await refused(
        409,
        api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' }),
        'payment_session_state',
      );
      await refused(400, api.made(`/v1/c/payment/session/${(await confirmsNothing(acme)).token}/confirm`, { payment_method: 'visa' }));
    });
  });

  story('a session expires after 24 hours on the customer’s clock', async ({ on, acme }) => {
    let token = '';
    await on('2025-01-01', async () => {
      token = (await confirmsNothing(acme)).token;
    });
    await on('2025-01-01T23:59:59');
    expect((await acme.vendor.api.read(`/v1/c/payment/session/${token}`)).status).toBe('pending');
    await on('2025-01-02');
    expect((await acme.vendor.api.read(`/v1/c/payment/session/${token}`)).status).toBe('expired');
    await refused(409, acme.vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' }));
  });

  story('nothing pays by itself with none, manual or after a detach; a selected method tries what is overdue', async ({ on, acme }) => {
    let method = '';
    const selects = async (payment_method: string) =>
      acme.vendor.api.made(`/v1/c/customer/${await acme.id()}/payment/method_selection`, { payment_method });
    await on('2025-01-01', async () => {
      method = await addsMethod(acme, 'sandbox_ok');
      expect(await selects('none')).toEqual(['none']);
      await acme.signs(pro);
    });
    await on('2025-02-01', async () => {
      expect(await selects('manual')).toEqual(['manual']);
      await expectsState(acme, '2025-01-01', 'ready_for_payment not_processed 100.00');
      expect(await selects(method)).toEqual([method]);
      await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
      await expectsState(acme, '2025-02-01', 'paid succeeded 0.00');
      await acme.vendor.api.made(`/v1/c/customer/${await acme.id()}/payment/method/${method}/detach`, {});
      await refused(409, selects(method), 'payment_method_state');
    });
    await on('2025-03-01');
    await expectsState(acme, '2025-03-01', 'ready_for_payment not_processed 100.00');
    expect((await billingOf(acme)).payment.payment_provider).toBe('self_handled');
  });

  story('self_handled: nothing is collected by script, the vendor records 100.00', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro);
      const session = await acme.vendor.api.made(`/v1/c/customer/${await acme.id()}/payment/session`, { provider: 'self_handled' });
      expect(session).toMatchObject({ status: 'succeeded', setup_intent: null });
      const [hit] = await acme.invoicesOf('2025-01-01');
      const pay = (body: object) => acme.vendor.api.made<AnyJson>(`/v1/c/invoice/${hit?.invoice.id}/pay`, body);
      await refused(409, pay({}), 'payment_method_state');
      const paid = await pay({ method: 'manual', reference: 'wire 17' });
      expect(paid.invoice).toMatchObject({ status: 'paid', deposit_transaction_status: 'succeeded' });
      await refused(409, pay({ method: 'manual' }), 'invoice_state');
    });
    await expectsPayments(acme, '2025-01-01', '2025-01-01 manual succeeded 100.00');
  });

  story('a provider without keys is refused by name; the sandbox stands for the card processor', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      const { api } = acme.vendor;
      const path = `/v1/c/customer/${await acme.id()}/payment/session`;
      await refused(409, api.made(path, { provider: 'authorize' }), 'provider_not_configured');
      const key = { 'idempotency-key': 'session-1' };
      const session: AnyJson = await api.made(path, { provider: 'cardproc', operation: 'add_method', address: true }, key);
      expect(session).toMatchObject({ provider: 'cardproc', status: 'pending', address: true });
      expect(session.setup_intent.cardproc).toEqual({ client_secret: session.token, connected_account_id: 'sandbox', pk_key: 'sandbox' });
      expect(await api.post(path, { provider: 'cardproc', operation: 'add_method', address: true }, key)).toMatchObject({
        status: 409,
        body: { code: 'secret_already_shown' },
      });
      expect((await api.read(`/v1/c/payment/session/${session.token}`)).setup_intent.cardproc).toBeNull();
      await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
      expect((await billingOf(acme)).payment.payment_provider).toBe('cardproc');
    });
  });

  story('a temporary customer is charged once it is activated', async ({ on, vendor }) => {
    const guest = vendor.customer('Guest');
    await on('2025-01-01', async () => {
      const id: string = await vendor.api.made('/v1/c/customer', { name: 'Guest', test_clock: vendor.clock.id });
      Object.assign(guest, { id: async () => id });
      await addsMethod(guest, 'sandbox_ok');
      await guest.signs(pro);
    });
    await on('2025-01-05', async () => {
      await expectsState(guest, '2025-01-01', 'ready_for_payment not_processed 100.00');
      const [hit] = await guest.invoicesOf('2025-01-01');
      expect(hit?.detailed_invoice_status).toBe('customer_not_active');
      await guest.unfreezes();
    });
    await expectsPayments(guest, '2025-01-01', '2025-01-05 succeeded 100.00');
  });
});

async function confirmsNothing(customer: Parameters<typeof methodsOf>[0]) {
  return customer.vendor.api.made<{ token: string }>(`/v1/c/customer/${await customer.id()}/payment/session`, { provider: 'sandbox' });
}
