import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { PaymentSession } from '../../db/entities/payment.ts';
import type { Fault } from '../../db/transaction.ts';
import { expireSessions } from '../../services/payment/expire-sessions.ts';
import { insertMethod, requestDetach } from '../../services/payment/method.ts';
import type { Payments } from '../../services/payment/open-payments.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor } from '../support/vendor.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** As it comes of a line that could not be made: Postgres' own errors of this kind are tried again at once. */
const NO_ANSWER = new Error('the provider does not answer', { cause: Object.assign(new Error('no line'), { code: 'ECONNREFUSED' }) });
/** Of a provider that is set up and answers nothing. */
const silent = { providers: { has: () => true, get: () => ({ readSetup: () => Promise.reject(NO_ANSWER) }) } } as unknown as Payments;

/** A session whose time has passed so many milliseconds ago. */
async function overdueSession(db: Database, ms: number): Promise<{ vendorId: string; customerId: string; token: string }> {
  const { api, vendorId } = await newVendor();
  const customerId: string = await api.made('/v1/c/customer', { name: 'Ada' });
  const asked = { operation: 'add_method', provider: 'sandbox' };
  const { token } = await api.made<AnyJson>(`/v1/c/customer/${customerId}/payment/session`, asked);
  await db.em().nativeUpdate(PaymentSession, { token }, { expires: Date.now() - ms });
  await db.em().nativeUpdate(Agenda, { kind: 'session_expiry', subject: token }, { dueAt: Date.now() - ms });
  return { vendorId, customerId, token };
}

const statusOf = async (db: Database, token: string) => (await db.em().findOneOrFail(PaymentSession, { token })).status;

describe('a session that has expired, whose provider does not answer', () => {
  it('is asked again ten minutes later, and what else is due of the customer goes on', () =>
    withTestDatabase(async (db) => {
      const { customerId, token } = await overdueSession(db, HOUR);
      const faults: Fault[] = [];
      db.onFault = (fault) => faults.push(fault);
      const before = Date.now();
      await expireSessions({ db, payments: silent }, customerId);
      db.onFault = null;
      expect(await statusOf(db, token)).toBe('pending');
      const { dueAt } = await db.em().findOneOrFail(Agenda, { kind: 'session_expiry', subject: token });
      expect(dueAt - before).toBeGreaterThan(9 * MINUTE);
      expect(faults).toEqual([{ text: 'a payment session could not be asked about', about: { customer: customerId }, error: NO_ANSWER }]);
    }));

  it('ends a day later all the same', () =>
    withTestDatabase(async (db) => {
      const { customerId, token } = await overdueSession(db, 25 * HOUR);
      await expireSessions({ db, payments: silent }, customerId);
      expect(await statusOf(db, token)).toBe('expired');
      expect(await db.em().count(Agenda, { kind: 'session_expiry', subject: token })).toBe(0);
    }));
});

describe('a session that has expired, whose provider still shows a method that was removed meanwhile', () => {
  const details = { brand: 'visa', last4: '4242', expMonth: null, expYear: null };

  it('ends without it, and what else is due of the customer goes on', () =>
    withTestDatabase(async (db) => {
      const { vendorId, customerId, token } = await overdueSession(db, HOUR);
      const method = { reference: `shown.${token}`, customerReference: null, type: 'card' as const, details, holderName: null };
      const readSetup = () => Promise.resolve({ status: 'succeeded', method });
      const payments = { providers: { has: () => true, get: () => ({ readSetup }) } } as unknown as Payments;
      await db.transaction(async (tx) => {
        const id = await insertMethod(tx, { vendorId, customerId, clockId: null, provider: 'sandbox' }, method, Date.now());
        await requestDetach(tx, vendorId, customerId, id ?? '');
      });
      await expireSessions({ db, payments }, customerId);
      expect(await statusOf(db, token)).toBe('expired');
    }));
});
