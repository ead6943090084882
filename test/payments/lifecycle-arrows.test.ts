import { DAY } from '../../billing/calendar/instant.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import { initialState, type Machine } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import { paymentGateMachine } from '../../billing/lifecycle/payment-gate.ts';
import { paymentSessionMachine } from '../../billing/lifecycle/payment-session.ts';
import type { ChargeOutcome } from '../../billing/payment/types.ts';
import { connect, type Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { stamp } from '../../db/rows.ts';
import { insertRows } from '../../db/sql/rows.ts';
import { dropAttempt } from '../../services/payment/dunning.ts';
import { recordOutcome } from '../../services/payment/record.ts';
import { concludeSession, expireSession } from '../../services/payment/session.ts';
import { endDueGate } from '../../services/payment-gate/due.ts';
import { flatPrice, planBody } from '../api/support.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

type Arrow = [from: string, to: string];
type Stories = Record<string, () => Promise<Arrow>>;

const BEFORE = '[*]';

let db: Database;
let vendor: TestVendor;
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 2 });
  vendor = await newVendor();
});
afterAll(async () => {
  // no attempt stays open: no workflow carries these out
  for (const attempt of attempts) await hears(attempt, DECLINED);
  await db.close();
});

async function statusOf(table: string, id: string): Promise<string> {
  const [row] = await db.query<{ status: string }>(`select status from ${table} where id = $1`, [id]);
  return row?.status ?? BEFORE;
}

async function arrow(table: string, id: string, act: () => Promise<unknown>): Promise<Arrow> {
  const from = await statusOf(table, id);
  await act();
  return [from, await statusOf(table, id)];
}

const made = async (table: string, id: Promise<string>): Promise<Arrow> => [BEFORE, await statusOf(table, await id)];

// customers

const registers = (): Promise<string> => vendor.api.made('/v1/c/customer', { name: 'Acme' });
const freezes = (id: string): Promise<unknown> => vendor.api.made(`/v1/c/customer/${id}/inactivate`);
const activates = (id: string): Promise<unknown> => vendor.api.made(`/v1/c/customer/${id}/activate`);

async function customerDoes(act: (id: string) => Promise<unknown>, before?: (id: string) => Promise<unknown>): Promise<Arrow> {
  const id = await registers();
  await before?.(id);
  return arrow('customer', id, () => act(id));
}

const CUSTOMER: Stories = {
  'create: [*] to temporary': () => made('customer', registers()),
  'activate: temporary to active': () => customerDoes(activates),
  'freeze: temporary to inactive': () => customerDoes(freezes),
  'freeze: active to inactive': () => customerDoes(freezes, activates),
  'activate: inactive to active': () => customerDoes(activates, freezes),
};

// invoices

/** An invoice of 29.00 that is collected by hand, or of nothing. */
async function invoiced({ amount = '29.00', trigger = 'immediate' } = {}): Promise<string> {
  const customer = await registers();
  const pricing = { currency: 'usd', cycle: 'month', price: flatPrice(amount), features: {} };
  const plan = await vendor.api.made('/v1/c/plan', { ...planBody(customer.toLowerCase()), features: [], pricings: [pricing] });
  const terms = { currency: 'usd', cycle: 'month', automatic_payment: false, invoice_trigger: trigger };
  const contract = await vendor.api.made('/v1/c/contract', { customer, plan, ...terms });
  if (trigger === 'manual') await vendor.api.made('/v1/c/invoice', { contract_id: contract });
  return (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits[0].invoice.id;
}

const REVIEWED = { trigger: 'manual' };

async function invoiceTakes(path: string, body: object, terms: Parameters<typeof invoiced>[0] = {}): Promise<Arrow> {
  const id = await invoiced(terms);
  return arrow('invoice', id, () => vendor.api.made(`/v1/c/invoice/${id}/${path}`, body));
}

async function credits(amount: string | null): Promise<Arrow> {
  const id = await invoiced();
  const { invoice_items: lines } = await vendor.api.read(`/v1/c/invoice/${id}`);
  const items = [{ invoice_item_id: lines[0].id, ...(amount === null ? {} : { amount }) }];
  return arrow('invoice', id, () => vendor.api.made(`/v1/c/invoice/${id}/credit_note`, { items, to: 'wallet' }));
}

const paysByHand = (id: string): Promise<unknown> => vendor.api.made(`/v1/c/invoice/${id}/pay`, { method: 'manual' });

async function grants(id: string, amount: string): Promise<void> {
  const { customer_id } = (await vendor.api.read(`/v1/c/invoice/${id}`)).invoice;
  const body = { currency: 'usd', amount, description: 'a present' };
  await vendor.api.made(`/v1/c/customer/${customer_id}/wallet/transaction`, body);
}

const INVOICE: Stories = {
  'issue_for_review: [*] to pending_validation': () => made('invoice', invoiced(REVIEWED)),
  'issue: [*] to ready_for_payment': () => made('invoice', invoiced()),
  'validate: pending_validation to paid': () => invoiceTakes('validate', {}, { ...REVIEWED, amount: '0' }),
  'validate: pending_validation to ready_for_payment': () => invoiceTakes('validate', {}, REVIEWED),
  'void: pending_validation to voided': () => invoiceTakes('void', {}, REVIEWED),
  'settle: ready_for_payment to paid': () => invoiceTakes('pay', { method: 'manual' }),
  'settle: ready_for_payment to ready_for_payment': async () => {
    const id = await invoiced();
    const after = await arrow('invoice', id, () => grants(id, '9.00'));
    expect((await vendor.api.read(`/v1/c/invoice/${id}`)).amount_due).toBe('20.00');
    return after;
  },
  'credit: ready_for_payment to paid': () => credits(null),
  'credit: ready_for_payment to ready_for_payment': () => credits('9.00'),
  'settle: paid to paid': async () => {
    const id = await invoiced();
    const attempt = await charged(id);
    await hears(attempt, DECLINED);
    await paysByHand(id);
    return arrow('invoice', id, () => hears(attempt, TAKEN));
  },
};

// payment attempts

const TAKEN: ChargeOutcome = { status: 'succeeded', reference: 'ch_late' };
const DECLINED: ChargeOutcome = { status: 'failed', reference: null, reason: 'declined', retryable: true };

const attempts: string[] = [];

/** An attempt whose charge nobody has begun. */
async function charged(invoice: string): Promise<string> {
  const id = newId('Pay');
  attempts.push(id);
  const [owner] = await db.query<{ vendor_id: string; customer_id: string; created: number }>(
    'select vendor_id, customer_id, created from invoice where id = $1',
    [invoice],
  );
  const of = { vendor_id: owner?.vendor_id, customer_id: owner?.customer_id, created: stamp(owner?.created ?? 0), invoice_id: invoice };
  const money = { amount: '29.00', currency: 'usd', provider: 'cardproc', provider_key: id, origin: 'request' };
  await insertRows(db, 'payment_attempt', [{ id, ...of, ...money, status: initialState(paymentAttemptMachine, 'charge') }]);
  return id;
}

const hears = (attempt: string, outcome: ChargeOutcome): Promise<unknown> =>
  db.transaction((tx) => recordOutcome(tx, attempt, outcome, [1]));

async function attemptHears(outcome: ChargeOutcome, before?: ChargeOutcome): Promise<Arrow> {
  const id = await charged(await invoiced());
  if (before !== undefined) await hears(id, before);
  return arrow('payment_attempt', id, () => hears(id, outcome));
}

const ATTEMPT: Stories = {
  'charge: [*] to processing': async () => made('payment_attempt', charged(await invoiced())),
  'record: [*] to succeeded': async () => {
    const invoice = await invoiced();
    await paysByHand(invoice);
    const [row] = await db.query<{ id: string }>('select id from payment_attempt where invoice_id = $1', [invoice]);
    return made('payment_attempt', Promise.resolve(row?.id ?? ''));
  },
  'wait: processing to processing': () => attemptHears({ status: 'pending', reference: null, askAgainAt: Date.now() + DAY }),
  'confirm: processing to succeeded': () => attemptHears(TAKEN),
  'refuse: processing to failed': () => attemptHears(DECLINED),
  'drop: processing to failed': async () => {
    const id = await charged(await invoiced());
    return arrow('payment_attempt', id, () => db.transaction((tx) => dropAttempt(tx, id, Date.now())));
  },
  'confirm: failed to succeeded': () => attemptHears(TAKEN, DECLINED),
};

// payment sessions

async function opens(): Promise<string> {
  const customer = await registers();
  return (await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' })).token;
}

async function sessionEnds(end: (token: string) => Promise<unknown>): Promise<Arrow> {
  const token = await opens();
  return arrow('payment_session', token, () => end(token));
}

const SESSION: Stories = {
  'open: [*] to pending': () => made('payment_session', opens()),
  'succeed: pending to succeeded': () =>
    sessionEnds((token) => vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' })),
  'fail: pending to failed': () =>
    sessionEnds((token) => db.transaction((tx) => concludeSession(tx, token, { status: 'failed', reason: 'no_customer_profile' }))),
  'expire: pending to expired': () =>
    sessionEnds(async (token) => {
      await db.query('update payment_session set expires = created where id = $1', [token]);
      await db.transaction((tx) => expireSession(tx, token));
    }),
};

// payment gates

/** A signing that waits for a slow payment. */
async function waits(): Promise<string> {
  const customer = await registers();
  await activates(customer);
  const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
  await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_slow' });
  const pricing = { currency: 'usd', cycle: 'month', price: flatPrice('29'), features: {} };
  planId ??= vendor.api.made('/v1/c/plan', { ...planBody('gated'), features: [], pricings: [pricing] });
  const terms = { plan: await planId, currency: 'usd', cycle: 'month', payment_gate: { expires_in_hours: 24 } };
  return vendor.api.made('/v1/c/contract', { customer, ...terms });
}
let planId: Promise<string> | null = null;

async function gateStatus(contract: string): Promise<string> {
  const [row] = await db.query<{ status: string }>('select status from payment_gate where contract_id = $1', [contract]);
  return row?.status ?? BEFORE;
}

async function gateArrow(act: (contract: string) => Promise<unknown>): Promise<Arrow> {
  const contract = await waits();
  const from = await gateStatus(contract);
  await act(contract);
  return [from, await gateStatus(contract)];
}

const attemptOf = async (contract: string): Promise<string> => {
  const [row] = await db.query<{ id: string }>('select id from payment_attempt where gate_id = $1', [contract]);
  return row?.id ?? '';
};

const GATE: Stories = {
  'open: [*] to waiting': async () => [BEFORE, await gateStatus(await waits())],
  'succeed: waiting to succeeded': () => gateArrow(async (contract) => hears(await attemptOf(contract), TAKEN)),
  'refuse: waiting to failed': () => gateArrow(async (contract) => hears(await attemptOf(contract), DECLINED)),
  'expire: waiting to expired': () => gateArrow((contract) => db.transaction((tx) => endDueGate(tx, contract, Date.now() + 2 * DAY))),
  'drop: waiting to dropped': () =>
    gateArrow((contract) => vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' } })),
};

describe.each<[string, Machine, Stories]>([
  ['customer', customerMachine, CUSTOMER],
  ['invoice', invoiceMachine, INVOICE],
  ['payment attempt', paymentAttemptMachine, ATTEMPT],
  ['payment gate', paymentGateMachine, GATE],
  ['payment session', paymentSessionMachine, SESSION],
])('the arrows of a %s', (_, { starts, transitions }, stories) => {
  it('has a story for every arrow', () => {
    const arrows = [
      ...starts.map(({ event, to }) => `${event}: ${BEFORE} to ${to}`),
      ...transitions.map(({ from, trigger, to }) => `${trigger}: ${from} to ${to}`),
    ];
    expect(Object.keys(stories)).toEqual(arrows);
  });

  it.each(Object.entries(stories))('%s', async (name, story) => {
    const [from, to] = await story();
    expect(name.split(': ')[1]).toBe(`${from} to ${to}`);
  });
});
