import { isLive } from '../../billing/contract/period/time.ts';
import type { Tx } from '../../db/connect.ts';
import type { EndingCredits } from '../../db/sql/credit/ending.ts';
import { expireGrants } from '../credit/expire.ts';
import { planLoneExpiries, takeCreditsBack } from '../credit/plan-given.ts';
import type { Decided } from './write.ts';

/** What becomes of prepaid credits once the invoices of the same transaction have been paid. */
export async function moveCreditsAfter(tx: Tx, decided: readonly Decided[], ending: readonly EndingCredits[]): Promise<void> {
  const back = decided.flatMap(({ before: { contract }, outcome }) =>
    outcome.effects.creditsBack.map((one) => ({ ...one, rootId: contract.rootId, customerId: contract.customerId })),
  );
  await takeCreditsBack(tx, back);
  await planLoneExpiries(tx, decided.flatMap(loneCredits));
  // what an invoice that is to be validated may use expires with the validation; the invoice isn't in the database yet
  const pending = new Set(decided.filter(makesPending).map(({ before }) => before.customer.id));
  const over = ending.filter(({ customerId }) => !pending.has(customerId));
  for (const [at, some] of Map.groupBy(over, (one) => one.at)) {
    await expireGrants(tx, some, at);
  }
}

/** The chain whose plan has given credits, where no further cycle of the contract lets them expire. */
function loneCredits({ before: { contract }, outcome }: Decided): string[] {
  const after = outcome.effects.contracts.find(({ id }) => id === contract.id);
  return contract.terms.credits && after !== undefined && isLive(contract) && !isLive(after) ? [contract.rootId] : [];
}

const makesPending = ({ outcome }: Decided): boolean => outcome.effects.invoices.some(({ status }) => status === 'pending_validation');
