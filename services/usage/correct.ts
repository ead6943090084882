import { planCorrections } from '../../billing/contract/charge/correct-usage.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { isUsagePriced } from '../../billing/pricing/price.ts';
import type { Tx } from '../../db/connect.ts';
import { lockLiveOfChain } from '../../db/contract/open-corrections.ts';
import { newId } from '../../db/id.ts';
import { type ContractRecordRow, toContract } from '../../db/mapping/contract.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import type { CounterKey } from '../../db/sql/usage/recount.ts';
import { loadSnapshots } from '../contract/load.ts';
import { writeEffects } from '../contract/write.ts';

/**
 * Notes that closed usage has changed. The difference waits for the next invoice of the chain's live contract; one open row says it all. Where none
 * lives, or the live one charges in another currency, the contract makes an invoice now; the caller holds it `for update`. Bought units are shown
 * only and a trial is free: they have no difference.
 */
export async function correctUsage(tx: Tx, { contractId, idx, slug }: CounterKey, occasion: string, now: number): Promise<void> {
  const contract = await readContract(tx, contractId);
  if (idx === 0 || !isCharged(contract, slug)) return;
  // held before the row is written: whoever settles it then sees what it is about
  const payer = await lockLiveOfChain(tx, contractId);
  await insertRows(
    tx,
    'usage_correction',
    [{ contract_id: contractId, root_id: contract.rootId, period_idx: idx, feature_slug: slug, occasion, created: stamp(now) }],
    'on conflict do nothing',
  );
  if (payer !== null) return;
  const [snapshot] = await loadSnapshots(tx, [contractId], now, { lock: 'wait' });
  if (snapshot === undefined) throw new Error(`the contract ${contractId} does not exist`);
  await writeEffects(tx, [{ before: snapshot, outcome: planCorrections(snapshot, now, newId), at: now }]);
}

async function readContract(tx: Tx, id: string): Promise<Contract> {
  const [row] = await tx.query<ContractRecordRow>('select * from contract where id = $1', [id]);
  if (row === undefined) throw new Error(`the contract ${id} does not exist`);
  return toContract(row);
}

function isCharged({ terms }: Contract, slug: string): boolean {
  const price = terms.features.find((feature) => feature.slug === slug)?.price ?? null;
  return price !== null && isUsagePriced(price);
}
