import { attemptsNobodyCanTell } from '../../db/health/contracts.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type Ended, runProgram } from '../support/program.ts';
import { servers } from '../support/servers.ts';
import { settledLog } from '../support/settled-log.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { addsMethod, expectsPayments, expectsSoundLedger, expectsState, invoiceOf } from './support.ts';

async function cli(...args: string[]): Promise<Ended> {
  const { databaseUrl, temporalAddress } = await servers();
  return runProgram(['cli', ...args], {
    env: { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef' },
  });
}

const END = (id: string) => cli('payment', 'end', id, '--not-taken');

/** The charge was sent, and its provider hasn't an outcome yet. */
async function waitsForItsProvider(customer: StoryCustomer): Promise<{ invoice: string; id: string }> {
  await addsMethod(customer, 'sandbox_slow');
  await customer.signs(plan('pro', '100'));
  await expectsState(customer, '2025-01-01', 'ready_for_payment processing 100.00');
  const { invoice } = await invoiceOf(customer, '2025-01-01');
  const waiting = 'select id from payment_attempt where invoice_id = $1 and ask_at is not null';
  return eventually(async () => {
    const [attempt] = await withTestDatabase((db) => db.query<{ id: string }>(waiting, [invoice.id]));
    expect(attempt).toBeDefined();
    return { invoice: invoice.id, id: attempt?.id ?? '' };
  });
}

const losesItsKeys = (id: string) =>
  withTestDatabase((db) => db.query(`update payment_attempt set provider = 'cardproc' where id = $1`, [id]));

describe('a payment whose provider cannot tell its outcome', () => {
  story('is ended by an operator who has looked there; then its invoice can be paid by hand', async ({ on, acme }) => {
    const { api } = acme.vendor;
    const { id, invoice } = await on('2025-01-01', () => waitsForItsProvider(acme));
    expect(await END(id)).toMatchObject({ code: 1, stderr: `${id} waits for its provider, which can tell what becomes of it\n` });
    await losesItsKeys(id);
    await on('2025-01-03');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 processing provider_not_configured 100.00');
    const byHand = () => api.post(`/v1/c/invoice/${invoice}/pay`, { method: 'manual', reference: 'cheque 7' });
    expect(await byHand()).toMatchObject({ status: 409, body: { code: 'payment_in_progress' } });

    expect((await cli('payment', 'end', id)).code).toBe(2);
    expect(await END(id)).toMatchObject({ code: 0, stdout: expect.stringContaining(`${id} has ended as failed`) });
    await expectsState(acme, '2025-01-01', 'ready_for_payment failed 100.00');
    await expectsPayments(acme, '2025-01-01', '2025-01-01 failed ended_by_operator 100.00');
    expect(await END(id)).toMatchObject({ code: 1, stderr: `${id} has ended already: it failed\n` });
    await settledLog();
    const audited = (await api.read(`/v1/c/audit?object=${invoice}`)).hits.filter(
      ({ action }: { action: string }) => action === 'end_payment',
    );
    expect(audited).toMatchObject([{ actor: { type: 'system', id: null }, after: { payment_id: id } }]);

    await on('2025-01-10');
    await expectsState(acme, '2025-01-01', 'ready_for_payment failed 100.00');
    expect((await byHand()).status).toBe(200);
    await expectsState(acme, '2025-01-01', 'paid succeeded 0.00');
    await expectsSoundLedger(acme.vendor);
  });

  story('is named by the doctor while it is open, on the wall clock', async ({ on, acme }) => {
    const { id, invoice } = await on('2025-01-01', () => waitsForItsProvider(acme));
    const found = (change: string) =>
      withTestDatabase(async (db) => {
        let named: unknown[] = [];
        const undone = new Error('nobody else sees it');
        const look = db.transaction(async (tx) => {
          await tx.query(`update payment_attempt set ${change} where id = $1`, [id]);
          named = (await attemptsNobodyCanTell(tx)).filter((one) => one.id === id).map(({ subject, reason }) => [subject, reason]);
          throw undone;
        });
        await expect(look).rejects.toBe(undone);
        return named;
      });
    expect(await found(`test_clock_id = null, reason = 'unknown_at_provider'`)).toEqual([[invoice, 'unknown_at_provider']]);
    expect(await found(`test_clock_id = null`)).toEqual([]);
    expect(await found(`reason = 'provider_not_configured'`)).toEqual([]);
    expect(await found(`test_clock_id = null, status = 'failed', reason = 'provider_not_configured'`)).toEqual([]);
  });

  it('that there is not is named in one line', async () => {
    const { code, stdout, stderr } = await END('Pay_1');
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      "there is no payment Pay_1: doctor names those whose provider can't tell their outcome\n",
    ]);
  });
});
