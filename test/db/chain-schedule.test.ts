import type { Queryable } from '../../db/connect.ts';
import { readChainSchedule } from '../../db/sql/contract/chain-schedule.ts';
import { cancelContract } from '../../services/contract/cancel.ts';
import { countingReads } from '../support/rows-read.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const ROLLED_BACK = new Error('nobody else shall see these events');

const read = async (chainId: string, since: string | null, db: Queryable = kit.db) => {
  const schedule = await readChainSchedule(db, chainId, since);
  if (schedule === null) throw new Error(`there is no chain ${chainId}`);
  return { seen: schedule.seen, done: schedule.done.map(({ type }) => type) };
};

it('what a chain has not seen is listed once, though others’ later events were committed before it', async () => {
  const plan = await kit.plan('10.00');
  const id = await kit.sign(await kit.customer(), plan);
  const first = await read(id, null);
  const whileOpen = await kit.db.transaction(async (tx) => {
    const request = { when: { type: 'now' as const }, credit: false, notes: null };
    await cancelContract(tx, kit.call(id), request);
    await kit.sign(await kit.customer(), plan);
    return read(id, first.seen);
  });
  expect(whileOpen.done).toEqual([]);
  const afterwards = await read(id, whileOpen.seen);
  expect(afterwards.done).toEqual(['v1.contract.cancellation.completed']);
  expect((await read(id, afterwards.seen)).done).toEqual([]);
});

it('of all events since its last look a chain reads its own alone, however many others have', async () => {
  const customer = await kit.customer();
  const id = await kit.sign(customer, await kit.plan('10.00'));
  const { seen } = await read(id, null);
  const request = { when: { type: 'now' as const }, credit: false, notes: null };
  await kit.db.transaction((tx) => cancelContract(tx, kit.call(id), request));
  const look = async (db: Queryable) => {
    const counting = countingReads(db, ['event']);
    return { ...(await read(id, seen, counting)), read: counting.read };
  };
  const alone = await look(kit.db);
  expect(alone.done).toEqual(['v1.contract.cancellation.completed']);
  const beside = kit.db.transaction(async (tx) => {
    await tx.query(
      `insert into event (id, vendor_id, type, object_id, object_sequence, timestamp, data, actor)
       select 'Evt_' || $1 || n, $1, 'v1.customer.updated', 'Cust_' || $1 || n % 30, n, now(), '{}', 'caller' from generate_series(1, 3000) n`,
      [kit.vendorId],
    );
    await tx.query('analyze event');
    expect(await look(tx)).toEqual(alone);
    throw ROLLED_BACK;
  });
  await expect(beside).rejects.toBe(ROLLED_BACK);
});

it('names its oldest draft and looks at no other, however many invoices and drafts the customer has', async () => {
  const customer = await kit.customer();
  const id = await kit.sign(customer, await kit.plan('10.00'), { configuration: { invoiceTrigger: 'manual' } });
  const automatic = await kit.sign(customer, await kit.plan('10.00'));
  const look = async (chainId: string, db: Queryable) => {
    const counting = countingReads(db, ['invoice', 'invoice_item']);
    const [contract] = (await readChainSchedule(counting, chainId, null))?.contracts ?? [];
    return { draftId: contract?.draftId, isUninvoiced: contract?.isUninvoiced, read: counting.read };
  };
  const beside = kit.db.transaction(async (tx) => {
    const copies = (of: string, from: string, status: string) =>
      tx.query(
        `insert into invoice select (jsonb_populate_record(i, jsonb_build_object('id', 'Inv_' || $1 || $3 || n, 'contract_id', $1::text, 'number', $2::int + n,
           'date', i.date + n * interval '1 hour', 'status', $3::text, 'validated_at', null))).*
         from invoice i, generate_series(1, 2000) n where i.contract_id = $4 and i.status = 'ready_for_payment'`,
        [of, from, status, automatic],
      );
    await copies(id, '10000', 'paid');
    await copies(automatic, '20000', 'pending_validation');
    await tx.query(
      `insert into invoice_item select (jsonb_populate_record(i, jsonb_build_object('id', i.id || n, 'charge_key', i.charge_key || n))).*
       from invoice_item i, generate_series(1, 2000) n where i.contract_id = $1`,
      [id],
    );
    await tx.query('analyze invoice, invoice_item');
    const waiting = await look(id, tx);
    expect(waiting).toMatchObject({ draftId: null, isUninvoiced: true });
    expect(waiting.read).toBeLessThanOrEqual(10);
    await copies(id, '30000', 'pending_validation');
    const drafted = await look(id, tx);
    expect(drafted).toMatchObject({ draftId: `Inv_${id}pending_validation1`, isUninvoiced: true });
    expect(drafted.read).toBeLessThanOrEqual(10);
    throw ROLLED_BACK;
  });
  await expect(beside).rejects.toBe(ROLLED_BACK);
});
