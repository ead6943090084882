import { connect, type Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { signContract } from '../../services/contract/sign.ts';
import { type NewSigning, SigningIntake } from '../../services/contract/sign-together.ts';
import { withTestDatabase } from '../support/database.ts';
import { servers } from '../support/servers.ts';
import { silentServer } from '../support/silent-server.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

describe('contracts that are signed together', () => {
  let kit: Kit;
  let plan: string;
  beforeAll(async () => {
    kit = await openKit(await servers());
    plan = await kit.plan('10.00');
  });
  afterAll(() => kit.close());

  const customers = (count: number) => Promise.all(Array.from({ length: count }, () => kit.customer()));
  const entry = (customer: string, more: Partial<NewSigning> = {}): NewSigning => ({
    input: kit.signInput(customer, plan),
    contractId: newId('Cont'),
    asker: { caller: { type: 'system', id: null } },
    answer: null,
    ...more,
  });
  const keyed = (customer: string, key: string): NewSigning => {
    const one = entry(customer);
    const ref = { vendorId: kit.vendorId, operation: 'sign_contract', key, bodyHash: key };
    const response = { status: 201, body: JSON.stringify(one.contractId), headers: { 'content-type': 'application/json' }, secret: false };
    return { ...one, answer: { ref, response } };
  };
  const signed = (intake: SigningIntake, entries: readonly NewSigning[]) => Promise.all(entries.map((one) => intake.sign(one)));
  const isoDay = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
  const contractsOf = (db: Database, ids: readonly string[]) =>
    db.query<{ id: string; status: string; totals: string[]; events: number }>(
      `select c.id, c.status, array(select i.total::text from invoice i where i.contract_id = c.id) as totals,
         (select count(*)::int from outbox o where o.workflow_id = c.id) as messages
       from contract c where c.customer_id = any($1::text[]) order by c.id`,
      [ids],
    );

  it('each have their first period, invoice and message, and their numbers follow each other without a gap', async () => {
    const ids = await customers(30);
    const entries = ids.map((id) => entry(id));
    expect(await signed(new SigningIntake(kit.db), entries)).toEqual(entries.map(() => true));
    expect(await contractsOf(kit.db, ids)).toEqual(
      entries
        .map(({ contractId: id }) => ({ id, status: 'active', totals: ['10.00'], messages: 1 }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    const numbers = await kit.db.query<{ number: string }>(
      'select number::text from invoice where customer_id = any($1::text[]) order by invoice.number',
      [ids],
    );
    const first = Number(numbers[0]?.number);
    expect(numbers.map(({ number }) => Number(number))).toEqual(numbers.map((_, n) => first + n));
  });

  it('are without those that something is in the way of, of whom nothing is written', async () => {
    const [a = '', b = '', c = '', frozen = ''] = await customers(4);
    await kit.db.query(`update customer set status = 'inactive' where id = $1`, [frozen]);
    const unknownPlan = entry(c, { input: kit.signInput(c, newId('Plan')) });
    const key = 'of-one-refused';
    const entries = [entry(a), entry(a), { ...keyed(frozen, key) }, unknownPlan, entry(newId('Cust')), entry(b)];
    expect(await signed(new SigningIntake(kit.db), entries)).toEqual([true, false, false, false, false, true]);
    const rows = await contractsOf(kit.db, [a, b, c, frozen]);
    expect(rows.map(({ id }) => id)).toEqual([entries[0], entries[5]].map((one) => one?.contractId).toSorted());
    expect(await kit.db.query('select key from idempotency where key = $1', [key])).toEqual([]);
  });

  it('on test clocks are signed at the time of each clock, but for what one has to catch up with or that moves', async () => {
    const [early, late, moving] = [await kit.clock('2025-01-31'), await kit.clock('2027-03-01'), await kit.clock('2025-01-31')];
    await kit.db.query(`update test_clock set status = 'advancing' where id = $1`, [moving]);
    const [a, b, c, d, e] = await Promise.all([early, early, late, null, moving].map((clock) => kit.customer(clock)));
    const past = await kit.customer(early);
    const entries = [a, b, c, d, e].map((id = '') => entry(id));
    const behind = entry(past, { input: { ...kit.signInput(past, plan), activation: Date.parse('2024-12-15') } });
    const before = Date.now();
    expect(await signed(new SigningIntake(kit.db), [...entries, behind])).toEqual([true, true, true, true, false, false]);
    const rows = await kit.db.query<{ customer: string; date: number; next: number; xid: string }>(
      `select c.customer_id as customer, i.date, c.next_cycle_start as next, c.xid::text from contract c join invoice i on i.contract_id = c.id
       where c.customer_id = any($1::text[])`,
      [[a, b, c, d, e, past]],
    );
    const of = (id = '') => rows.filter(({ customer }) => customer === id).map(({ date, next }) => [isoDay(date), isoDay(next)]);
    expect([of(a), of(b), of(c)]).toEqual([[['2025-01-31', '2025-02-28']], [['2025-01-31', '2025-02-28']], [['2027-03-01', '2027-04-01']]]);
    expect(rows.find(({ customer }) => customer === d)?.date).toBeGreaterThanOrEqual(before - 1000);
    expect(rows.length).toBe(4);
    expect(new Set(rows.map(({ xid }) => xid)).size).toBeLessThanOrEqual(2);
  });

  it('wait for no customer that is locked', async () => {
    const [locked = '', free = ''] = await customers(2);
    await withTestDatabase((other) =>
      other.transaction(async (tx) => {
        await tx.query('select from customer where id = $1 for update', [locked]);
        expect(await signed(new SigningIntake(kit.db), [entry(locked), entry(free)])).toEqual([false, true]);
      }),
    );
  });

  it('are without those whose customer has a contract of the plan already', async () => {
    const [one = '', other = ''] = await customers(2);
    const intake = new SigningIntake(kit.db);
    expect(await signed(intake, [entry(one)])).toEqual([true]);
    expect(await signed(intake, [entry(one), entry(other)])).toEqual([false, true]);
    expect((await contractsOf(kit.db, [one, other])).length).toBe(2);
  });

  it('leave nothing where one waits too long for a contract of another transaction: each then goes its own way', async () => {
    const [one = '', other = ''] = await customers(2);
    const intake = new SigningIntake(kit.db);
    await withTestDatabase((db) =>
      db.transaction(async (tx) => {
        await signContract(tx, kit.signInput(one, plan));
        await tx.em.flush();
        expect(await signed(intake, [entry(one), entry(other)])).toEqual([false, false]);
      }),
    );
    expect((await contractsOf(kit.db, [one, other])).length).toBe(1);
    expect(await signed(intake, [entry(one), entry(other)])).toEqual([false, true]);
  });

  it('wait for a Postgres that gives no answer only once, however many they and their callers are', async () => {
    const LIMIT_MS = 2_000;
    const silent = await silentServer();
    const limits = { connect: LIMIT_MS, lock: LIMIT_MS, statement: LIMIT_MS };
    const db = await connect({ databaseUrl: `postgres://nobody@${silent.address}/none`, databasePool: 20, limits });
    try {
      const ofMany = Array.from({ length: 5 }, (_, n) => entry(newId('Cust'), { asker: { caller: { type: 'key', id: `Key_${n}` } } }));
      const ofOne = Array.from({ length: 300 }, () => entry(newId('Cust')));
      const intake = new SigningIntake(db);
      const outcomes = await Promise.allSettled([...ofMany, ...ofOne].map((one) => intake.sign(one)));
      // one each of the five, and two groups of the one, which go side by side
      expect(silent.taken()).toBe(5 + 2);
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    } finally {
      await db.close();
      await silent.close();
    }
  });

  it('are signed once for each key, by two processes with the same keys in opposite orders, each twice', async () => {
    const ids = await customers(40);
    await withTestDatabase((one) =>
      withTestDatabase(async (other) => {
        const all = async (db: Database, order: readonly string[]) => {
          const entries = [...order, ...order].map((id) => keyed(id, `key-${id}`));
          const made = await signed(new SigningIntake(db), entries);
          return entries.filter((_, n) => made[n] === true);
        };
        const made = (await Promise.all([all(one, ids), all(other, ids.toReversed())])).flat();
        const rows = await contractsOf(one, ids);
        expect(rows.map(({ id }) => id)).toEqual(made.map(({ contractId }) => contractId).toSorted());
        expect(new Set(made.map(({ input }) => input.customerId)).size).toBe(made.length);
        const stored = await one.query<{ body: string }>(
          `select response_body as body from idempotency where vendor_id = $1 and key = any($2::text[]) order by 1`,
          [kit.vendorId, ids.map((id) => `key-${id}`)],
        );
        expect(stored.map(({ body }) => body)).toEqual(made.map(({ contractId }) => JSON.stringify(contractId)).toSorted());
      }),
    );
  });
});
