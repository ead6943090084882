import { createHmac } from 'node:crypto';
import { attemptKey } from '../../../payments/attempt-key.ts';
import { createAuthorize } from '../../../payments/authorize/authorize.ts';
import { pagesOfAuthorize } from '../../../payments/authorize/client.ts';
import type { ProviderChargeRequest } from '../../../payments/port.ts';
import { OutcomeUnknown, ProviderUnavailable, WebhookRefused } from '../../../payments/problem.ts';
import { ScriptedAuthorize } from './scripted-authorize.ts';
import { type ScriptedServer, scriptedServer } from './scripted-server.ts';

const SIGNATURE_KEY = 'ab'.repeat(64);
const NOW = Date.parse('2025-01-01T00:00:00Z');
const ATTEMPT = 'Pay_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
const KEY = '5b1e7c3d8f213a9b0c1d2e3f'.slice(-20);

let script: ScriptedAuthorize;
let server: ScriptedServer;

beforeEach(async () => {
  script = new ScriptedAuthorize();
  server = await scriptedServer(script.reply);
});
afterEach(() => server.close());

const provider = (loginId = 'login') =>
  createAuthorize({ loginId, transactionKey: 'secret', signatureKey: SIGNATURE_KEY, apiBase: server.base });

const charge = (reference: string): ProviderChargeRequest => ({
  ...{ key: attemptKey('authorize', ATTEMPT), attemptId: ATTEMPT, subject: 'Inv_1', amount: '12.34', currency: 'usd', now: NOW },
  method: { reference, customerReference: '39598611' },
});

describe('Authorize.Net', () => {
  const refund = { key: ATTEMPT, reference: '1000', method: charge('2').method, amount: '5.00', currency: 'usd' as const };

  it('opens a hosted page for the customer profile it has already, and finds the method that was added', async () => {
    script.profiles = [{ customerPaymentProfileId: '1', payment: { creditCard: { cardNumber: 'XXXX1111', cardType: 'Visa' } } }];
    const request = { token: 'PSess_1', customerId: 'Cust_1', customerName: 'Ada', email: null, customerReference: null, address: true };
    const setup = await provider().createSetup(request);
    expect(setup).toMatchObject({ customerReference: '39598611', clientSecret: 'hosted_token' });
    expect(await provider().readSetup(setup)).toEqual({ status: 'pending', reason: null });
    script.profiles.push({ customerPaymentProfileId: '2', payment: { creditCard: { cardNumber: 'XXXX0027', cardType: 'MasterCard' } } });
    expect(await provider().readSetup(setup)).toMatchObject({
      status: 'succeeded',
      method: { reference: '2', customerReference: '39598611', details: { brand: 'MasterCard', last4: '0027' } },
    });
  });

  it('offers cards alone, and takes no bank account that another program adds: its returned payments would be known to nobody', async () => {
    script.profiles = [];
    const request = { token: 'PSess_1', customerId: 'Cust_1', customerName: 'Ada', email: null, customerReference: '9', address: false };
    const setup = await provider().createSetup(request);
    const sent = server.received.map(({ body }) => JSON.parse(body).getHostedProfilePageRequest).find(Boolean);
    const onlyCards = { settingName: 'hostedProfilePaymentOptions', settingValue: 'showCreditCard' };
    expect(sent.hostedProfileSettings.setting).toContainEqual(onlyCards);
    script.profiles = [
      { customerPaymentProfileId: '1', payment: { creditCard: { cardNumber: 'XXXX0027', cardType: 'MasterCard' } } },
      { customerPaymentProfileId: '2', payment: { bankAccount: { accountNumber: 'XXXX6789' } } },
    ];
    expect(await provider().readSetup(setup)).toMatchObject({
      status: 'succeeded',
      method: { reference: '1', details: { last4: '0027' } },
    });
    script.profiles = script.profiles.slice(1);
    expect(await provider().readSetup(setup)).toEqual({ status: 'pending', reason: null });
  });

  it('sends the customer to the hosted page by a form with the token, and gets it back at our address', async () => {
    const request = { token: 'PSess_1', customerId: 'Cust_1', customerName: 'Ada', email: null, customerReference: '9', address: false };
    const hosted = { returnUrl: 'https://us.example/back', cancelUrl: 'https://us.example/no', currency: 'usd' as const };
    const { page } = await provider().createSetup({ ...request, hosted });
    expect(page).toEqual({ url: `${server.base}/customer/addPayment`, fields: { token: 'hosted_token' } });
    const sent = server.received.map(({ body }) => JSON.parse(body).getHostedProfilePageRequest).find(Boolean);
    expect(sent.hostedProfileSettings.setting).toContainEqual({
      ...{ settingName: 'hostedProfileReturnUrl', settingValue: 'https://us.example/back' },
    });
  });

  it.each([
    [null, 'https://accept.authorize.net'],
    ['https://api.authorize.net', 'https://accept.authorize.net'],
    ['https://apitest.authorize.net', 'https://test.authorize.net'],
  ])('has its pages for the API at %s at %s', (apiBase, pages) => {
    expect(pagesOfAuthorize({ loginId: '', transactionKey: '', signatureKey: '', apiBase })).toBe(pages);
  });

  it.each(['jpy', 'kwd'] as const)('refuses %s for ever without a call: its accounts have currencies of two digits', async (currency) => {
    const asked = provider().charge({ ...charge('2'), amount: '1000', currency });
    expect(await asked).toEqual({ status: 'failed', reference: null, reason: 'currency_not_supported', retryable: false });
    expect(server.received).toEqual([]);
  });

  it('charges a stored profile under the 20 characters of our key', async () => {
    expect(await provider().charge(charge('2'))).toEqual({ status: 'succeeded', reference: '1000' });
    expect(KEY).toHaveLength(20);
    expect(script.transactions[0]?.invoiceNumber).toBe(KEY);
    const [sent] = server.received.map(({ body }) => JSON.parse(body).createTransactionRequest);
    expect(Object.keys(sent.transactionRequest)).toEqual([
      ...['transactionType', 'amount', 'currencyCode', 'profile', 'order', 'transactionSettings', 'processingOptions'],
    ]);
  });

  it('answers a repeat with what the first call did: one transaction', async () => {
    await provider().charge(charge('2'));
    expect(await provider().charge(charge('2'))).toEqual({ status: 'succeeded', reference: '1000' });
    expect(script.transactions).toHaveLength(1);
  });

  it('asks again later about a charge that is made but not listed yet: it has not failed', async () => {
    await provider().charge(charge('2'));
    script.lists = false;
    await expect(provider().charge(charge('2'))).rejects.toThrow(OutcomeUnknown);
    script.lists = true;
    expect(await provider().charge(charge('2'))).toEqual({ status: 'succeeded', reference: '1000' });
    expect(script.transactions).toHaveLength(1);
  });

  it('settles a broken connection by asking: one transaction', async () => {
    script.cutNext = true;
    await expect(provider().charge(charge('2'))).rejects.toThrow(OutcomeUnknown);
    const { key, method } = charge('2');
    expect(await provider().lookup({ key, reference: null, method, now: NOW })).toEqual({ status: 'succeeded', reference: '1000' });
    expect(await provider().lookup({ key: 'other', reference: null, method, now: NOW })).toBeNull();
    expect(script.transactions).toHaveLength(1);
  });

  it('does not take a failure of the provider’s own system for a decline: the charge and the refund it made are found', async () => {
    script.failsAfterwards = true;
    await expect(provider().charge(charge('2'))).rejects.toThrow(OutcomeUnknown);
    const { key, method } = charge('2');
    expect(await provider().lookup({ key, reference: null, method, now: NOW })).toEqual({ status: 'succeeded', reference: '1000' });
    await expect(provider().refund({ ...refund, key: 'Ref_0197a3c4' })).rejects.toThrow(OutcomeUnknown);
    expect(await provider().refund({ ...refund, key: 'Ref_0197a3c4' })).toEqual({ status: 'succeeded', reference: '901' });
    expect(script.transactions).toHaveLength(2);
  });

  it('asks once a day about a charge whose customer the account doesn’t have: nobody knows what became of it', async () => {
    script.profileGone = true;
    expect(await provider().lookup({ key: KEY, reference: null, method: charge('2').method, now: NOW })).toEqual({
      ...{ status: 'pending', reference: null, askAgainAt: NOW + 86_400_000, reason: 'unknown_at_provider' },
    });
  });

  it('tells a decline that may be tried again from one that can’t', async () => {
    expect(await provider().charge(charge('declined'))).toEqual({ status: 'failed', reference: null, reason: 'declined', retryable: true });
    expect(await provider().charge(charge('expired'))).toMatchObject({ reason: 'expired_card', retryable: false });
    expect(await provider().charge(charge('foreign'))).toMatchObject({ reason: 'currency_not_supported', retryable: false });
  });

  it('knows that nothing happened when the keys are wrong', async () => {
    await expect(provider('other').charge(charge('2'))).rejects.toThrow(ProviderUnavailable);
    expect(script.transactions).toHaveLength(0);
  });

  it('refunds by the transaction and the stored profile', async () => {
    expect(await provider().refund(refund)).toEqual({ status: 'succeeded', reference: '900' });
    const sent = server.received.map(({ body }) => JSON.parse(body).createTransactionRequest).find(Boolean);
    expect(Object.keys(sent.transactionRequest)).toEqual([
      ...['transactionType', 'amount', 'currencyCode', 'profile', 'refTransId', 'order', 'transactionSettings'],
    ]);
  });

  it('gives 5.00 back once, however often it is asked, also after an answer that was lost', async () => {
    script.cutNext = true;
    await expect(provider().refund(refund)).rejects.toThrow(OutcomeUnknown);
    expect(await provider().refund(refund)).toEqual({ status: 'succeeded', reference: '900' });
    expect(await provider().refund(refund)).toEqual({ status: 'succeeded', reference: '900' });
    expect(script.transactions).toHaveLength(1);
  });

  it('asks again later about a refund that is made but not listed yet: it is never called declined', async () => {
    await provider().refund(refund);
    script.lists = false;
    await expect(provider().refund(refund)).rejects.toThrow(OutcomeUnknown);
    script.lists = true;
    expect(await provider().refund(refund)).toEqual({ status: 'succeeded', reference: '900' });
    expect(script.transactions).toHaveLength(1);
  });

  it('calls a refund failed that was declined before, or whose customer profile is gone', async () => {
    expect(await provider().refund({ ...refund, method: charge('declined').method })).toEqual({ status: 'failed', reason: 'declined' });
    script.transactions.push({ transId: '901', invoiceNumber: KEY, transactionStatus: 'declined' });
    expect(await provider().refund(refund)).toEqual({ status: 'failed', reason: 'declined' });
    script.profileGone = true;
    expect(await provider().refund({ ...refund, key: 'Ref_1' })).toEqual({ status: 'failed', reason: 'unknown_method' });
  });

  it('is not opened with a signature key that is no hexadecimal: notices signed with an empty key would pass', () => {
    const open = (signatureKey: string) => () =>
      createAuthorize({ loginId: 'login', transactionKey: 'secret', signatureKey, apiBase: server.base });
    for (const key of ['', 'not hexadecimal at all', 'zz'.repeat(64), 'abc', `${'ab'.repeat(63)}zz`])
      expect(open(key)).toThrow('must be hexadecimal');
    expect(open('AB'.repeat(64))).not.toThrow();
  });

  const notification = (eventType: string, payload: object, one = 'n1') =>
    Buffer.from(
      JSON.stringify({
        notificationId: one,
        eventType: `net.authorize.payment.${eventType}`,
        eventDate: '2025-01-01T12:00:00.5Z',
        payload,
      }),
    );
  const signed = (body: Buffer, key = SIGNATURE_KEY) =>
    `sha512=${createHmac('sha512', Buffer.from(key, 'hex')).update(body).digest('hex').toUpperCase()}`;
  const read = (body: Buffer, signature = signed(body)) => provider().readWebhook({ body, header: () => signature });

  it('believes a webhook only with the right signature, and asks what became of the transaction', async () => {
    await provider().charge(charge('2'));
    const body = notification('authcapture.created', { id: '1000', entityName: 'transaction', merchantReferenceId: KEY });
    expect(await read(body)).toEqual([
      { id: 'n1', type: 'charge', key: KEY, reference: '1000', outcome: { status: 'succeeded', reference: '1000' } },
    ]);
    await expect(read(body, signed(body, 'cd'.repeat(64)))).rejects.toThrow(WebhookRefused);
  });

  it('reads a refund with our key, one of its own pages, and one that was voided before it was settled', async () => {
    const at = Date.parse('2025-01-01T12:00:00.5Z');
    const seen = { id: 'n1', type: 'refund', at, chargeReference: '1000', amount: '5.00', currency: null };
    await provider().refund(refund);
    const body = notification('refund.created', { id: '900' });
    expect(await read(body)).toEqual([{ ...seen, key: KEY, reference: '900', failure: null }]);
    for (const one of script.transactions) one.transactionStatus = 'voided';
    const voided = { ...seen, key: KEY, reference: '900', failure: 'voided' };
    expect(await read(notification('void.created', { id: '900' }))).toEqual([voided]);
    const own = { transId: '77', transactionType: 'refundTransaction', transactionStatus: 'refundSettledSuccessfully' };
    script.transactions.push({ ...own, refTransId: '1000', settleAmount: 5 }, { ...own, transId: '78', settleAmount: 5 });
    expect(await read(notification('refund.created', { id: '77' }))).toEqual([{ ...seen, key: null, reference: '77', failure: null }]);
    // it names no charge, so it is none of ours
    expect(await read(notification('refund.created', { id: '78' }))).toEqual([]);
  });

  it('reads a charge that was voided, whichever notice comes late', async () => {
    await provider().charge(charge('2'));
    for (const one of script.transactions) one.transactionStatus = 'voided';
    const seen = { id: 'n1', type: 'void', at: Date.parse('2025-01-01T12:00:00.5Z'), chargeReference: '1000' };
    expect(await read(notification('void.created', { id: '1000' }))).toEqual([seen]);
    const late = notification('authcapture.created', { id: '1000', merchantReferenceId: KEY });
    expect(await read(late)).toEqual([seen]);
  });
});
