import { createCardproc } from '../../../payments/cardproc/cardproc.ts';
import { connectCardproc } from '../../../payments/cardproc/client.ts';
import type { Provider } from '../../../payments/port.ts';
import { findStripeMock, type StripeMock, startStripeMock } from './stripe-mock.ts';

const found = await findStripeMock();
const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', connectedAccount: 'acct_1', webhookSecret: 'whsec_1' };
const method = { reference: 'pm_1', customerReference: 'cus_1' };
const NOW = Date.parse('2025-01-01T00:00:00Z');

/**
 * What each call sends is held against the processor's published description; answers are its examples, so only their
 * form counts.
 */
function checks(program: string): void {
  let mock: StripeMock;
  let provider: Provider;

  beforeAll(async () => {
    mock = await startStripeMock(program);
    provider = createCardproc({ ...keys, apiBase: mock.base });
  });
  afterAll(() => mock.stop());

  it('refuses a request that its description does not know, so that a pass means something', async () => {
    const stripe = connectCardproc({ ...keys, apiBase: mock.base });
    const made = stripe.setupIntents.create({ usage: 'off_session', ...{ kind_of_card: 'blue' } });
    await expect(made).rejects.toMatchObject({ type: 'StripeInvalidRequestError' });
    await expect(stripe.paymentIntents.create({ currency: 'eur', ...{ amount: 'much' as never } })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
    });
  });

  it('takes the set-up of a new customer and of one it knows', async () => {
    const request = { token: 'PSess_1', customerId: 'Cust_1', customerName: 'Ada', email: 'ada@example.com', address: false };
    const shown = { connectedAccountId: 'acct_1', publishableKey: 'pk_test_1' };
    const fresh = await provider.createSetup({ ...request, customerReference: null });
    expect(fresh).toMatchObject({
      ...shown,
      reference: expect.stringMatching(/^seti_/),
      customerReference: expect.stringMatching(/^cus_/),
    });
    expect(fresh.clientSecret).toMatch(/secret/);
    expect(await provider.createSetup({ ...request, email: null, customerReference: 'cus_9' })).toMatchObject({
      ...shown,
      customerReference: 'cus_9',
    });
  });

  it('takes the question what became of a set-up', async () => {
    expect(['pending', 'succeeded', 'failed']).toContain(
      (await provider.readSetup({ reference: 'seti_1', customerReference: 'cus_1' })).status,
    );
  });

  it.each(['usd', 'eur', 'gbp', 'brl', 'ars'] as const)('takes a charge off session in %s', async (currency) => {
    const request = { key: `Pay_${currency}`, attemptId: 'Pay_1', invoiceId: 'Inv_1', amount: '12.34', currency, now: NOW, method };
    expect(await provider.charge(request)).toMatchObject({ reference: expect.stringMatching(/^pi_/) });
  });

  it('takes the questions what became of a charge, by its id and among the customer’s', async () => {
    expect(await provider.lookup({ key: 'Pay_1', reference: 'pi_1', method, now: NOW })).toMatchObject({ reference: 'pi_1' });
    expect(await provider.lookup({ key: 'Pay_1', reference: null, method, now: NOW })).toBeNull();
  });

  it('takes a refund in part and a detach', async () => {
    const refund = { key: 'Ref_1', reference: 'pi_1', method, amount: '1.00', currency: 'usd' as const };
    expect(await provider.refund(refund)).toMatchObject({ status: 'succeeded', reference: expect.stringMatching(/^re_/) });
    await expect(provider.detach(method)).resolves.toBeUndefined();
  });
}

if ('program' in found) describe('the processor’s own mock', () => checks(found.program));
else {
  it(`is not asked here: stripe-mock can't be had (${found.missing.split('\n')[0]})`, () => {
    expect(found.missing).not.toBe('');
  });
}
