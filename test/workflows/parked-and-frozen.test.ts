import { iso } from '../../billing/calendar/instant.ts';
import { parkedContracts } from '../../db/health/contracts.ts';
import { parkContract } from '../../services/contract/park.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

const HOUR = 3_600_000;
/** Terms that no rule can price, and terms that can't be read at all. */
const POISON = { price: `jsonb_set(terms, '{price,amount}', '"no number"')`, cycle: `jsonb_set(terms, '{cycle}', '"never"')` };

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

/** Spoils a contract; gives back what undoes it. */
async function poison(id: string, kind: keyof typeof POISON): Promise<() => Promise<void>> {
  const [row] = await kit.db.query<{ terms: object }>('select terms from contract where id = $1', [id]);
  await kit.db.query(`update contract set terms = ${POISON[kind]} where id = $1`, [id]);
  return async () => {
    await kit.db.query('update contract set terms = $2::jsonb where id = $1', [id, JSON.stringify(row?.terms)]);
  };
}

const statusOf = async (customer: string): Promise<string | undefined> =>
  (await kit.db.query<{ status: string }>('select status from customer where id = $1', [customer]))[0]?.status;

const dueOf = async (contract: string): Promise<string[]> =>
  (await kit.db.query<{ kind: string; due_at: number }>('select kind, due_at from agenda where contract_id = $1', [contract])).map(
    ({ kind, due_at }) => `${kind} ${iso(due_at)}`,
  );

const invoiceDays = async (contract: string): Promise<string[]> => (await kit.invoices(contract)).map(({ date }) => iso(date).slice(0, 10));

describe('a contract that can not go on', () => {
  it.each(['price', 'cycle'] as const)(
    'is parked when its customer is frozen 10 to 20 January, its neighbour stands still; restored and resumed it goes on to 11 February too (%s)',
    async (kind) => {
      const clock = await kit.clock('2025-01-01T00:00:00.000Z');
      const customer = await kit.customer(clock);
      const [well, sick] = [await kit.sign(customer, await kit.plan('10.00')), await kit.sign(customer, await kit.plan('10.00'))];
      await kit.advance(clock, '2025-01-10');
      const restore = await poison(sick, kind);

      await kit.freeze(customer);
      expect(await statusOf(customer)).toBe('inactive');
      expect((await kit.state(sick)).parked).toMatch(/\w/);
      expect((await kit.state(well)).parked).toBeNull();
      expect(await dueOf(well)).toEqual([]);
      expect((await parkedContracts(kit.db)).map(({ id }) => id)).toContain(sick);

      await kit.advance(clock, '2025-01-20');
      await kit.activate(customer);
      expect(await statusOf(customer)).toBe('active');
      await restore();
      await kit.resume(sick);
      for (const id of [well, sick]) expect(await dueOf(id)).toEqual(['boundary 2025-02-11T00:00:00.000Z']);
      await kit.advance(clock, '2025-03-11');
      for (const id of [well, sick]) expect(await invoiceDays(id)).toEqual(['2025-01-01', '2025-02-11', '2025-03-11']);
    },
  );

  it('is parked when its customer is activated, and makes up for the freeze when it is resumed', async () => {
    const clock = await kit.clock('2025-01-01T00:00:00.000Z');
    const customer = await kit.customer(clock);
    const sick = await kit.sign(customer, await kit.plan('10.00'));
    await kit.advance(clock, '2025-01-10');
    await kit.freeze(customer);
    await kit.advance(clock, '2025-01-20');
    const restore = await poison(sick, 'price');
    await kit.activate(customer);
    expect(await statusOf(customer)).toBe('active');
    expect((await kit.state(sick)).parked).toContain('no number');
    await restore();
    await kit.resume(sick);
    expect(await dueOf(sick)).toEqual(['boundary 2025-02-11T00:00:00.000Z']);
  });

  it('parked at its second hour and frozen meanwhile: resumed, that hour began on time and lasts longer by the frozen time', async () => {
    const customer = await kit.customer();
    const plan = await kit.plan('1.00', { cycle: 'hour' });
    const dueAt = Date.now() + 15_000;
    const id = await kit.sign(customer, plan, { activation: dueAt - HOUR });
    const restore = await poison(id, 'price');
    await eventually(async () => expect((await kit.state(id)).parked).not.toBeNull());
    await kit.freeze(customer);
    const frozen = Date.now();
    await eventually(() => expect(Date.now()).toBeGreaterThan(frozen + 200), { every: 20 });
    await kit.activate(customer);
    await restore();
    await kit.resume(id);

    const [pause] = await kit.db.query<{ ms: number }>(
      'select (extract(epoch from ended - began) * 1000)::int as ms from customer_pause where customer_id = $1',
      [customer],
    );
    const [period] = await kit.db.query<{ start_at: number; end_at: number }>(
      'select start_at, end_at from usage_period where contract_id = $1 and idx = 2',
      [id],
    );
    expect(pause?.ms).toBeGreaterThan(200);
    expect([period?.start_at, period?.end_at]).toEqual([dueAt, dueAt + HOUR + (pause?.ms ?? 0)]);
    const lines = await kit.db.query<{ start: number; end: number }>(
      `select span_start as start, span_end as "end" from invoice_item where contract_id = $1 and kind = 'recurring' order by span_start`,
      [id],
    );
    expect(lines).toEqual([
      { start: dueAt - HOUR, end: dueAt },
      { start: dueAt, end: dueAt + HOUR },
    ]);
  });

  it('is listed though it has ended, when its last usage does not close', async () => {
    const id = await kit.sign(await kit.customer(), await kit.plan('10.00'));
    await kit.cancel(id);
    await kit.db.transaction((tx) => parkContract(tx, id, 'for a test', Date.now()));
    expect((await kit.state(id)).status).toBe('canceled');
    expect(await parkedContracts(kit.db)).toContainEqual({ id, reason: 'for a test' });
    await kit.db.query('update contract set parked_reason = null where id = $1', [id]);
  });
});
