import { planCorrections } from '../../billing/contract/correct-usage.ts';
import { isLive } from '../../billing/contract/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { isUsagePriced } from '../../billing/pricing/price.ts';
import type { Tx } from '../connect.ts';
import { loadLives } from '../contract/load.ts';
import { writeEffects } from '../contract/write.ts';
import { newId } from '../id.ts';
import { insertRows, stamp } from '../rows.ts';
import type { CounterKey } from './counter.ts';

/**
 * Notes that closed usage has changed. The difference waits for the contract's next invoice; one open row says it all. An ended contract
 * has no next invoice and makes one now; the caller holds it `for update`. Bought units are shown only and a trial is free: they have no difference.
 *
 * @returns wishes to deliver after the commit
 */
export async function correctUsage(
  tx: Tx,
  contract: Contract,
  { idx, slug }: CounterKey,
  occasion: string,
  now: number,
): Promise<string[]> {
  if (idx === 0 || !isCharged(contract, slug)) return [];
  await insertRows(
    tx,
    'usage_correction',
    [{ contract_id: contract.id, period_idx: idx, feature_slug: slug, occasion, created: stamp(now) }],
    'on conflict do nothing',
  );
  if (isLive(contract)) return [];
  const [life] = await loadLives(tx, [contract.id], now, { lock: 'wait' });
  if (life === undefined) throw new Error(`the contract ${contract.id} does not exist`);
  return writeEffects(tx, [{ before: life, outcome: planCorrections(life, now, newId), at: now }]);
}

function isCharged({ terms }: Contract, slug: string): boolean {
  const price = terms.features.find((feature) => feature.slug === slug)?.price ?? null;
  return price !== null && isUsagePriced(price);
}
