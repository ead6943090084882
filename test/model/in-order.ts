import type { Database } from '../../db/connect.ts';
import { eventually } from '../support/eventually.ts';
import type { Servers } from '../support/servers.ts';
import { alwaysWrong, ledgerWrong, unsettled } from './invariants.ts';
import { journalWrong } from './journal-check.ts';
import { mrrWrong } from './mrr-check.ts';
import { workflowsWrong } from './workflows-check.ts';
import type { World } from './world.ts';

/** A message may wait 20 s for callers, and 30 s more for the relay; the rest is for a machine that does much else. */
const LONGEST = 120_000;

/**
 * Everything that must hold once a world has come to rest: its rows, its workflows, what it was answered, the ledger.
 */
export async function expectInOrder(db: Database, servers: Servers, { vendor, journal }: World, timeout = LONGEST): Promise<void> {
  const { vendorId } = vendor;
  // as long as it becomes less it is not stuck
  for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
    const fewer = async () => {
      const found = await unsettled(db, vendorId);
      if (found.length >= left) expect(found).toEqual([]);
      return found.length;
    };
    left = await eventually(fewer, { timeout });
  }
  await eventually(async () => expect(await workflowsWrong(db, vendorId, servers)).toEqual([]), { timeout, every: 200 });
  expect(await alwaysWrong(db, vendorId)).toEqual([]);
  expect(await journalWrong(db, vendorId, journal)).toEqual([]);
  expect(await ledgerWrong(db, vendorId)).toEqual([]);
  expect(await mrrWrong(db, vendorId)).toEqual([]);
}
