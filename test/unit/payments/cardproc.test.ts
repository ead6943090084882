import Stripe from 'stripe';
import type { Currency } from '../../../billing/money/currency.ts';
import { createCardproc } from '../../../payments/cardproc/cardproc.ts';
import { fromMinorUnits } from '../../../payments/cardproc/minor-units.ts';
import type { ProviderChargeRequest } from '../../../payments/port.ts';
import { OutcomeUnknown, ProviderUnavailable, WebhookRefused } from '../../../payments/problem.ts';
import { finishedSetup, ScriptedCardProcessor } from './scripted-card-processor.ts';
import { type ScriptedServer, scriptedServer } from './scripted-server.ts';

const WEBHOOK_SECRET = 'whsec_test';
const NOW = Date.parse('2025-01-01T00:00:00Z');

let processor: ScriptedCardProcessor;
let server: ScriptedServer;

beforeEach(async () => {
  processor = new ScriptedCardProcessor();
  server = await scriptedServer(processor.reply);
});
afterEach(() => server.close());

const provider = (secretKey = 'sk_test') =>
  createCardproc({ secretKey, publishableKey: 'pk_test', connectedAccount: 'acct_1', webhookSecret: WEBHOOK_SECRET, apiBase: server.base });

const charge = (reference: string, key = 'Pay_1'): ProviderChargeRequest => ({
  ...{ key, attemptId: key, subject: 'Inv_1', amount: '12.34', currency: 'eur', now: NOW },
  method: { reference, customerReference: 'cus_1' },
});

describe('the card processor', () => {
  it('makes the customer of a session that broke off once, and opens another session though its name has changed since', async () => {
    const request = { token: 'PSess_1', customerId: 'Cust_1', customerName: 'Ada', email: null, customerReference: null, address: false };
    for (const customerName of ['Ada', 'Ada', 'Ada Ltd']) await provider().createSetup({ ...request, customerName });
    const made = server.received.filter(({ path }) => path === '/v1/customers').map(({ headers }) => headers['idempotency-key']);
    expect(made[1]).toBe(made[0]);
    expect(made[2]).not.toBe(made[0]);
  });

  it('sets a method up with the client secret, the connected account and the publishable key', async () => {
    const request = { token: 'PSess_1', customerId: 'Cust_1', customerName: 'Ada', email: null, customerReference: null, address: false };
    expect(await provider().createSetup(request)).toEqual({
      ...{ reference: 'seti_1', customerReference: 'cus_1', clientSecret: 'seti_1_secret' },
      ...{ connectedAccountId: 'acct_1', publishableKey: 'pk_test' },
    });
    expect(server.received.map(({ path }) => path)).toEqual(['/v1/customers', '/v1/setup_intents']);
    expect(server.received[1]?.headers).toMatchObject({ 'stripe-account': 'acct_1', 'idempotency-key': 'setup.PSess_1' });
    expect(await provider().readSetup({ reference: 'seti_1', customerReference: 'cus_1' })).toEqual({
      status: 'succeeded',
      method: {
        ...{ reference: 'pm_ok', customerReference: 'cus_1', type: 'card', holderName: 'Ada Lovelace' },
        details: { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 },
      },
    });
  });

  it('sets a method up on its own page, and knows it is done from the processor, not from the address', async () => {
    const request = { token: 'PSess_1', customerId: 'Cust_1', customerName: 'Ada', email: null, customerReference: null, address: false };
    const hosted = { returnUrl: 'https://us.example/back', cancelUrl: 'https://us.example/no', currency: 'eur' as const };
    const setup = await provider().createSetup({ ...request, hosted });
    expect(setup).toMatchObject({ reference: 'cs_1', customerReference: 'cus_1', clientSecret: null });
    expect(setup.page).toEqual({ url: 'https://pay.example/c/cs_1', fields: null });
    const sent = server.received.find(({ path }) => path === '/v1/checkout/sessions');
    expect(Object.fromEntries(new URLSearchParams(sent?.body))).toMatchObject({
      ...{ mode: 'setup', customer: 'cus_1', currency: 'eur', 'metadata[payment_session]': 'PSess_1' },
      ...{ success_url: 'https://us.example/back', cancel_url: 'https://us.example/no' },
    });
    const read = () => provider().readSetup({ reference: 'cs_1', customerReference: 'cus_1' });
    expect(await read()).toEqual({ status: 'pending', reason: null });
    processor.checkout = { status: 'complete', setup_intent: finishedSetup };
    expect(await read()).toMatchObject({ status: 'succeeded', method: { reference: 'pm_ok', details: { last4: '4242' } } });
    processor.checkout = { status: 'expired', setup_intent: null };
    expect(await read()).toEqual({ status: 'failed', reason: 'expired' });
  });

  it('lets a customer who waits confirm at the bank: 12.34 is pending there, and failed where nobody waits', async () => {
    expect(await provider().charge(charge('pm_asks'))).toMatchObject({ status: 'failed', reason: 'authentication_required' });
    const asked = { ...charge('pm_asks', 'Pay_2'), returnUrl: 'https://us.example/back' };
    expect(await provider().charge(asked)).toEqual({
      ...{ status: 'pending', reference: 'pi_2', askAgainAt: NOW + 3_600_000, reason: 'needs_action' },
    });
    const [, sent] = server.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(sent).toMatchObject({ confirm: 'true', return_url: 'https://us.example/back' });
    expect(sent).not.toHaveProperty('off_session');
    const lookup = { key: 'Pay_2', reference: 'pi_2', method: asked.method, now: NOW };
    expect(await provider().lookup(lookup)).toMatchObject({ status: 'pending', reason: 'needs_action' });
    expect(await provider().secondStep?.pageOf(lookup)).toBe('https://bank.example/3ds');
    Object.assign(processor.intents[1] ?? {}, { status: 'succeeded', next_action: null });
    expect(await provider().secondStep?.pageOf(lookup)).toBeNull();
    expect(await provider().lookup(lookup)).toEqual({ status: 'succeeded', reference: 'pi_2' });
  });

  it('gives up a charge that nobody confirmed; one confirmed at the last moment has taken the money', async () => {
    const asked = { ...charge('pm_asks'), returnUrl: 'https://us.example/back' };
    const lookup = { key: 'Pay_1', reference: 'pi_1', method: asked.method, now: NOW };
    await provider().charge(asked);
    expect(await provider().secondStep?.giveUp(lookup)).toEqual({
      ...{ status: 'failed', reference: 'pi_1', reason: 'abandoned', retryable: true },
    });
    await provider().charge({ ...asked, key: 'Pay_2', attemptId: 'Pay_2' });
    processor.onCancel = (intent) => Object.assign(intent, { status: 'succeeded' });
    expect(await provider().secondStep?.giveUp({ ...lookup, key: 'Pay_2', reference: 'pi_2' })).toEqual({
      ...{ status: 'succeeded', reference: 'pi_2' },
    });
    expect(await provider().secondStep?.giveUp({ ...lookup, key: 'Pay_9', reference: null })).toBeNull();
  });

  it('charges 12.34 eur as 1234 cents, off session, under our key, once however often it is sent', async () => {
    expect(await provider().charge(charge('pm_ok'))).toEqual({ status: 'succeeded', reference: 'pi_1' });
    expect(await provider().charge(charge('pm_ok'))).toEqual({ status: 'succeeded', reference: 'pi_1' });
    expect(processor.intents).toHaveLength(1);
    const [request] = server.received;
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toMatchObject({
      ...{ amount: '1234', currency: 'eur', customer: 'cus_1', payment_method: 'pm_ok', confirm: 'true', off_session: 'true' },
      'metadata[attempt]': 'Pay_1',
    });
    expect(request?.headers['idempotency-key']).toBe('Pay_1');
  });

  it.each<[string, Currency, string]>([
    ['1200', 'jpy', '1200'],
    ['9.990', 'kwd', '9990'],
    ['5', 'isk', '500'],
    ['5000', 'ugx', '500000'],
    ['250.00', 'mga', '250'],
    ['99.95', 'huf', '9995'],
  ])('charges %s %s as %s, and reads it back the same', async (amount, currency, units) => {
    expect(await provider().charge({ ...charge('pm_ok'), amount, currency })).toMatchObject({ status: 'succeeded' });
    expect(Object.fromEntries(new URLSearchParams(server.received[0]?.body))).toMatchObject({ amount: units, currency });
    expect(fromMinorUnits(Number(units), currency)).toBe(amount);
  });

  it.each<[string, Currency, string]>([
    ['9.995', 'kwd', 'amount_not_chargeable'],
    ['250.20', 'mga', 'amount_not_chargeable'],
    ['90071992547410.00', 'usd', 'amount_not_chargeable'],
    ['1000', 'iqd', 'currency_not_supported'],
  ])('refuses %s %s for ever (%s) without asking the processor, as a charge and as a refund', async (amount, currency, reason) => {
    const refused = { status: 'failed', reason };
    expect(await provider().charge({ ...charge('pm_ok'), amount, currency })).toEqual({ ...refused, reference: null, retryable: false });
    expect(await provider().refund({ key: 'Ref_1', reference: 'pi_1', method: charge('pm_ok').method, amount, currency })).toEqual(refused);
    expect(server.received).toEqual([]);
  });

  it('tells a decline that may be tried again from one that can’t', async () => {
    expect(await provider().charge(charge('pm_declined'))).toEqual({
      ...{ status: 'failed', reference: 'pi_1', reason: 'insufficient_funds', retryable: true },
    });
    expect(await provider().charge(charge('pm_expired', 'Pay_2'))).toMatchObject({ reason: 'expired_card', retryable: false });
    expect(await provider().charge(charge('pm_sepa', 'Pay_3'))).toMatchObject({ status: 'pending', askAgainAt: NOW + 86_400_000 });
  });

  it('doesn’t know how a broken connection ended, finds the charge by our key, and charges no second time', async () => {
    processor.cuts = 2;
    await expect(provider().charge(charge('pm_ok'))).rejects.toThrow(OutcomeUnknown);
    const question = { key: 'Pay_1', reference: null, method: charge('pm_ok').method, now: NOW };
    expect(await provider().lookup(question)).toEqual({ status: 'succeeded', reference: 'pi_1' });
    expect(await provider().lookup({ ...question, key: 'Pay_2' })).toBeNull();
    expect(processor.intents).toHaveLength(1);
  });

  it.each(['requires_confirmation', 'requires_payment_method'])(
    'does not call a charge failed whose first call is still under way (%s), but ten minutes later',
    async (status) => {
      await provider().charge(charge('pm_ok'));
      const question = { key: 'Pay_1', reference: 'pi_1', method: charge('pm_ok').method, now: NOW };
      const began = (minutesAgo: number) =>
        Object.assign(processor.intents[0] ?? {}, { status, created: Math.floor(Date.now() / 1000) - minutesAgo * 60 });
      began(9);
      await expect(provider().lookup(question)).rejects.toThrow(OutcomeUnknown);
      await expect(provider().secondStep?.giveUp(question)).rejects.toThrow(OutcomeUnknown);
      began(10);
      expect(await provider().lookup(question)).toMatchObject({ status: 'failed', reference: 'pi_1' });
    },
  );

  it('asks once a day about a charge that its account doesn’t have: nobody knows what became of it', async () => {
    const question = { key: 'Pay_1', reference: 'pi_9', method: charge('pm_ok').method, now: NOW };
    const later = { status: 'pending', reference: null, askAgainAt: NOW + 86_400_000, reason: 'unknown_at_provider' };
    expect(await provider().lookup(question)).toEqual(later);
    expect(await provider().secondStep?.giveUp(question)).toEqual(later);
    expect(await provider().secondStep?.pageOf(question)).toBeNull();
  });

  it('knows that nothing happened when the key is refused', async () => {
    await expect(provider('sk_wrong').charge(charge('pm_ok'))).rejects.toThrow(ProviderUnavailable);
    expect(processor.intents).toHaveLength(0);
  });

  const refund = { key: 'Ref_1', reference: 'pi_1', method: charge('pm_ok').method, amount: '5.00', currency: 'eur' as const };

  it('finds a refund made long ago, whose key is forgotten: it is neither declined nor made twice', async () => {
    for (const key of ['Ref_0', 'Ref_1']) processor.refunds.push({ payment_intent: 'pi_1', amount: '500', 'metadata[refund]': key });
    expect(await provider().refund(refund)).toEqual({ status: 'succeeded', reference: 're_2' });
    expect(processor.refunds).toHaveLength(2);
    expect(await provider().refund({ ...refund, key: 'Ref_2' })).toEqual({ status: 'succeeded', reference: 're_3' });
  });

  it('refunds 5.00 as 500 cents under our key, and detaches', async () => {
    expect(await provider().refund(refund)).toEqual({ status: 'succeeded', reference: 're_1' });
    expect(processor.refunds).toEqual([{ payment_intent: 'pi_1', amount: '500', 'metadata[refund]': 'Ref_1' }]);
    await provider().detach({ reference: 'pm_ok', customerReference: 'cus_1' });
    expect(server.received.at(-1)?.path).toBe('/v1/payment_methods/pm_ok/detach');
  });

  it('detaches a method whose answer was lost: a second call finds it detached, and one that is unknown is gone', async () => {
    for (const reference of ['pm_ok', 'pm_ok', 'pm_unknown'])
      await expect(provider().detach({ reference, customerReference: 'cus_1' })).resolves.toBeUndefined();
    expect([...processor.detached]).toEqual(['pm_ok']);
  });

  it('passes on why a method that still belongs to its customer is not detached', async () => {
    await expect(provider().detach({ reference: 'pm_kept', customerReference: 'cus_1' })).rejects.toThrow('not to be detached');
  });
});

describe('its webhooks', () => {
  const created = Date.parse('2025-01-01T12:00:00Z') / 1000;
  const event = (type: string, object: object) => JSON.stringify({ id: 'evt_1', object: 'event', created, type, data: { object } });
  const signed = (payload: string, secret = WEBHOOK_SECRET) => {
    const signature = new Stripe('sk_test').webhooks.generateTestHeaderString({ payload, secret });
    return { body: Buffer.from(payload), header: (name: string) => (name === 'stripe-signature' ? signature : '') };
  };
  const intent = { id: 'pi_1', object: 'payment_intent', status: 'succeeded', metadata: { attempt: 'Pay_1' } };

  it('are refused without a valid signature over the exact bytes', async () => {
    const payload = event('payment_intent.succeeded', intent);
    await expect(provider().readWebhook(signed(payload, 'whsec_other'))).rejects.toThrow(WebhookRefused);
    await expect(provider().readWebhook({ ...signed(payload), body: Buffer.from(`${payload} `) })).rejects.toThrow(WebhookRefused);
  });

  it('are refused when they are dated more than 5 minutes ago or ahead: a signature kept for later opens nothing', async () => {
    const payload = event('payment_intent.succeeded', intent);
    const dated = (minutes: number) => {
      const timestamp = Math.floor(Date.now() / 1000) + minutes * 60;
      const signature = new Stripe('sk_test').webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, timestamp });
      return { body: Buffer.from(payload), header: () => signature };
    };
    for (const minutes of [-6, 6, 60 * 24 * 365]) await expect(provider().readWebhook(dated(minutes))).rejects.toThrow(WebhookRefused);
    for (const minutes of [-4, 4]) expect(await provider().readWebhook(dated(minutes))).toHaveLength(1);
  });

  it('say nothing of an inquiry, which takes no money, until it has become a dispute', async () => {
    const inquiry = { id: 'dp_1', payment_intent: 'pi_1', amount: 1234, currency: 'eur', reason: 'fraudulent' };
    const read = (type: string, status: string) => provider().readWebhook(signed(event(type, { ...inquiry, status })));
    expect(await read('charge.dispute.created', 'warning_needs_response')).toEqual([]);
    expect(await read('charge.dispute.updated', 'warning_under_review')).toEqual([]);
    expect(await read('charge.dispute.closed', 'warning_closed')).toEqual([]);
    expect(await read('charge.dispute.updated', 'needs_response')).toMatchObject([{ reference: 'dp_1', state: 'open', amount: '12.34' }]);
    expect(await read('charge.dispute.funds_withdrawn', 'under_review')).toMatchObject([{ reference: 'dp_1', state: 'open' }]);
    expect(await read('charge.dispute.closed', 'won')).toMatchObject([{ reference: 'dp_1', state: 'won' }]);
    expect(await read('charge.dispute.funds_reinstated', 'won')).toMatchObject([{ reference: 'dp_1', state: 'won' }]);
  });

  it('count a dispute that was prevented as lost where its money was withdrawn, and as nothing where none was', async () => {
    const dispute = { id: 'dp_1', payment_intent: 'pi_1', amount: 1234, currency: 'eur', reason: 'fraudulent', status: 'prevented' };
    const read = (balance_transactions: object[]) =>
      provider().readWebhook(signed(event('charge.dispute.created', { ...dispute, balance_transactions })));
    expect(await read([{ id: 'txn_1' }])).toMatchObject([{ reference: 'dp_1', state: 'lost', amount: '12.34' }]);
    expect(await read([])).toEqual([]);
  });

  it.each([
    ['refund.updated', 'pending', undefined, null],
    ['refund.updated', 'succeeded', undefined, null],
    ['refund.updated', 'failed', 'expired_or_canceled_card', 'expired_or_canceled_card'],
    ['refund.updated', 'canceled', undefined, 'canceled'],
    ['refund.failed', 'failed', undefined, 'failed'],
    ['charge.refund.updated', 'failed', 'unknown', 'unknown'],
    ['refund.created', 'failed', 'declined', 'declined'],
  ])('%s: a refund of ours that is %s (%s) has failed because of %s', async (type, status, failure_reason, failure) => {
    const refund = {
      id: 're_1',
      payment_intent: 'pi_1',
      amount: 500,
      currency: 'eur',
      metadata: { refund: 'Ref_1' },
      status,
      failure_reason,
    };
    expect(await provider().readWebhook(signed(event(type, refund)))).toMatchObject([{ type: 'refund', key: 'Ref_1', failure }]);
  });

  it('tell of charges, refunds, disputes and detached methods', async () => {
    const read = (type: string, object: object) => provider().readWebhook(signed(event(type, object)));
    expect(await read('payment_intent.succeeded', intent)).toEqual([
      { id: 'evt_1', type: 'charge', key: 'Pay_1', reference: 'pi_1', outcome: { status: 'succeeded', reference: 'pi_1' } },
    ]);
    const refund = { id: 're_1', payment_intent: 'pi_1', amount: 500, currency: 'eur', metadata: {}, status: 'succeeded' };
    const made = { chargeReference: 'pi_1', reference: 're_1', amount: '5.00', currency: 'eur', key: null, failure: null };
    expect(await read('refund.created', refund)).toEqual([{ id: 'evt_1', type: 'refund', at: created * 1000, ...made }]);
    const dispute = { id: 'dp_1', payment_intent: 'pi_1', amount: 1234, currency: 'eur', reason: 'fraudulent', status: 'needs_response' };
    expect(await read('charge.dispute.created', dispute)).toMatchObject([
      { type: 'dispute', at: created * 1000, state: 'open', amount: '12.34' },
    ]);
    expect(await read('charge.dispute.closed', { ...dispute, status: 'lost' })).toMatchObject([{ state: 'lost' }]);
    expect(await read('payment_method.detached', { id: 'pm_ok' })).toEqual([
      { id: 'evt_1', type: 'method_detached', methodReference: 'pm_ok' },
    ]);
    expect(await read('invoice.created', {})).toEqual([]);
    processor.checkout = { status: 'complete', setup_intent: finishedSetup };
    const page = { id: 'cs_1', object: 'checkout.session', mode: 'setup', customer: 'cus_1' };
    expect(await read('checkout.session.completed', page)).toMatchObject([
      { type: 'setup', reference: 'cs_1', customerReference: 'cus_1', outcome: { status: 'succeeded' } },
    ]);
    expect(await read('checkout.session.completed', { ...page, mode: 'payment' })).toEqual([]);
    // another program on the same account may set up what we don't offer: a notice of that is taken, too
    const other = { ...finishedSetup, payment_method: { ...finishedSetup.payment_method, type: 'us_bank_account' } };
    processor.checkout = { status: 'complete', setup_intent: other };
    expect(await read('checkout.session.completed', page)).toMatchObject([
      { reference: 'cs_1', outcome: { status: 'failed', reason: 'method_type_not_offered' } },
    ]);
  });
});
