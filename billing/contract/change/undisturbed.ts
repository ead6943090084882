import type { ContractSnapshot, Outcome } from '../types.ts';

/**
 * Whether what is written of a contract leaves a change as it is that was computed before: charges on demand, with
 * invoices of their own, and nothing else. All other writes may change what the change charges, gives back or takes up.
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
