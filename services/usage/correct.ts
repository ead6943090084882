import { hasNextInvoice, planCorrections } from '../../billing/contract/charge/correct-usage.ts';
import { priceOfFeature } from '../../billing/contract/terms/terms.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { isUsagePriced } from '../../billing/pricing/price.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { lockLiveOfChain } from '../../db/sql/contract/lock-live-of-chain.ts';
import { insertCorrection } from '../../db/sql/usage/insert-correction.ts';
import type { CounterKey } from '../../db/sql/usage/part.ts';
import { loadSnapshots } from '../contract/load.ts';
import { writeEffects } from '../contract/write.ts';

/**
 * Notes that closed usage has changed. The difference waits for the next invoice of the chain's live contract; one open
 * row is enough for any number of changes. If no contract is live, or the live one charges in another currency, the
 * closed contract makes an invoice now; the caller has locked it `for update`. A live contract that makes no invoice by
 * itself does the same. Bought units are only shown and a trial is free, so they have no difference.
 */
export async function correctUsage(tx: Tx, { contractId, idx, slug }: CounterKey, occasion: string, now: number): Promise<void> {
  const [contract] = await contractsByIds(tx, [contractId]);
  if (contract === undefined) throw new Error(`the contract ${contractId} does not exist`);
  if (idx === 0 || !isCharged(contract, slug)) return;
  // locked before the row is written: the transaction that bills it then sees what it is about
  const payer = await lockLiveOfChain(tx, contractId);
  await insertCorrection(tx, { contractId, rootId: contract.rootId, idx, slug, occasion, created: now });
  if (payer !== null && !(await invoicesNow(tx, payer))) return;
  const invoicing = payer ?? contractId;
  const [snapshot] = await loadSnapshots(tx, [invoicing], now, { lock: 'wait' });
  if (snapshot === undefined) throw new Error(`the contract ${invoicing} does not exist`);
  await writeEffects(tx, [{ before: snapshot, outcome: planCorrections(snapshot, now, newId), at: now }]);
}

/** Whether no invoice of a live contract is to come by itself, and nothing keeps one from being made. */
async function invoicesNow(tx: Tx, contractId: string): Promise<boolean> {
  const [contract] = await contractsByIds(tx, [contractId]);
  return contract !== undefined && contract.parkedReason === null && contract.gate === null && !hasNextInvoice(contract);
}

interface LateUsage {
  contractId: string;
  /** the contract that it was changed into */
  liveId: string;
  keys: readonly CounterKey[];
  occasion: string;
}

/** Charges what closed usage has become on an invoice of the closed contract itself, now, though its chain goes on. */
export async function chargeLateUsage(tx: Tx, { contractId, liveId, keys, occasion }: LateUsage, now: number): Promise<void> {
  const [contract] = await contractsByIds(tx, [contractId]);
  if (contract === undefined) throw new Error(`the contract ${contractId} does not exist`);
  for (const { idx, slug } of keys) {
    if (isCharged(contract, slug)) await insertCorrection(tx, { contractId, rootId: contract.rootId, idx, slug, occasion, created: now });
  }
  const [live] = await loadSnapshots(tx, [liveId], now, { lock: 'wait' });
  const [own] = await loadSnapshots(tx, [contractId], now, { lock: 'wait' });
  if (live === undefined || own === undefined) throw new Error(`the contract ${contractId} was not changed into ${liveId}`);
  const corrections = live.corrections.filter((correction) => correction.contractId === contractId);
  await writeEffects(tx, [{ before: own, outcome: planCorrections({ ...own, corrections }, now, newId), at: now }]);
}

function isCharged({ terms }: Contract, slug: string): boolean {
  const price = priceOfFeature(terms, slug);
  return price !== null && isUsagePriced(price);
}
