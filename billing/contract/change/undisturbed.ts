import type { ContractSnapshot, Outcome } from '../types.ts';

/**
 * Whether a change that was computed before an outcome still holds after it is written. It does if the outcome only
 * charges on demand, with invoices of their own. Any other write may alter what the change charges, gives back or takes
 * up.
 */
export function leavesChangeAsItIs({ contract }: ContractSnapshot, { effects }: Outcome): boolean {
  const { contracts, lines, invoices, periods, takenUp, undone, handovers, chargedCorrections, creditsBack, grants } = effects;
  const invoiced = new Set(invoices.flatMap(({ lineIds }) => lineIds));
  return (
    contracts.every((one) => one === contract) &&
    lines.length > 0 &&
    lines.every(({ id, kind }) => kind === 'on_demand' && invoiced.has(id)) &&
    [periods, takenUp, undone, handovers, chargedCorrections, creditsBack, grants].every((one) => one.length === 0)
  );
}
