import { DAY, HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { type EmailRow, queueEmailRows } from '../../db/sql/email/queue.ts';
import { grantCredits, type NewGrant, voidGrant } from '../../services/credit/grant.ts';
import { setTopUp } from '../../services/credit/top-up.ts';
import { beginErasure } from '../../services/erasure/begin.ts';
import { openGatedChange } from '../../services/payment-gate/open-change.ts';
import { changeEmailSettings } from '../../services/preferences/email.ts';
import { setAlert } from '../../services/usage-alert/set.ts';
import { enqueue, workflowIdOf } from '../../temporal/message-kinds.ts';
import { changeTo } from './inputs.ts';
import type { Kit } from './kit.ts';
import { reportCalls } from './lifecycle.ts';
import { attemptOf, hastenRetry, openSession, payer, withMethod } from './payer.ts';

/** Milliseconds from now at which something is due that a story waits for. */
const SOON = 3_000;

/** Where a story leads: the workflow, and whose customer's facts it is about. */
interface Played {
  workflowId: string;
  customerId: string;
}

/** What else workflows of contracts and customers wait for, met on the wall clock a few seconds later. */
export interface OtherConcern {
  /** also the name of the recorded history */
  concern: string;
  activity: string;
  play(kit: Kit): Promise<Played>;
  /** SQL: facts of the customer `$1`, in one column */
  facts: string;
  found: string[];
}

const gate = { hours: 1, requireProvider: () => undefined, returnUrl: () => 'http://localhost/' };
const ATTEMPTS = 'select status as fact from payment_attempt where customer_id = $1';
const TOTALS = 'select total as fact from invoice where customer_id = $1 order by number';

const ofCustomer = (customerId: string): Played => ({ workflowId: workflowIdOf('customer', customerId), customerId });

/** Credits that are a gift of 20.00 for a day, unless more is said. */
export function grant({ db, vendorId }: Kit, customerId: string, more: Partial<NewGrant> = {}): Promise<string> {
  const owner = { vendorId, customerId, currency: 'usd' as const };
  const plain = { effectiveAt: null, price: null, priority: 50, features: null, plans: null, description: null };
  const gift = { ...owner, ...plain, kind: 'promotional' as const, amount: '20', expiresAt: Date.now() + DAY };
  return db.transaction((tx) => grantCredits(tx, { ...gift, ...more }));
}

async function openGate(kit: Kit, contractId: string, planId: string): Promise<void> {
  await kit.db.transaction((tx) => openGatedChange(tx, kit.call(contractId), changeTo(planId), null, gate));
}

async function endGateSoon(kit: Kit, contractId: string): Promise<void> {
  await kit.db.query(`update payment_gate set expires = clock_timestamp() + $2 * interval '1 ms' where from_contract_id = $1`, [
    contractId,
    SOON,
  ]);
  await hastenRetry(kit, contractId, 'payment_gate');
}

export const OTHER_CONCERNS: readonly OtherConcern[] = [
  {
    concern: 'customer whose freeze ends',
    activity: 'endFreeze',
    play: async (kit) => {
      const customer = await kit.customer();
      await kit.sign(customer, await kit.plan('10.00'));
      await kit.freeze(customer, Date.now() + 60 * HOUR);
      await kit.freeze(customer, Date.now() + SOON);
      return ofCustomer(customer);
    },
    facts: 'select status as fact from customer where id = $1',
    found: ['active'],
  },
  {
    concern: 'usage that has come to its threshold',
    activity: 'invoiceUsageSoFar',
    play: async (kit) => {
      const customerId = await withMethod(kit, 'sandbox_slow');
      const configuration = { automaticPayment: false, invoiceThreshold: '100.00' };
      const id = await kit.sign(customerId, await kit.plan('10.00', { calls: '1.00' }), { configuration });
      await reportCalls(kit, customerId, '130', Date.now());
      await openGate(kit, id, await kit.plan('30.00', { calls: '1.00' }));
      await attemptOf(kit, customerId, 'processing');
      await reportCalls(kit, customerId, '120', Date.now());
      await endGateSoon(kit, id);
      return { workflowId: id, customerId };
    },
    facts: TOTALS,
    found: ['10.00', '130.00', '120.00'],
  },
  {
    concern: 'a change that was not paid in time',
    activity: 'endPaymentGate',
    play: async (kit) => {
      const customerId = await withMethod(kit, 'sandbox_slow');
      const id = await kit.sign(customerId, await kit.plan('10.00'), { configuration: { automaticPayment: false } });
      await openGate(kit, id, await kit.plan('30.00'));
      await attemptOf(kit, customerId, 'processing');
      await endGateSoon(kit, id);
      return { workflowId: id, customerId };
    },
    facts: `select status || case when gate is null then '' else ' gated' end as fact from contract where customer_id = $1
      union all select 'gate ' || status from payment_gate where customer_id = $1`,
    found: ['active', 'gate expired'],
  },
  {
    concern: 'retry on the wall clock',
    activity: 'collectPayment',
    play: async (kit) => {
      const { customer: customerId, contract } = await payer(kit, 'sandbox_declined');
      await attemptOf(kit, customerId, 'failed');
      await hastenRetry(kit, contract);
      return { workflowId: contract, customerId };
    },
    facts: ATTEMPTS,
    found: ['failed', 'failed'],
  },
  {
    concern: 'an unpaid invoice that ends its contract',
    activity: 'endDunning',
    play: async (kit) => {
      const customerId = await withMethod(kit, 'sandbox_declined');
      const id = await kit.sign(customerId, await kit.plan('10.00'), { configuration: { onDunningEnd: 'cancel' } });
      await attemptOf(kit, customerId, 'failed');
      await hastenRetry(kit, id, 'dunning_end');
      return { workflowId: id, customerId };
    },
    facts: 'select status as fact from contract where customer_id = $1',
    found: ['canceled'],
  },
  {
    concern: 'customer whose purchase is charged again',
    activity: 'collectPayments',
    play: async (kit) => {
      const customerId = await withMethod(kit, 'sandbox_declined');
      await grant(kit, customerId, { kind: 'purchased', price: '15' });
      await attemptOf(kit, customerId, 'failed');
      await hastenRetry(kit, workflowIdOf('customer', customerId));
      return ofCustomer(customerId);
    },
    facts: ATTEMPTS,
    found: ['failed', 'failed'],
  },
  {
    concern: 'customer with sessions',
    activity: 'expireSessions',
    play: async (kit) => {
      const customerId = await kit.customer();
      await openSession(kit, customerId, null, Date.now() - DAY + SOON);
      await openSession(kit, customerId, null);
      return ofCustomer(customerId);
    },
    facts: 'select status as fact from payment_session where customer_id = $1 order by created',
    found: ['expired', 'pending'],
  },
  {
    concern: 'customer whose credits expire',
    activity: 'expireCredits',
    play: async (kit) => {
      const customerId = await kit.customer();
      await grant(kit, customerId);
      await grant(kit, customerId, { expiresAt: Date.now() + SOON });
      return ofCustomer(customerId);
    },
    facts: `select m.kind || ' ' || m.amount as fact from credit_movement m join credit_grant g on g.id = m.grant_id
      where g.customer_id = $1 order by m.id`,
    found: ['granted 20.00', 'granted 20.00', 'expired -20.00'],
  },
  {
    concern: 'customer whose credits are looked at',
    activity: 'lookAtCredits',
    play: async (kit) => {
      const customerId = await kit.customer();
      await grant(kit, customerId);
      const voided = await grant(kit, customerId);
      const alert = { customerId, on: 'balance' as const, slug: null, steps: ['25'] };
      await kit.db.transaction((tx) => setAlert(tx, { vendorId: kit.vendorId, ...alert }));
      await kit.db.transaction((tx) => voidGrant(tx, kit.vendorId, voided));
      return ofCustomer(customerId);
    },
    facts: 'select r.step as fact from usage_alert_reached r join usage_alert a on a.id = r.watch_id where a.customer_id = $1',
    found: ['25'],
  },
  {
    concern: 'customer with a top-up',
    activity: 'topUp',
    play: async (kit) => {
      const customerId = await withMethod(kit, 'sandbox_ok');
      await grant(kit, customerId);
      const owner = { vendorId: kit.vendorId, customerId, currency: 'usd' as const };
      const topUp = { ...owner, below: '30', amount: '50', price: '45', atMostPerMonth: '500' };
      await kit.db.transaction((tx) => setTopUp(tx, topUp));
      return ofCustomer(customerId);
    },
    facts: `select status || ' ' || total as fact from invoice where customer_id = $1`,
    found: ['paid 45.00'],
  },
  {
    concern: 'customer erased',
    activity: 'eraseSome',
    play: async (kit) => {
      const customerId = await kit.customer();
      await kit.db.transaction((tx) => beginErasure(tx, kit.vendorId, customerId));
      return ofCustomer(customerId);
    },
    facts: `select case when erasure_ended is null then 'some is left' else 'nothing is left' end as fact from customer where id = $1`,
    found: ['nothing is left'],
  },
  {
    concern: 'customer with emails',
    activity: 'remind',
    play: async (kit) => {
      const customerId = await kit.customer();
      await kit.db.transaction((tx) => changeEmailSettings(tx, kit.vendorId, { enabled: true, from: 'billing@acme.example' }));
      const planned = (kind: string, subject: string, dueAt: Instant | null): EmailRow => ({
        customerId,
        kind,
        subject: `${subject}:${customerId}`,
        detail: { email: 'frozen', object: customerId },
        dueAt,
      });
      const [soon, later] = [Date.now() + SOON, Date.now() + DAY];
      const rows = [planned('email', 'frozen', null), planned('card_reminder', 'soon', soon), planned('card_reminder', 'later', later)];
      await kit.db.transaction(async (tx) => {
        await queueEmailRows(tx, rows);
        enqueue(tx, 'customer', customerId);
      });
      return ofCustomer(customerId);
    },
    facts: `select kind || ' ' || split_part(subject, ':', 1) as fact from agenda where customer_id = $1`,
    found: ['card_reminder later'],
  },
];

export async function factsOfCustomer({ db }: Kit, { facts }: OtherConcern, { customerId }: Played): Promise<string[]> {
  const rows = await db.query<{ fact: string }>(facts, [customerId]);
  return rows.map(({ fact }) => fact);
}
