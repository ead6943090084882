import { lockContracts } from '../../db/sql/contract/lock-contracts.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it('a contract is found and locked by its key, without a look at all the others', async () => {
  const contractId = await kit.sign(await kit.customer(), await kit.plan('10.00'));
  await kit.db.transaction(async (tx) => {
    // few contracts would be read whole all the same
    await tx.query('set local enable_seqscan = off');
    expect((await lockContracts(tx, [contractId], 'wait')).map(({ id }) => id)).toEqual([contractId]);
    const scans = await tx.query(`select seq_scan::int as n from pg_stat_xact_user_tables where relname = 'contract'`);
    expect(scans).toEqual([{ n: 0 }]);
  });
});
