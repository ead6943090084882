import type { Queryable } from '../../db/connect.ts';
import { signContract } from '../../db/contract/sign.ts';
import { deliverWishes } from '../../db/wish/deliver.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit, TASK_QUEUE } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it('a contract is signed with its first period and invoice in one transaction, before anything is told to Temporal', async () => {
  const wish = kit.wishOf(await kit.customer(), await kit.plan('10.00'));
  const { contract } = await kit.db.transaction((tx) => signContract(tx, wish));
  expect(await kit.state(contract.id)).toEqual({ status: 'active', idx: 1, parked: null });
  expect((await kit.invoices(contract.id)).map(({ total }) => total)).toEqual(['10.00']);
});

it('one whose first step fails is signed all the same, not ready and parked with the reason; resumed it has the one invoice', async () => {
  const wish = kit.wishOf(await kit.customer(), await kit.plan('10.00'));
  const { contract, wishes } = await kit.db.transaction((tx) => {
    const query: Queryable['query'] = async (sql, params) => {
      if (sql.includes('"invoice_item"')) throw new Error('no room for lines');
      return tx.query(sql, params);
    };
    return signContract({ query }, wish);
  });
  expect(await kit.state(contract.id)).toEqual({ status: 'not_ready', idx: null, parked: 'Error: no room for lines' });
  expect(await kit.invoices(contract.id)).toEqual([]);
  await deliverWishes(kit.db, kit.client, TASK_QUEUE, wishes);
  expect(await kit.ask(contract.id, 'resume', {})).toBe(contract.id);
  expect(await kit.state(contract.id)).toEqual({ status: 'active', idx: 1, parked: null });
  expect(await kit.invoices(contract.id)).toHaveLength(1);
});
