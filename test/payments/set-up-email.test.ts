import type { Payments } from '../../services/payment/open-payments.ts';
import { openSession } from '../../services/payment/open-session.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor } from '../support/vendor.ts';

/** The e-mail address that a payment provider gets of a customer with these. */
async function givenTo(emails: Record<string, string>): Promise<string | null> {
  const { api, vendorId } = await newVendor();
  const customerId: string = await api.made('/v1/c/customer', { name: 'Ada', emails });
  const given: (string | null)[] = [];
  const createSetup = async ({ email, token }: { email: string | null; token: string }) => {
    given.push(email);
    return { reference: token, customerReference: null, clientSecret: null, connectedAccountId: null, publishableKey: null };
  };
  const providers = { usual: 'sandbox', servedBy: () => 'sandbox', get: () => ({ createSetup }) };
  const payments = { providers, retryDays: [] } as unknown as Payments;
  const request = { provider: null, address: false, detachPrevious: false, planId: null, pricingId: null };
  const asker = { caller: { type: 'system', id: null } } as const;
  await withTestDatabase((db) => openSession({ db, payments }, vendorId, customerId, asker, request));
  return given[0] ?? null;
}

describe('a set-up of a payment method', () => {
  it.each([
    [{ cc: 'cc@example.com', billing: 'billing@example.com', main: 'main@example.com' }, 'main@example.com'],
    [{ cc: 'cc@example.com', billing: 'billing@example.com' }, 'billing@example.com'],
    [{ office: 'office@example.com' }, 'office@example.com'],
    [{}, null],
  ])('of a customer with %j gives the provider %s', async (emails, expected) => {
    expect(await givenTo(emails as Record<string, string>)).toBe(expected);
  });
});
