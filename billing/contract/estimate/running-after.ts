import type { Ratio } from '../../calendar/ratio.ts';
import type { ChargedLine, Line } from '../../invoice/types.ts';
import { dec, text } from '../../money/decimal.ts';

/**
 * The lines that run after a step that has not been written: those that ran before it and those it made, less what it
 * gave back of them. The loader reads the same from the database once the step is written.
 *
 * @param written all lines of the step
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * giveBack(work, work.snapshot.contract, at('2025-06-16'));
 * runningAfter(work.snapshot.running, work.fresh) // []
 */
export function runningAfter(running: readonly ChargedLine[], written: readonly Line[]): ChargedLine[] {
  const counts = ({ idle }: Line): boolean => idle === undefined;
  const made = written.filter(counts);
  const runs = ({ kind, span }: Line): boolean => (kind === 'recurring' || kind === 'custom') && span?.end != null;
  const fresh = made.filter(runs).map((line): ChargedLine => ({ ...line, invoiceId: null }));
  return [...running, ...fresh].flatMap((line) => {
    const all = written.filter(({ creditOf }) => creditOf === line.id);
    const credits = all.filter(counts);
    if (credits.some(({ derivation }) => derivation.until === undefined)) return [];
    const counted = all.length === 0 ? line : { ...line, credits: (line.credits ?? 0) + all.length };
    return [credits.length === 0 ? counted : lessParts(counted, credits)];
  });
}

/** A line of which parts were given back up to a known end of the contract. */
function lessParts(line: ChargedLine, credits: readonly Line[]): ChargedLine {
  const untils = credits.map(({ derivation }) => derivation.until as { at: number; setAt: number });
  const latest = untils.reduce((a, b) => (b.setAt > a.setAt || (b.setAt === a.setAt && b.at > a.at) ? b : a));
  const givenBack = (field: 'totalExcludingTax' | 'taxAmount' | 'subtotal', before = '0'): string =>
    text(credits.reduce((sum, one) => sum.minus(one[field]), dec(before)));
  return {
    ...line,
    creditedExcludingTax: givenBack('totalExcludingTax', line.creditedExcludingTax),
    creditedTax: givenBack('taxAmount', line.creditedTax),
    rest: {
      ...latest,
      subtotal: givenBack('subtotal', line.rest?.subtotal),
      part: credits.reduce((sum, { derivation }) => sum + (derivation.ratio as Ratio).part, line.rest?.part ?? 0),
    },
  };
}
