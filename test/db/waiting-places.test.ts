import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { type WaitingFilter, waitingPlaces } from '../../db/sql/invoice/waiting-places.ts';
import { useGeneralPlans } from '../../db/sql/transaction/general-plans.ts';
import { SigningIntake } from '../../services/contract/sign-together.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

const CONTRACTS = 20;

let kit: Kit;
let places: { contractId: string; customerId: string; itemId: string }[];
beforeAll(async () => {
  kit = await openKit(await servers());
  const plan = await kit.plan('10.00');
  const customers = await Promise.all(Array.from({ length: CONTRACTS }, () => kit.customer()));
  const signings = new SigningIntake(kit.db);
  const sign = (customer: string) => {
    const input = { ...kit.signInput(customer, plan), configuration: { invoiceTrigger: 'manual' as const } };
    return signings.sign({ input, contractId: newId('Cont'), asker: { caller: { type: 'system', id: null } }, answer: null });
  };
  await Promise.all(customers.map(sign));
  await kit.db.query('analyze invoice_item');
  places = await kit.db.query(
    `select contract_id as "contractId", customer_id as "customerId", id as "itemId" from invoice_item
     where vendor_id = $1 and invoice_id is null order by customer_id`,
    [kit.vendorId],
  );
});
afterAll(() => kit.close());

const nothing: WaitingFilter = { contractId: null, customerId: null, itemIds: null };

/** What is found, and how many items are read for it. */
async function look(filter: WaitingFilter) {
  return kit.db.transaction(async (tx) => {
    await useGeneralPlans(tx);
    // few items would be read whole all the same
    await tx.query('set local enable_seqscan = off');
    const before = await itemsRead(tx);
    const found = await waitingPlaces(tx, kit.vendorId, filter);
    return { found, read: (await itemsRead(tx)) - before };
  });
}

async function itemsRead(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_xact_user_tables where relname = 'invoice_item'`,
  );
  return row?.n ?? 0;
}

describe(`with an item that waits of each of ${CONTRACTS} contracts, one is read to find`, () => {
  it.each(['contractId', 'customerId', 'itemIds'] as const)('one by %s', async (by) => {
    expect(places).toHaveLength(CONTRACTS);
    const { itemId, ...place } = places[7] ?? { contractId: '', customerId: '', itemId: '' };
    const filter = by === 'itemIds' ? { ...nothing, itemIds: [itemId] } : { ...nothing, [by]: place[by] };
    expect(await look(filter)).toEqual({ found: [place], read: 1 });
  });

  it('one by all three, and none where they contradict each other', async () => {
    const { itemId, ...place } = places[3] ?? { contractId: '', customerId: '', itemId: '' };
    expect(await look({ ...place, itemIds: [itemId] })).toEqual({ found: [place], read: 1 });
    expect((await look({ ...place, customerId: places[4]?.customerId ?? '', itemIds: null })).found).toEqual([]);
  });
});
