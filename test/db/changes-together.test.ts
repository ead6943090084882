import type { Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { ChangeIntake, type NewChange } from '../../services/contract/change-together.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { withTestDatabase } from '../support/database.ts';
import { servers } from '../support/servers.ts';
import { changeTo } from '../workflows/inputs.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

describe('contracts that are changed together', () => {
  let kit: Kit;
  let small: string;
  let big: string;
  beforeAll(async () => {
    kit = await openKit(await servers());
    [small, big] = [await kit.plan('10.00', { calls: '0.01' }), await kit.plan('30.00', { calls: '0.02' })];
  });
  afterAll(() => kit.close());

  const signed = (count: number) => Promise.all(Array.from({ length: count }, async () => kit.sign(await kit.customer(), small)));
  const entry = (contractId: string, more: Partial<NewChange> = {}): NewChange => ({
    call: kit.call(contractId),
    input: changeTo(big),
    contractId: newId('Cont'),
    asker: { caller: { type: 'system', id: null } },
    answer: null,
    ...more,
  });
  const keyed = (contractId: string, key: string): NewChange => {
    const one = entry(contractId);
    const ref = { vendorId: kit.vendorId, operation: 'upgrade_contract', key, bodyHash: key };
    const response = { status: 200, body: JSON.stringify(one.contractId), headers: { 'content-type': 'application/json' }, secret: false };
    return { ...one, answer: { ref, response } };
  };
  const changed = (intake: ChangeIntake, entries: readonly NewChange[]) => Promise.all(entries.map((one) => intake.change(one)));
  const customerOf = async (contractId: string): Promise<string> => {
    const [row] = await kit.db.query<{ id: string }>('select customer_id as id from contract where id = $1', [contractId]);
    return row?.id ?? '';
  };
  const chains = () =>
    kit.db.query<{ root: string; contracts: string }>(
      `select root_id as root, string_agg(id || status, ' ' order by id) as contracts from contract where vendor_id = $1 group by 1 order by 1`,
      [kit.vendorId],
    );
  const liveOf = (rootIds: readonly string[]) =>
    kit.db.query<{ id: string; root: string }>(
      `select id, root_id as root from contract where root_id = any($1::text[]) and status = 'active' order by id`,
      [rootIds],
    );
  /** What became of a contract: those of its chain, and all that a change writes, without ids and times. */
  const became = async (db: Database, rootId: string) => {
    const [row] = await db.query<Record<string, unknown>>(
      `with chain as (select * from contract where root_id = $1)
       select
         (select json_agg(json_build_array(status, amount::text, successor_id is null) order by predecessor_id nulls first) from chain) as contracts,
         (select json_agg(json_build_array(i.kind, i.name, i.unit_count::text, i.subtotal::text) order by i.subtotal)
          from invoice_item i where i.contract_id in (select id from chain) and i.invoice_id is not null) as lines,
         (select json_agg(json_build_array(v.status, v.total::text) order by v.total) from invoice v where v.contract_id in (select id from chain))
           as invoices,
         (select json_agg(case when o.slug like '/plan/%' then 'plan' else o.slug end order by o.slug) from usage_owner o where o.root_id = $1) as owned,
         (select json_agg(a.kind order by a.kind) from agenda a where a.contract_id in (select id from chain)) as due,
         (select json_agg(json_build_array(e.type, e.object_sequence, e.caller_type) order by e.type, e.object_sequence)
          from event e where e.object_id in (select id from chain)) as events,
         (select json_agg(json_build_array(p.idx, p.status) order by p.idx, p.status)
          from usage_period p where p.contract_id in (select id from chain)) as periods,
         (select sum(p.amount)::text from ledger_posting p join ledger_transaction t on t.id = p.transaction_id
          join invoice v on v.id = t.invoice_id where v.contract_id in (select id from chain) and p.amount > 0) as booked,
         (select json_agg(json_build_array(o.kind, o.wanted::int) order by o.kind) from outbox o where o.workflow_id = $1) as messages`,
      [rootId],
    );
    return row;
  };

  it('each come to what a change alone comes to, and their invoices are numbered without a gap', async () => {
    const [alone = '', ...roots] = await signed(21);
    const entries = roots.map((id) => entry(id));
    await kit.change(alone, big);
    expect(await changed(new ChangeIntake(kit.db), entries)).toEqual(entries.map(() => true));
    const expected = await became(kit.db, alone);
    expect(expected).toMatchObject({
      contracts: [
        ['moved', '10.00', false],
        ['active', '30.00', true],
      ],
      lines: [
        ['credit', expect.stringContaining('Unused'), '1', '-10.00'],
        ['recurring', 'Flat', '1', '10.00'],
        ['recurring', 'Flat', '1', '30.00'],
      ],
      owned: ['/chain/calls', 'plan', 'calls'],
      messages: [['contract', 2]],
    });
    for (const root of roots) expect(await became(kit.db, root)).toEqual(expected);
    expect(await liveOf(roots)).toEqual(
      entries.map(({ call, contractId: id }) => ({ id, root: call.contractId })).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    const numbers = await kit.db.query<{ number: number }>(
      `select number::int from invoice where contract_id = any($1::text[]) order by number`,
      [entries.map(({ contractId }) => contractId)],
    );
    expect(numbers.map(({ number }, n) => number - n)).toEqual(entries.map(() => numbers[0]?.number));
  });

  it('are without those that something is in the way of, of whom nothing is written', async () => {
    const clock = await kit.clock('2025-01-01T00:00:00Z');
    const [a = '', frozen = '', same = '', parked = '', waits = '', b = ''] = await signed(6);
    const onClock = await kit.sign(await kit.customer(clock), small);
    await kit.freeze(await customerOf(frozen));
    await kit.db.query(`update contract set parked_reason = 'by hand' where id = $1`, [parked]);
    const successor = await kit.change(waits, big, { activation: { type: 'next_cycle' } });
    const [second, third] = [await kit.sign(await customerOf(a), await kit.plan('1.00')), await kit.plan('2.00')];
    const stranger = { vendorId: (await createVendor(kit.db, 'Stranger')).vendorId, contractId: b };
    const key = 'of-one-refused';
    const entries = [
      entry(a),
      entry(second, { input: changeTo(third) }),
      { ...keyed(frozen, key) },
      entry(same, { input: changeTo(newId('Plan')) }),
      entry(parked),
      entry(successor),
      entry(onClock),
      entry(newId('Cont')),
      entry(b),
    ];
    const before = await chains();
    expect(await changed(new ChangeIntake(kit.db), [{ ...entry(b), call: stranger }])).toEqual([false]);
    expect(await chains()).toEqual(before);
    expect(await changed(new ChangeIntake(kit.db), entries)).toEqual(entries.map((one) => [a, b].includes(one.call.contractId)));
    const moved = (await chains()).filter((one) => !before.some((known) => JSON.stringify(known) === JSON.stringify(one)));
    expect(moved.map(({ root }) => root).toSorted()).toEqual([a, b].toSorted());
    expect(await kit.db.query('select key from idempotency where key = $1', [key])).toEqual([]);
  });

  it('wait for no contract and no customer that is locked', async () => {
    const [contract = '', customers = '', free = ''] = await signed(3);
    await withTestDatabase((other) =>
      other.transaction(async (tx) => {
        await tx.query('select from contract where id = $1 for update', [contract]);
        await tx.query('select from customer where id = $1 for update', [await customerOf(customers)]);
        const entries = [entry(contract), entry(customers), entry(free)];
        expect(await changed(new ChangeIntake(kit.db), entries)).toEqual([false, false, true]);
      }),
    );
  });

  it('leave nothing where one waits too long for another transaction: each then goes its own way', async () => {
    const [one = '', other = ''] = await signed(2);
    const customerId = await customerOf(one);
    const intake = new ChangeIntake(kit.db);
    await withTestDatabase((db) =>
      db.transaction(async (tx) => {
        await tx.query(`insert into usage_owner (customer_id, slug, root_id) values ($1, $2, $3)`, [customerId, `/plan/${big}`, other]);
        expect(await changed(intake, [entry(one), entry(other)])).toEqual([false, false]);
      }),
    );
    expect((await liveOf([one, other])).map(({ id }) => id)).toEqual([one, other].toSorted());
    expect(await changed(intake, [entry(one), entry(other)])).toEqual([false, true]);
  });

  it('are made once for each key, by two processes with the same keys in opposite orders, each twice', async () => {
    const roots = await signed(24);
    await withTestDatabase((one) =>
      withTestDatabase(async (other) => {
        const all = async (db: Database, order: readonly string[]) => {
          const entries = [...order, ...order].map((id) => keyed(id, `change-${id}`));
          const made = await changed(new ChangeIntake(db), entries);
          return entries.filter((_, n) => made[n] === true);
        };
        const made = (await Promise.all([all(one, roots), all(other, roots.toReversed())])).flat();
        expect(made.length).toBeGreaterThan(0);
        expect(new Set(made.map(({ call }) => call.contractId)).size).toBe(made.length);
        const untouched = roots.filter((root) => !made.some(({ call }) => call.contractId === root));
        expect((await liveOf(roots)).map(({ id }) => id)).toEqual([...made.map(({ contractId }) => contractId), ...untouched].toSorted());
        const stored = await one.query<{ body: string }>(
          `select response_body as body from idempotency where vendor_id = $1 and key = any($2::text[]) order by 1`,
          [kit.vendorId, roots.map((id) => `change-${id}`)],
        );
        expect(stored.map(({ body }) => body)).toEqual(made.map(({ contractId }) => JSON.stringify(contractId)).toSorted());
      }),
    );
  });
});
