import type { ChargeOutcome } from '../../billing/payment/types.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { setTopUp } from '../../services/credit/top-up.ts';
import { recordOutcome } from '../../services/payment/record.ts';
import { paysWithin } from '../payments/gate-support.ts';
import { addsMethod, expectsSoundLedger } from '../payments/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const TERMS = { currency: 'usd' as const, below: '10', amount: '50', price: '45', atMostPerMonth: '90' };
const DECLINED: ChargeOutcome = { status: 'failed', reference: null, reason: 'declined', retryable: true };

type Work = (tx: Tx) => Promise<unknown>;

/** Carries out the second while the first is all but committed, until it has ended or waits. */
async function oneBeforeTheOther(db: Database, first: Work, second: Work): Promise<void> {
  const later: Promise<unknown>[] = [];
  let hasEnded = false;
  await db.transaction(async (tx) => {
    await first(tx);
    await tx.em.flush();
    later.push(db.transaction(second).finally(() => (hasEnded = true)));
    await eventually(async () => expect(hasEnded || (await withTestDatabase((beside) => waitingFor(tx, beside))) > 0).toBe(true));
  });
  await Promise.all(later);
}

/** The charge of that amount that waits for its provider. */
const chargeOf = (db: Database, customerId: string, amount: string): Promise<string> =>
  eventually(async () => {
    const [row] = await db.query<{ id: string }>(
      `select id from payment_attempt where customer_id = $1 and amount = $2 and status = 'processing' and ask_at is not null`,
      [customerId, amount],
    );
    if (row === undefined) throw new Error(`no charge of ${amount} waits`);
    return row.id;
  });

/** A top-up that was declined twice, with its next purchase of 45 and an invoice of 15 being charged. */
async function declinedTwice(db: Database, acme: StoryCustomer): Promise<{ customerId: string; purchase: string; invoice: string }> {
  await addsMethod(acme, 'sandbox_slow');
  await acme.signs(plan('pro', '15'));
  const customerId = await acme.id();
  await db.transaction((tx) => setTopUp(tx, { vendorId: acme.vendor.vendorId, customerId, ...TERMS }));
  const [purchase, invoice] = [await chargeOf(db, customerId, '45'), await chargeOf(db, customerId, '15')];
  await db.query('update credit_top_up set declines = 2 where customer_id = $1', [customerId]);
  return { customerId, purchase, invoice };
}

/** The top-up, and when it looks next. */
async function standingOf(db: Database, customerId: string) {
  const [row] = await db.query(
    `select t.declines, t.stopped_at is not null as stopped, (t.paused_until at time zone 'utc')::date::text as paused,
       (select (a.due_at at time zone 'utc')::date::text from agenda a where a.kind = 'credit_top_up' and a.subject = t.id) as looks
     from credit_top_up t where t.customer_id = $1`,
    [customerId],
  );
  return row;
}

describe('the third decline of a top-up beside what starts it again', () => {
  const restarts: [string, (acme: StoryCustomer, customerId: string, invoice: string) => Work][] = [
    ['another setting of it', (acme, customerId) => (tx) => setTopUp(tx, { vendorId: acme.vendor.vendorId, customerId, ...TERMS })],
    ['the payment of an invoice', (_acme, _customerId, invoice) => (tx) => paysWithin(tx, invoice)],
  ];
  for (const [name, restart] of restarts) {
    story(`${name} that comes first leaves one decline`, async ({ on, acme, vendor }) => {
      await on('2025-01-01');
      await withTestDatabase(async (db) => {
        const { customerId, purchase, invoice } = await declinedTwice(db, acme);
        await oneBeforeTheOther(db, restart(acme, customerId, invoice), (tx) => recordOutcome(tx, purchase, DECLINED, []));
        await eventually(async () =>
          expect(await standingOf(db, customerId)).toEqual({ declines: 1, stopped: false, paused: '2025-01-02', looks: '2025-01-02' }),
        );
      });
      await expectsSoundLedger(vendor);
    });

    story(`${name} that comes last leaves none, and the day after the decline`, async ({ on, acme, vendor }) => {
      await on('2025-01-01');
      await withTestDatabase(async (db) => {
        const { customerId, purchase, invoice } = await declinedTwice(db, acme);
        await oneBeforeTheOther(db, (tx) => recordOutcome(tx, purchase, DECLINED, []), restart(acme, customerId, invoice));
        await eventually(async () =>
          expect(await standingOf(db, customerId)).toEqual({ declines: 0, stopped: false, paused: '2025-01-02', looks: '2025-01-02' }),
        );
      });
      await expectsSoundLedger(vendor);
    });
  }
});
