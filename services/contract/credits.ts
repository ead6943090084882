import type { Instant } from '../../billing/calendar/instant.ts';
import { isLive } from '../../billing/contract/period/time.ts';
import type { Tx } from '../../db/connect.ts';
import type { EndingCredits } from '../../db/sql/credit/ending.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { expireGrants, expireInto } from '../credit/expire.ts';
import { planLoneExpiries, takeCreditsBack } from '../credit/plan-given.ts';
import type { LastOn } from '../wallet/move.ts';
import type { Decided } from './write.ts';

/** What becomes of prepaid credits once the invoices of the same transaction have been paid. */
export async function moveCreditsAfter(tx: Tx, decided: readonly Decided[], ending: readonly EndingCredits[]): Promise<void> {
  const back = decided.flatMap(({ before: { contract }, outcome }) =>
    outcome.effects.creditsBack.map((one) => ({ ...one, rootId: contract.rootId, customerId: contract.customerId })),
  );
  await takeCreditsBack(tx, back);
  await planLoneExpiries(tx, decided.flatMap(loneCredits));
  for (const [at, some] of overByInstant(decided, ending)) await expireGrants(tx, some, at);
}

/**
 * How credits that end go on while the invoices of the same transaction are paid; undefined where none do.
 *
 * @param decided what the transaction writes
 */
export function lastingOn(tx: Tx, decided: readonly Decided[], ending: readonly EndingCredits[]): LastOn | undefined {
  const over = overByInstant(decided, ending);
  if (over.size === 0) return undefined;
  return async (owners) => {
    const isPaying = ({ customerId, currency }: EndingCredits): boolean =>
      owners.some((one) => one.customerId === customerId && one.currency === currency);
    const grants: OpenGrant[] = [];
    for (const [at, some] of over) grants.push(...(await expireInto(tx, some.filter(isPaying), at)));
    return grants;
  };
}

function overByInstant(decided: readonly Decided[], ending: readonly EndingCredits[]): Map<Instant, EndingCredits[]> {
  // what an invoice that is to be validated may use expires with the validation; the invoice isn't in the database yet
  const pending = new Set(decided.filter(makesPending).map(({ before }) => before.customer.id));
  return Map.groupBy(
    ending.filter(({ customerId }) => !pending.has(customerId)),
    ({ at }) => at,
  );
}

/** The chain whose plan has given credits, where no further cycle of the contract lets them expire. */
function loneCredits({ before: { contract }, outcome }: Decided): string[] {
  const after = outcome.effects.contracts.find(({ id }) => id === contract.id);
  return contract.terms.credits && after !== undefined && isLive(contract) && !isLive(after) ? [contract.rootId] : [];
}

const makesPending = ({ outcome }: Decided): boolean => outcome.effects.invoices.some(({ status }) => status === 'pending_validation');
