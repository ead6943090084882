import { HOUR } from '../../billing/calendar/instant.ts';
import type { Database } from '../../db/connect.ts';
import { HERD } from '../../db/sql/contract/chain-schedule.ts';
import type { MessageKindName } from '../../temporal/message-kinds.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { plan as planOf, planToSave } from '../support/story-catalogue.ts';
import type { TestVendor } from '../support/vendor.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { changesOf, firsts, invoiceDates, loadImport, setOff, signMonthly, upToNow, whenDone } from './kit.ts';

interface Stage {
  stack: OwnStack;
  db: Database;
  /** the state of a workflow, as Temporal tells it */
  statusOf(workflowId: string): Promise<string>;
}

/** Work of one kind of workflow that has been set off and isn't done. */
export interface Undone {
  /** the business id in the id of its workflow */
  id: string;
  /** Fails unless it has been done, and once. */
  expectDone(): Promise<void>;
}

/** Gets ready what needs a worker; gives back what sets the work off without one. */
type Beginning = (stage: Stage) => Promise<() => Promise<Undone>>;

/** Contracts that are due together; one whose signing takes too long isn't due with them. */
const HERD_SIZE = HERD + 10;
/** Contracts of the plan that is moved. */
const MOVED = 3;
/** Customers of the imported book, each with a contract and a wallet. */
const IMPORTED = 3;
/** Milliseconds from a signing or a freeze to what is due of it. */
const AHEAD = 10_000;

const receiver = new Receiver(() => 500);
afterAll(() => receiver.kill());

/** An active customer who pays with a card. */
async function payer({ api }: TestVendor): Promise<{ id: string; method: string }> {
  const id = await api.made('/v1/c/customer', { name: 'Ada' });
  await api.made(`/v1/c/customer/${id}/activate`, {});
  const session = await api.made<AnyJson>(`/v1/c/customer/${id}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
  const [method] = await api.read(`/v1/c/customer/${id}/payment/method`);
  return { id, method: method.id };
}

/** A vendor with a plan for 10.00 an hour. */
async function hourlyVendor({ stack }: Stage) {
  const vendor = await stack.newVendor();
  const { api } = vendor;
  const plan = await api.made('/v1/c/plan', planToSave(planOf('hourly', '10', { cycle: 'hour' })));
  const signs = (customer: string, activation = Date.now()) =>
    api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'hour', activation: new Date(activation).toISOString() });
  return { vendor, api, signs, customer: () => api.made('/v1/c/customer', { name: 'Ada' }) };
}

const invoicesOf = async ({ api }: TestVendor, customer: string): Promise<AnyJson[]> =>
  (await api.read(`/v1/c/invoice?customer=${customer}`)).hits.map(({ invoice }: AnyJson) => invoice);

/** The amounts that the sandbox has charged and given back of a customer's payments. */
async function sandboxOf({ db }: Stage, customer: string): Promise<{ charged: string[]; returned: string[] }> {
  const charges = await db.query<{ reference: string; amount: string }>(
    `select s.reference, s.amount::text from sandbox_charge s join payment_attempt a on a.provider_key = s.key where a.customer_id = $1`,
    [customer],
  );
  const refunds = await db.query<{ amount: string }>('select amount::text from sandbox_refund where charge_reference = any($1::text[])', [
    charges.map(({ reference }) => reference),
  ]);
  return { charged: charges.map(({ amount }) => amount), returned: refunds.map(({ amount }) => amount) };
}

/** The worker dies while its bill run waits for the number of the first invoice. */
const billRun: Beginning = async (stage) => {
  const { stack, db, statusOf } = stage;
  const { vendor, signs, customer } = await hourlyVendor(stage);
  const invoices = () =>
    db.query<{ contract: string; date: number }>('select contract_id as contract, date from invoice where vendor_id = $1 order by date', [
      vendor.vendorId,
    ]);
  return async () => {
    const herd = new Map<string, number[]>();
    while (herd.size < HERD_SIZE) {
      const dueAt = Date.now() + AHEAD;
      herd.set(await signs(await customer(), dueAt - HOUR), [dueAt - HOUR, dueAt]);
    }
    const lastDue = Math.max(...[...herd.values()].flat());
    await eventually(() => expect(Date.now()).toBeGreaterThan(lastDue), { every: 200 });
    const before = await invoices();
    await db.transaction(async (holder) => {
      await holder.query('select from invoice_counter where vendor_id = $1 for update', [vendor.vendorId]);
      await stack.restart('worker');
      await eventually(async () => expect(await waitingFor(holder, db)).toBeGreaterThan(0));
      await eventually(async () => expect(await statusOf('billRun')).toBe('RUNNING'));
      await stack.kill9('worker');
    });
    expect(await invoices()).toEqual(before);
    return {
      id: '',
      expectDone: async () => {
        const byContract = Map.groupBy(await invoices(), ({ contract }) => contract);
        expect(new Map([...byContract].map(([contract, some]) => [contract, some.map(({ date }) => date)]))).toEqual(herd);
        expect(await statusOf('billRun')).toBe('COMPLETED');
      },
    };
  };
};

/** An event is refused again and again; its receiver takes it when no worker runs any more. */
const webhook: Beginning = async ({ stack }) => {
  const { api } = await stack.newVendor();
  await receiver.start();
  const { id } = await api.made<{ id: string }>('/v1/c/webhook_endpoint', { url: receiver.url, types: ['v1.customer.created'] });
  const customer = await api.made('/v1/c/customer', { name: 'Ada' });
  await eventually(() => expect(receiver.received).not.toEqual([]));
  return async () => {
    receiver.behave = () => 204;
    expect(receiver.taken).toEqual([]);
    const expectDone = async () =>
      expect(receiver.taken.map(({ body }) => [body.type, body.object])).toEqual([['v1.customer.created', customer]]);
    return { id, expectDone };
  };
};

/** The first hour ends. */
const contract: Beginning = async (stage) => {
  const { api, signs, customer } = await hourlyVendor(stage);
  return async () => {
    const dueAt = Date.now() + 2_000;
    const id = await signs(await customer(), dueAt - HOUR);
    const expectDone = async () => {
      const { hits } = await api.read(`/v1/c/invoice?contract=${id}`);
      expect(hits.map(({ invoice }: AnyJson) => Date.parse(invoice.date)).toSorted()).toEqual([dueAt - HOUR, dueAt]);
    };
    return { id, expectDone };
  };
};

/** A freeze ends by itself; a session to set up a payment method is open for a day. */
const customer: Beginning = async ({ stack, db, statusOf }) => {
  const { api } = await stack.newVendor();
  const id = await api.made('/v1/c/customer', { name: 'Ada' });
  return async () => {
    await api.made(`/v1/c/customer/${id}/payment/session`, { provider: 'sandbox' });
    const resumeAt = Date.now() + AHEAD;
    await api.made(`/v1/c/customer/${id}/inactivate`, { resume_at: new Date(resumeAt).toISOString() });
    const expectDone = async () => {
      expect(await db.query('select ended from customer_pause where customer_id = $1', [id])).toEqual([{ ended: resumeAt }]);
      expect(await db.query(`select type from event where object_id = $1 and type = 'v1.customer.activated'`, [id])).toHaveLength(1);
      expect(await statusOf(`customer:${id}`)).toBe('RUNNING');
    };
    return { id, expectDone };
  };
};

const clock: Beginning = async ({ stack }) => {
  const story = await signMonthly(stack);
  return async () => {
    await setOff(story, '2024-03-01T00:00:00Z');
    const expectDone = async () => {
      await whenDone(story);
      expect(await invoiceDates(story)).toEqual(firsts(3));
    };
    return { id: story.clock, expectDone };
  };
};

const planMove: Beginning = async ({ stack, db }) => {
  const { api } = await stack.newVendor();
  const plan = await api.made('/v1/c/plan', planToSave(planOf('pro', '30')));
  const contracts: string[] = [];
  while (contracts.length < MOVED) {
    const customer = await api.made('/v1/c/customer', { name: 'Ada' });
    contracts.push(await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' }));
  }
  await api.made('/v1/c/plan', { id: plan, pricings: planToSave(planOf('pro', '60')).pricings });
  return async () => {
    const id = await api.made(`/v1/c/plan/${plan}/move`, { when: 'now' });
    const expectDone = async () => {
      expect(await api.read(`/v1/c/plan/${plan}/move/${id}`)).toMatchObject({
        status: 'done',
        total: MOVED,
        done: MOVED,
        refused_total: 0,
      });
      expect(await changesOf(db, contracts)).toEqual({ once: MOVED, more: 0, invoices: 0 });
    };
    return { id, expectDone };
  };
};

const importOfABook: Beginning = async ({ stack, db }) => {
  const { api, vendorId } = await stack.newVendor();
  const plan = await api.made('/v1/c/plan', planToSave(planOf('pro', '30')));
  const lines = Array.from({ length: IMPORTED }, (_, n) => [
    { type: 'customer', ref: `cus_${n}`, name: `Ada ${n}` },
    { type: 'contract', ref: `sub_${n}`, customer: `cus_${n}`, plan, currency: 'usd', cycle: 'month', ...upToNow() },
    { type: 'wallet', ref: `bal_${n}`, customer: `cus_${n}`, currency: 'usd', amount: '12.50' },
  ]).flat();
  const id = await loadImport(api, lines);
  const made = () =>
    db.query(
      `select c.name, (select count(*)::int from contract k where k.customer_id = c.id) as contracts,
         (select array_agg(t.amount::text) from wallet w join wallet_transaction t on t.wallet_id = w.id where w.customer_id = c.id) as money
       from customer c where c.vendor_id = $1 order by c.name`,
      [vendorId],
    );
  return async () => {
    await api.made(`/v1/c/import/${id}/start`, {});
    expect(await made()).toEqual([]);
    const expectDone = async () => {
      expect(await api.read(`/v1/c/import/${id}`)).toMatchObject({ status: 'done', done: lines.length, repeated: 0, refused_total: 0 });
      expect(await made()).toEqual(Array.from({ length: IMPORTED }, (_, n) => ({ name: `Ada ${n}`, contracts: 1, money: ['12.50'] })));
    };
    return { id, expectDone };
  };
};

const payment: Beginning = async (stage) => {
  const { vendor, signs } = await hourlyVendor(stage);
  const { id: customer } = await payer(vendor);
  return async () => {
    await signs(customer);
    const attempts = () =>
      stage.db.query<{ id: string; status: string }>('select id, status from payment_attempt where customer_id = $1', [customer]);
    const [attempt] = await attempts();
    const expectDone = async () => {
      expect(await invoicesOf(vendor, customer)).toMatchObject([{ status: 'paid' }]);
      expect(await attempts()).toEqual([{ id: attempt?.id, status: 'succeeded' }]);
      expect(await sandboxOf(stage, customer)).toEqual({ charged: ['10.00'], returned: [] });
    };
    return { id: attempt?.id ?? '', expectDone };
  };
};

const detach: Beginning = async (stage) => {
  const { vendor } = await hourlyVendor(stage);
  const { id: customer, method } = await payer(vendor);
  return async () => {
    await vendor.api.made(`/v1/c/customer/${customer}/payment/method/${method}/detach`, {});
    const expectDone = async () =>
      expect(await stage.db.query('select detach_pending as waits from payment_method where customer_id = $1', [customer])).toEqual([
        { waits: false },
      ]);
    return { id: method, expectDone };
  };
};

const refund: Beginning = async (stage) => {
  const { vendor, api, signs } = await hourlyVendor(stage);
  const { id: customer } = await payer(vendor);
  await signs(customer);
  const [paid] = await eventually(async () => {
    const invoices = await invoicesOf(vendor, customer);
    expect(invoices).toMatchObject([{ status: 'paid' }]);
    return invoices;
  });
  return async () => {
    const { invoice_items } = await api.read(`/v1/c/invoice/${paid.id}`);
    await api.made(`/v1/c/invoice/${paid.id}/credit_note`, { items: [{ invoice_item_id: invoice_items[0].id }], to: 'payment' });
    const given = () =>
      stage.db.query<{ id: string; status: string }>('select id, status from payment_refund where customer_id = $1', [customer]);
    const [made] = await given();
    const expectDone = async () => {
      expect(await given()).toEqual([{ id: made?.id, status: 'succeeded' }]);
      expect(await sandboxOf(stage, customer)).toEqual({ charged: ['10.00'], returned: ['10.00'] });
    };
    return { id: made?.id ?? '', expectDone };
  };
};

/**
 * Work for each kind of workflow: a kind of message that has none here doesn't compile. The bill run comes first: a
 * worker runs for a moment more.
 */
export const EACH_KIND: Readonly<Record<MessageKindName, Beginning>> = {
  bill_run: billRun,
  webhook,
  contract,
  customer,
  clock,
  plan_move: planMove,
  import: importOfABook,
  payment,
  detach,
  refund,
};
