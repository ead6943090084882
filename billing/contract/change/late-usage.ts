import type { ContractSnapshot, Outcome, UsageTotal } from '../types.ts';

/** A feature's usage in a period of a contract. */
interface LateUsage {
  contractId: string;
  idx: number;
  slug: string;
}

/**
 * Usage of periods that a change has closed and charged, reported after the instant of the change, that stays with the
 * old contract: usage dated up to that instant, and usage that the new contract has no price for.
 *
 * @param now the totals by now; those of the snapshot are what the change has charged
 */
export function lateUsage({ contract, usage }: ContractSnapshot, now: readonly UsageTotal[], { effects }: Outcome): LateUsage[] {
  const closed = new Map(
    effects.periods.flatMap(({ contractId, idx, status, goesOn }) =>
      contractId === contract.id && status === 'closed' ? [[idx, goesOn]] : [],
    ),
  );
  const stays = new Set(effects.handovers.flatMap(({ except }) => except));
  const ownUnits = ({ slug, units, unitsUntilNow }: UsageTotal) => (stays.has(slug) ? units : unitsUntilNow);
  return now.flatMap((total) => {
    const { periodIdx: idx, slug } = total;
    const then = usage.find((one) => one.periodIdx === idx && one.slug === slug);
    const goesOn = closed.get(idx);
    const isCharged = goesOn !== undefined && !goesOn.includes(`feature:${slug}`);
    const isLate = (then === undefined ? '0' : ownUnits(then)) !== ownUnits(total);
    return isCharged && isLate ? [{ contractId: contract.id, idx, slug }] : [];
  });
}
