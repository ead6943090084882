import { HOUR } from '../../billing/calendar/instant.ts';
import { publish } from '../../db/sql/event/publish.ts';
import type { Fault, Tx } from '../../db/transaction.ts';
import { lockCustomer } from '../../services/customer/lock.ts';
import { selectDefault } from '../../services/payment/method.ts';
import { recordOutcome } from '../../services/payment/record.ts';
import {
  attemptsOf,
  changesBehindGate,
  chargesOf,
  estimatesBehindGate,
  eventsOf,
  paysAllTheSame,
  paysWithin,
  signsBehindGate,
  statusOf,
  waitingCharge,
  walletOf,
} from '../payments/gate-support.ts';
import { addsMethod, expectsSoundLedger, invoiceOf, methodsOf } from '../payments/support.ts';
import type { AnyJson, Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { plan, planToSave, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import { newVendor } from '../support/vendor.ts';

const small = plan('small', '30');
const large = plan('large', '180');

async function signsSmall(acme: StoryCustomer): Promise<void> {
  await addsMethod(acme, 'sandbox_ok');
  await acme.signs(small);
}

/** A change that waits for a second step of the first of two cards. */
async function waitsWithTwoCards(acme: StoryCustomer, api: Api) {
  const first = await addsMethod(acme, 'sandbox_needs_action', { detach_previous_on_success: false });
  const [customer, [other]] = [await acme.id(), await methodsOf(acme)];
  await api.made(`/v1/c/customer/${customer}/payment/method_selection`, { payment_method: first });
  const { body: gated } = await changesBehindGate(acme, large, { hours: 72 });
  return { first, other, customer, gated, charge: await waitingCharge(gated) };
}

describe('an estimate beside an open gate', () => {
  story('counts the money that the change would free: held money is asked for once', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => signsSmall(acme));
    await on('2025-06-16', async () => {
      await acme.grants('20');
      await addsMethod(acme, 'sandbox_slow');
      await changesBehindGate(acme, large, { hours: 72 });
      expect(await walletOf(acme)).toBe('20.00, 20.00 held');
      const { awaiting_payment } = await estimatesBehindGate(acme, plan('huge', '480'));
      expect(awaiting_payment).toMatchObject({ invoice_amount: '225.00', from_wallet: '20.00', to_pay: '205.00' });
      const { body } = await changesBehindGate(acme, plan('huge', '480'), { hours: 24 });
      const { awaiting_payment: real } = await vendor.api.read(`/v1/c/contract/${body}`);
      expect(real).toEqual(awaiting_payment);
    });
    await expectsSoundLedger(vendor);
  });
});

describe('the next invoice beside an open gate', () => {
  story('counts the 0.10 held that the next cycle frees: 29.90 of 30.00 are due', async ({ on, acme, vendor }) => {
    await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_needs_action');
      await acme.signs(small, { automatic_payment: false });
      await acme.pays();
    });
    const { id } = acme.contract;
    const gated = await on('2025-06-30 22:00', async () => {
      await acme.grants('0.1');
      const { body } = await changesBehindGate(acme, large, { hours: 72 });
      expect(await walletOf(acme)).toBe('0.10, 0.10 held');
      return body;
    });
    const upcoming = await vendor.api.read(`/v1/c/contract/${id}/upcoming_invoice`);
    expect([upcoming.at, upcoming.amount_due]).toEqual(['2025-07-01T00:00:00.000Z', '29.90']);
    await on('2025-07-01');
    expect((await invoiceOf(acme, '2025-07-01')).amount_due).toBe('29.90');
    expect((await vendor.api.read(`/v1/c/contract/${gated}/upcoming_invoice`)).invoice).toBeNull();
    await expectsSoundLedger(vendor);
  });
});

describe('money that comes after its gate has ended', () => {
  story(
    'while the customer is being changed waits for that: each event of the customer has a number of its own',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', async () => {
        await addsMethod(acme, 'sandbox_ok');
        await acme.signs(small);
      });
      await on('2025-06-16', async () => {
        await addsMethod(acme, 'sandbox_needs_action');
        const { body: gated } = await changesBehindGate(acme, large);
        const charge = await waitingCharge(gated);
        await vendor.api.made(`/v1/c/contract/${gated}/cancel`, { when: { type: 'now' } });
        const customer = await acme.id();
        const { paying } = await withTestDatabase((db) =>
          db.transaction(async (tx) => {
            const { vendorId } = vendor;
            const { now } = await lockCustomer(tx, vendorId, customer, { lock: 'no key update' });
            await publish(tx, [{ vendorId, type: 'v1.customer.updated', objectId: customer, at: now, data: {} }]);
            const paid = paysAllTheSame(charge.id);
            await eventually(async () => expect(await withTestDatabase((beside) => waitingFor(tx, beside))).toBeGreaterThan(0));
            return { paying: paid };
          }),
        );
        await paying;
        expect(await walletOf(acme)).toBe('75.00, 0.00 held');
        expect((await eventsOf(acme, customer)).slice(-2)).toEqual(['customer.updated', 'payment.succeeded']);
      });
      await expectsSoundLedger(vendor);
    },
  );
});

describe('a card that is chosen again', () => {
  story('while its payment is being given up pays by a new attempt: nothing is declined', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => signsSmall(acme));
    await on('2025-06-16', async () => {
      const { first, other, customer, gated, charge } = await waitsWithTwoCards(acme, vendor.api);
      expect(charge.method).toBe(first);
      await withTestDatabase((db) =>
        db.transaction(async (tx) => {
          for (const method of [other?.id, first]) await selectDefault(tx, vendor.vendorId, customer, method);
          await recordOutcome(tx, charge.id, { status: 'failed', reference: null, reason: 'abandoned', retryable: false }, []);
        }),
      );
      await eventually(async () => expect(await attemptsOf(gated)).toEqual(['failed', 'processing, waits']));
      const [, again] = await chargesOf(gated);
      expect(again?.method).toBe(first);
      await paysAllTheSame(again?.id ?? '');
      expect(await statusOf(acme, gated)).toBe('active');
    });
    await expectsSoundLedger(vendor);
  });

  story('whose own payment is then declined ends the gate', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => signsSmall(acme));
    await on('2025-06-16', async () => {
      const { first, other, customer, gated, charge } = await waitsWithTwoCards(acme, vendor.api);
      await withTestDatabase((db) =>
        db.transaction(async (tx) => {
          for (const method of [other?.id, first]) await selectDefault(tx, vendor.vendorId, customer, method);
          const asked = { status: 'pending' as const, reference: null, askAgainAt: Date.parse('2025-06-17'), reason: 'needs_action' };
          await recordOutcome(tx, charge.id, asked, []);
          await recordOutcome(tx, charge.id, { status: 'failed', reference: null, reason: 'refused', retryable: false }, []);
        }),
      );
      expect(await attemptsOf(gated)).toEqual(['failed']);
      expect(await statusOf(acme, gated)).toBe('canceled');
    });
    await expectsSoundLedger(vendor);
  });
});

describe('a paid change that a fault of ours prevents', () => {
  story('ends its gate, gives the money to the wallet and is reported with the gate’s id', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => signsSmall(acme));
    await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      const { body: gated } = await changesBehindGate(acme, large, { hours: 72 });
      const charge = await waitingCharge(gated);
      const faults: Fault[] = [];
      await withTestDatabase(async (db) => {
        await db.query(`update payment_gate set basis = (basis::jsonb #- '{snapshot,contract,terms}')::json where contract_id = $1`, [
          gated,
        ]);
        db.onFault = (fault) => faults.push(fault);
        try {
          await db.transaction((tx) => paysWithin(tx, charge.id));
        } finally {
          db.onFault = null;
        }
      });
      expect(faults).toMatchObject([{ about: { payment_gate: gated }, error: expect.any(TypeError) }]);
      expect(await statusOf(acme, gated)).toBe('canceled');
      expect(await walletOf(acme)).toBe('75.00, 0.00 held');
      await acme.contract.expectsStatus('active');
    });
    await expectsSoundLedger(vendor);
  });

  story('waits for the next try where the fault may pass: the gate stays open, and is paid then', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => signsSmall(acme));
    await on('2025-06-16', async () => {
      await addsMethod(acme, 'sandbox_slow');
      const { body: gated } = await changesBehindGate(acme, large, { hours: 72 });
      const charge = await waitingCharge(gated);
      const paysImpatiently = async (tx: Tx): Promise<void> => {
        await tx.query(`set local lock_timeout = '100ms'`);
        await paysWithin(tx, charge.id);
      };
      await withTestDatabase((db) =>
        db.transaction(async (holder) => {
          await holder.query('select 1 from invoice_counter where vendor_id = $1 for update', [vendor.vendorId]);
          await withTestDatabase((other) => expect(other.transaction(paysImpatiently)).rejects.toThrow('lock timeout'));
        }),
      );
      expect(await statusOf(acme, gated)).toContain('scheduled, awaits 75.00');
      await paysAllTheSame(charge.id);
      expect(await statusOf(acme, gated)).toBe('active');
      expect(await walletOf(acme)).toBe('0.00, 0.00 held');
    });
    await expectsSoundLedger(vendor);
  });
});

describe('the timeline of a draft that was dropped', () => {
  story('can be read as the draft itself can, of a signing and of a change', async ({ on, acme, vendor }) => {
    const whatHappened = async (id: string): Promise<string[]> => {
      const { past, next } = await vendor.api.read(`/v1/c/contract/${id}/timeline`);
      expect(next).toEqual([]);
      return past.map(({ at, what, data }: AnyJson) => [at.slice(0, 10), what, data.status ?? data.amount].join(' '));
    };
    const signing = await on('2025-06-01', async () => {
      await addsMethod(acme, 'sandbox_needs_action');
      const { body } = await signsBehindGate(acme, large, { hours: 12 });
      return body;
    });
    const change = await on('2025-06-02', async () => {
      expect(await whatHappened(signing)).toEqual(['2025-06-01 payment_gate_opened 180.00', '2025-06-01 payment_gate_ended expired']);
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(small);
      await addsMethod(acme, 'sandbox_slow');
      const { body } = await changesBehindGate(acme, large, { hours: 12 });
      await acme.undoesTheChange();
      return body;
    });
    expect(await whatHappened(change)).toEqual(['2025-06-02 payment_gate_opened 150.00', '2025-06-02 payment_gate_ended dropped']);
    expect((await vendor.api.get('/v1/c/contract/Cont_01972df0-1c00-72b6-b1c1-98424c236712/timeline')).status).toBe(404);
    await expectsSoundLedger(vendor);
  });
});

describe('money that comes after the time has passed, before a worker has noticed', () => {
  it('finds the gate ended by the cycle that has begun: that is billed, and the money is in the wallet', async () => {
    const { api, customer, boundary, gated, charge } = await hourlyBehindGate(25_000);
    // a transaction that is open holds up the logs of all other tests
    await eventually(() => expect(Date.now()).toBeGreaterThan(boundary - 5_000));
    const from = await withTestDatabase((db) =>
      db.transaction(
        async (tx) => {
          const [row] = await tx.query<{ id: string }>(
            `select c.id from contract c join payment_gate g on g.from_contract_id = c.id where g.contract_id = $1 for update of c`,
            [gated],
          );
          await eventually(async () => expect(Date.now()).toBeGreaterThan(boundary));
          await paysWithin(tx, charge);
          return row?.id ?? '';
        },
        { by: 'provider' },
      ),
    );
    expect((await api.read(`/v1/c/contract/${from}`)).contract_summary.status).toBe('active');
    expect((await api.read(`/v1/c/contract/${gated}`)).contract_summary.status).toBe('canceled');
    const { hits } = await api.read(`/v1/c/invoice?customer=${customer}`);
    expect(hits.map(({ invoice }: AnyJson) => `${invoice.total} ${invoice.status}`).sort()).toEqual([
      '30.00 paid',
      '30.00 ready_for_payment',
    ]);
  });

  it('finds the gate expired at its time: nothing is changed, and the money is in the wallet', async () => {
    const { api, customer, gated, charge } = await hourlyBehindGate(HOUR / 2);
    await withTestDatabase(async (db) => {
      await db.transaction(async (tx) => {
        await tx.query(`update payment_gate set expires = now() - interval '1 second' where contract_id = $1`, [gated]);
        await paysWithin(tx, charge);
      });
      const [gate] = await db.query<{ status: string }>('select status from payment_gate where contract_id = $1', [gated]);
      expect(gate?.status).toBe('expired');
    });
    const { balances } = await api.read(`/v1/c/customer/${customer}/wallet`);
    expect(balances.map(({ balance, held }: AnyJson) => [balance, held])).toEqual([[expect.not.stringMatching(/^0/), '0.00']]);
  });
});

/**
 * A contract on the wall clock whose hour ends in so many milliseconds, and a change of it that waits for a slow bank.
 */
async function hourlyBehindGate(left: number): Promise<{ api: Api; customer: string; boundary: number; gated: string; charge: string }> {
  const { api } = await newVendor();
  const plans: string[] = [];
  for (const amount of ['30', '180'])
    plans.push(await api.made('/v1/c/plan', planToSave(plan(`hourly-${amount}`, amount, { cycle: 'hour' }))));
  const customer: string = await api.made('/v1/c/customer', { name: 'Hourly' });
  await api.made(`/v1/c/customer/${customer}/activate`, {});
  const session = await api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_slow' });
  await api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount: '30.00', description: 'first' });
  const boundary = Date.now() + left;
  const terms = { currency: 'usd', cycle: 'hour', automatic_payment: false, activation: new Date(boundary - HOUR).toISOString() };
  const from: string = await api.made('/v1/c/contract', { customer, plan: plans[0], ...terms });
  const upgrade_configuration = { upgrade_strategy: 'new_plan', plan_id: plans[1] };
  const body = { upgrade_configuration, payment_gate: { expires_in_hours: 24 } };
  const gated = (await api.post(`/v1/c/contract/${from}/upgrade`, body)).body as unknown as string;
  const charge = (await waitingCharge(gated)).id;
  return { api, customer, boundary, gated, charge };
}
