import { createCardproc } from '../../../payments/cardproc/cardproc.ts';
import { connectCardproc } from '../../../payments/cardproc/client.ts';
import type { Provider } from '../../../payments/port.ts';
import { ScriptedCardProcessor } from './scripted-card-processor.ts';
import { scriptedServer } from './scripted-server.ts';
import { findStripeMock, type StripeMock, startStripeMock } from './stripe-mock.ts';

const found = await findStripeMock();
const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', connectedAccount: 'acct_1', webhookSecret: 'whsec_1' };
const method = { reference: 'pm_1', customerReference: 'cus_1' };
const NOW = Date.parse('2025-01-01T00:00:00Z');

/**
 * What each call sends is checked against the processor's published description; answers are its examples, so only
 * their form counts.
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

  it('takes a set-up on its own page, and the question what became of it', async () => {
    const request = { token: 'PSess_2', customerId: 'Cust_1', customerName: 'Ada', email: null, address: true, customerReference: 'cus_9' };
    const hosted = { returnUrl: 'https://us.example/back', cancelUrl: 'https://us.example/no', currency: 'eur' as const };
    const script = await scriptedServer(new ScriptedCardProcessor().reply);
    await createCardproc({ ...keys, secretKey: 'sk_test', apiBase: script.base }).createSetup({ ...request, hosted });
    await script.close();
    const sent = new URLSearchParams(script.received.at(-1)?.body);
    // the description is of the version before the library's, in which this one field isn't known yet
    for (const name of [...sent.keys()]) if (name.startsWith('allowed_payment_method_types')) sent.delete(name);
    const headers = { authorization: 'Bearer sk_test_1' };
    const made = await fetch(`${mock.base}/v1/checkout/sessions`, { method: 'POST', headers, body: sent });
    expect([made.status, ((await made.json()) as { object: string }).object]).toEqual([200, 'checkout.session']);
    const outcome = await provider.readSetup({ reference: 'cs_1', customerReference: 'cus_9' });
    expect(['pending', 'succeeded', 'failed']).toContain(outcome.status);
  });

  it('takes a charge that the customer can confirm, and what follows of it', async () => {
    const request = { key: 'Pay_9', attemptId: 'Pay_9', subject: 'Inv_1', amount: '12.34', currency: 'eur' as const, now: NOW, method };
    const charged = await provider.charge({ ...request, returnUrl: 'https://us.example/back' });
    expect(charged).toMatchObject({ reference: expect.stringMatching(/^pi_/) });
    const lookup = { key: 'Pay_9', reference: 'pi_1', method, now: NOW };
    await expect(provider.secondStep?.pageOf(lookup)).resolves.toBeNull();
    const canceled = connectCardproc({ ...keys, apiBase: mock.base }).paymentIntents.cancel('pi_1', { cancellation_reason: 'abandoned' });
    await expect(canceled).resolves.toMatchObject({ id: 'pi_1' });
  });

  it('takes the question what became of a set-up', async () => {
    expect(['pending', 'succeeded', 'failed']).toContain(
      (await provider.readSetup({ reference: 'seti_1', customerReference: 'cus_1' })).status,
    );
  });

  it.each(['usd', 'eur', 'gbp', 'brl', 'ars'] as const)('takes a charge off session in %s', async (currency) => {
    const request = { key: `Pay_${currency}`, attemptId: 'Pay_1', subject: 'Inv_1', amount: '12.34', currency, now: NOW, method };
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
