import type { Queryable } from '../../db/connect.ts';
import { resumeContract } from '../../services/contract/resume.ts';
import { signContract } from '../../services/contract/sign.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it('a contract is signed with its first period and invoice in one transaction, before anything is told to Temporal', async () => {
  const input = kit.signInput(await kit.customer(), await kit.plan('10.00'));
  const contractId = await kit.db.transaction((tx) => signContract(tx, input), { dispatch: 'later' });
  expect(await kit.state(contractId)).toEqual({ status: 'active', idx: 1, parked: null });
  expect((await kit.invoices(contractId)).map(({ total }) => total)).toEqual(['10.00']);
});

it('one whose first step fails is signed all the same, not ready and parked with the reason; resumed it has the one invoice', async () => {
  const input = kit.signInput(await kit.customer(), await kit.plan('10.00'));
  const contractId = await kit.db.transaction((tx) => {
    const query: Queryable['query'] = async (sql, params) => {
      if (sql.includes('"invoice_item"')) throw new Error('no room for lines');
      return tx.query(sql, params);
    };
    return signContract({ ...tx, query }, input);
  });
  expect(await kit.state(contractId)).toEqual({ status: 'not_ready', idx: null, parked: 'Error: no room for lines' });
  expect(await kit.invoices(contractId)).toEqual([]);
  await kit.db.transaction((tx) => resumeContract(tx, kit.call(contractId)));
  expect(await kit.state(contractId)).toEqual({ status: 'active', idx: 1, parked: null });
  expect(await kit.invoices(contractId)).toHaveLength(1);
});
