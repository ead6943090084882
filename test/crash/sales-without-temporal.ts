import { HOUR } from '../../billing/calendar/instant.ts';
import { planBody, signedContract } from '../api/support.ts';
import type { AnyJson, Api, TestResponse } from '../support/api.ts';
import { api as callsOf } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { fairTimeOf } from '../support/fair-clock.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { plan as planOf, planToSave } from '../support/story-catalogue.ts';
import { temporalAt } from '../support/temporal.ts';
import { stackOfFile } from './kit.ts';

/** Milliseconds to get ready before the hours end that end while no workflow runs. */
const AHEAD = 30_000;

let stack: OwnStack;
let api: Api;
let hourly: string;
let changeable: Awaited<ReturnType<typeof signedContract>>;

const customer = (): Promise<string> => api.made('/v1/c/customer', { name: 'Ada' });
const statusOf = async (contract: string): Promise<string> => (await api.read(`/v1/c/contract/${contract}`)).contract_summary.status;

/** A contract by the hour whose hour ends at this instant. */
async function signsHour(endsAt: number, words: object = {}): Promise<{ contract: string; customerId: string; endsAt: number }> {
  const customerId = await customer();
  const activation = new Date(endsAt - HOUR).toISOString();
  const contract: string = await api.made('/v1/c/contract', {
    customer: customerId,
    plan: hourly,
    currency: 'usd',
    cycle: 'hour',
    activation,
    ...words,
  });
  return { contract, customerId, endsAt };
}

/** The instants at which the plan's price of an hour was charged. */
async function hoursOf(contract: string): Promise<number[]> {
  const { hits } = await api.read(`/v1/c/invoice?contract=${contract}&limit=100`);
  const whole = hits.filter(({ invoice_items }: AnyJson) => invoice_items.some(({ subtotal }: AnyJson) => subtotal === '29.00'));
  return whole.map(({ invoice }: AnyJson) => Date.parse(invoice.date)).sort();
}

/** A customer who pays by a method that works. */
async function payer(): Promise<string> {
  const id = await customer();
  await api.made(`/v1/c/customer/${id}/activate`, {});
  const session = await api.made<AnyJson>(`/v1/c/customer/${id}/payment/session`, { provider: 'sandbox' });
  await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
  return id;
}

const paymentsOf = async (customerId: string): Promise<string[]> => {
  const { hits } = await api.read(`/v1/c/invoice?customer=${customerId}`);
  const details = await Promise.all(hits.map(({ invoice }: AnyJson) => api.read(`/v1/c/invoice/${invoice.id}`)));
  return details.flatMap(({ payments }) => payments.map(({ status, amount }: AnyJson) => `${status} ${amount}`));
};

const chargesOf = async (customerId: string): Promise<number> => {
  const charges = await withTestDatabase(
    (db) =>
      db.query('select 1 from sandbox_charge s join payment_attempt a on a.provider_key = s.key where a.customer_id = $1', [customerId]),
    stack.servers,
  );
  return charges.length;
};

const readiness = () => callsOf(null, stack.servers.baseUrl).get('/readyz');

/** How Temporal and the only worker are stopped, and started again. */
const absences: Record<string, () => Promise<() => Promise<void>>> = {
  'killed with -9': async () => {
    await Promise.all([stack.kill9('worker'), stack.kill9('temporal')]);
    return async () => {
      // what it would still have sent is gone with it
      await stack.kill9('api');
      for (const part of ['temporal', 'worker', 'api'] as const) await stack.restart(part);
    };
  },
  'standing still': async () => {
    const proceed = [await stack.halt('worker'), await stack.halt('temporal')];
    return async () => {
      for (const one of proceed) one();
    };
  },
};

describe.each(Object.keys(absences))('with Temporal and every worker %s', (how) => {
  beforeAll(async () => {
    stack = await stackOfFile();
  });
  beforeEach(async () => {
    const vendor = await stack.newVendor();
    api = vendor.api;
    const body = planBody('hourly');
    hourly = await api.made('/v1/c/plan', { ...body, pricings: body.pricings.map((pricing: object) => ({ ...pricing, cycle: 'hour' })) });
    changeable = await signedContract(vendor);
  });

  it('callers are served as ever, and afterwards all is caught up, on time and once', async () => {
    const endsAt = Date.now() + AHEAD;
    const { contractId, customerId } = changeable;
    const [canceled, frozen, due, closable] = [
      await signsHour(endsAt + HOUR / 2),
      await signsHour(endsAt + HOUR / 2),
      await signsHour(endsAt),
      await signsHour(endsAt - HOUR, { usage_period_closing_policy: 'manual' }),
    ];
    const [buyer, asker] = [await payer(), await payer()];
    const sold = await api.made('/v1/c/plan', planToSave(planOf('pro', '100')));
    await api.made('/v1/c/contract', { customer: asker, plan: sold, currency: 'usd', cycle: 'month', automatic_payment: false });
    const comeBack = await absences[how]?.();

    const answers: Record<string, TestResponse> = {
      sign: await api.post('/v1/c/contract', {
        customer: await customer(),
        plan: hourly,
        currency: 'usd',
        cycle: 'hour',
        activation: new Date(endsAt - HOUR).toISOString(),
      }),
      buy: await api.post('/v1/c/contract', { customer: buyer, plan: sold, currency: 'usd', cycle: 'month' }),
      use: await api.post('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '7' }),
      upgrade: await api.post(`/v1/c/contract/${contractId}/upgrade`, {
        upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '9' } },
      }),
      cancel: await api.post(`/v1/c/contract/${canceled.contract}/cancel`, { when: { type: 'now' } }),
      freeze: await api.post(`/v1/c/customer/${frozen.customerId}/inactivate`, { notes: 'overdue' }),
      close: await api.post(`/v1/c/contract/${closable.contract}/usage_period/1/close`, {}),
    };
    expect(Object.fromEntries(Object.entries(answers).map(([what, { status }]) => [what, status]))).toEqual({
      sign: 201,
      buy: 201,
      use: 200,
      upgrade: 200,
      cancel: 200,
      freeze: 200,
      close: 200,
    });
    expect(await readiness()).toMatchObject({ status: 200, body: { status: 'degraded', temporal: { ok: false }, worker: { ok: false } } });
    expect(await statusOf(contractId)).toBe('moved');
    expect(await statusOf(canceled.contract)).toBe('canceled');
    expect((await api.post(`/v1/c/customer/${frozen.customerId}/activate`, {})).status).toBe(200);
    expect(await paymentsOf(buyer)).toEqual(['processing 100.00']);
    await expectAnswerWithoutOutcome(asker);
    await eventually(() => expect(Date.now()).toBeGreaterThan(endsAt), { every: 200 });
    const signed: string = answers.sign?.body;
    expect([await hoursOf(due.contract), await hoursOf(signed)]).toEqual([[endsAt - HOUR], [endsAt - HOUR]]);

    await comeBack?.();
    await eventually(async () =>
      expect([await hoursOf(due.contract), await hoursOf(signed)]).toEqual([
        [endsAt - HOUR, endsAt],
        [endsAt - HOUR, endsAt],
      ]),
    );
    for (const payer of [buyer, asker]) {
      await eventually(async () => expect(await paymentsOf(payer)).toEqual(['succeeded 100.00']));
      expect(await chargesOf(payer)).toBe(1);
    }
    await eventually(async () => expect(await readiness()).toMatchObject({ body: { status: 'ready' } }));
    await expectAllSignalled();
    await expectWorkflows({
      [signed]: 'RUNNING',
      [contractId]: 'RUNNING',
      [answers.buy?.body]: 'RUNNING',
      [canceled.contract]: 'COMPLETED',
    });
  });
});

/** Paying is answered after 10 s with the attempt still open. */
async function expectAnswerWithoutOutcome(customerId: string): Promise<void> {
  const [open] = (await api.read(`/v1/c/invoice?customer=${customerId}`)).hits;
  const began = Date.now();
  const pay = async (): Promise<void> => {
    const { status, body } = await api.post(`/v1/c/invoice/${open.invoice.id}/pay`, {});
    expect([status, body.invoice.deposit_transaction_status]).toEqual([200, 'processing']);
    expect(body.payments).toMatchObject([{ status: 'processing', amount: '100.00' }]);
  };
  const alive = () => fetch(`${stack.servers.baseUrl}/healthz`);
  expect(await fairTimeOf(pay, alive)).toBeLessThan(15_000);
  expect(Date.now() - began).toBeGreaterThan(9_000);
}

/** Every message that was committed has been sent. */
async function expectAllSignalled(): Promise<void> {
  const open = () => withTestDatabase((db) => db.query('select kind, workflow_id from outbox where sent < wanted'), stack.servers);
  await eventually(async () => expect(await open()).toEqual([]));
}

async function expectWorkflows(expected: Record<string, string>): Promise<void> {
  const temporal = temporalAt(stack.servers.temporalAddress);
  try {
    const { workflow } = temporal.client;
    const found = async () =>
      Object.fromEntries(
        await Promise.all(Object.keys(expected).map(async (id) => [id, (await workflow.getHandle(id).describe()).status.name])),
      );
    await eventually(async () => expect(await found()).toEqual(expected));
  } finally {
    await temporal.close();
  }
}
