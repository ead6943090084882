import type { Instant } from '../../calendar/instant.ts';
import { advance } from '../advance/advance.ts';
import { advanceAndLook, hasThreshold } from '../charge/threshold.ts';
import { isFrozen } from '../period/time.ts';
import type { ContractSnapshot, NewId, Outcome } from '../types.ts';

/**
 * When open usage is compared with the invoice threshold of a contract, besides the instants at which something else is
 * due; by contract.
 */
export type LooksAhead = ReadonlyMap<string, Instant>;

/**
 * The looks at invoice thresholds that are to come for contracts: those on the agenda, those that come with the end of
 * a freeze, and those that follow an open payment gate, which expires if nothing more happens.
 *
 * @param chain contracts as they stand now
 * @param planned looks on the agenda
 * @param resumeAt when the customer's freeze ends by itself
 * @example
 * const story = signs('2025-01-01', plan('pro'), { configuration: { invoiceThreshold: '100.00' } });
 * const { snapshot } = workOn(story, '2025-01-10');
 * const { id } = snapshot.contract;
 * [...looksAhead([snapshot], new Map([[id, at('2025-01-10')]]), null).values()] // [at('2025-01-10')]
 */
export function looksAhead(chain: readonly ContractSnapshot[], planned: LooksAhead, resumeAt: Instant | null): LooksAhead {
  const instants = chain
    .filter(({ contract }) => hasThreshold(contract))
    .map(({ contract: { id, gate }, customer }) => {
      const at = isFrozen(customer.pauses) ? resumeAt : (gate?.expires ?? planned.get(id));
      return [id, at ?? null] as const;
    });
  return new Map(instants.flatMap(([id, at]) => (at === null ? [] : [[id, at] as const])));
}

/**
 * Carries out for a contract what is due by an instant, with the look at its invoice threshold that goes with it. As
 * long as a look is still to come, something holds early invoices back.
 *
 * @param instants the most that are carried out
 * @example
 * const offer = plan('pro', { features: { calls: usage('1') } });
 * const story = signs('2025-01-01', offer, { configuration: { invoiceThreshold: '100.00' } });
 * story.uses('2025-01-10', 'calls', '120');
 * const { snapshot, newId } = workOn(story, '2025-01-15');
 * const looks = new Map([[snapshot.contract.id, at('2025-01-20')]]);
 * const made = ['2025-01-15', '2025-01-20'].map((day) => carryOutAhead(snapshot, at(day), newId, looks, 1));
 * made.map(({ effects }) => effects.invoices.length) // [0, 1]
 */
export function carryOutAhead(before: ContractSnapshot, at: Instant, newId: NewId, looks: LooksAhead, instants: number): Outcome {
  const { contract } = before;
  const lookAt = looks.get(contract.id);
  if (lookAt !== undefined && lookAt > at) return advance(before, at, newId, { instants });
  return advanceAndLook({ ...before, contract: { ...contract, gate: null } }, at, newId, { instants });
}

/** A look is made once. What is written of a contract ends an open gate, and a look follows at once. */
export function looksAfter({ contract: { id, gate } }: ContractSnapshot, { effects }: Outcome, at: Instant, looks: LooksAhead): LooksAhead {
  const lookAt = looks.get(id);
  if (lookAt === undefined) return looks;
  const left = new Map(looks);
  if (lookAt <= at) left.delete(id);
  else if (gate !== null && effects.contracts.length > 0) left.set(id, at);
  return left;
}
