import type { Instant } from '../../calendar/instant.ts';
import { type LineGivenBack, lineGivenBack } from '../../invoice/continued.ts';
import { creditOf, lineOfCredit } from '../../invoice/credit.ts';
import type { ChargedLine } from '../../invoice/types.ts';
import { dueByPolicy } from '../charge/charges.ts';
import { movedBy } from '../period/known-end.ts';
import { movedSpan, naturalEndOf, remainingOf } from '../period/time.ts';
import type { Contract } from '../types.ts';
import type { Work } from '../work.ts';

/** What of the running lines is given back. */
interface Limits {
  /** sources to give back, null = all */
  only?: ReadonlySet<string> | null;
  /** ids of lines that are left out */
  except?: ReadonlySet<string>;
  /** nothing before it is given back */
  from?: Instant;
  /** a known end of the contract: nothing after it is given back; null = none */
  until?: Instant | null;
  /** for some lines, by id, an instant that replaces `until`; ignored without `until` */
  untilOf?: ReadonlyMap<string, Instant>;
}

const NONE: ReadonlySet<string> = new Set();
const NO_OTHER: ReadonlyMap<string, Instant> = new Map();

/**
 * Credit lines for the unused part of all running lines, or of those of some sources. A line that an earlier change
 * left without credit stays without.
 *
 * @param payer the contract whose invoice takes them up
 * @returns what was given back from `at` on or later, for charges that continue it
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * giveBack(work, work.snapshot.contract, at('2025-06-16'));
 * work.fresh.map(({ subtotal }) => subtotal) // ['-50.00']
 */
export function giveBack(
  work: Work,
  payer: Contract,
  at: Instant,
  { only = null, except = NONE, from: since = at, until = null, untilOf = NO_OTHER }: Limits = {},
): LineGivenBack[] {
  const given: LineGivenBack[] = [];
  const { contract, customer } = work.snapshot;
  const lost = new Set(contract.carried.lost);
  const isReplaced = replacedAt(work.snapshot.running, at);
  for (const line of work.snapshot.running) {
    if (!isAsked(line, only) || lost.has(line.id) || except.has(line.id)) continue;
    const pauses = movedBy(contract, line, customer.pauses);
    const ahead = remainingOf(line, since, pauses, until && (untilOf.get(line.id) ?? until));
    if (ahead === null) continue;
    const { from, to, share, isCut } = ahead;
    const span = movedSpan(line, pauses);
    const natural = naturalEndOf(line, pauses) ?? span?.end ?? to;
    const naturalEnd = natural > to ? natural : undefined;
    const dueDate = dueByPolicy(payer, { at, span: { start: from, end: to } });
    const place = { contractId: payer.id, newId: work.newId, dueDate, ...(isCut ? { until: { at: to, setAt: at } } : {}), naturalEnd };
    const credit = creditOf(line, share, from);
    const made = lineOfCredit({ ...line, span }, credit, from, place);
    if (made) work.fresh.push(made);
    const back = made || !isReplaced(line) ? lineGivenBack(line, credit, to, natural) : null;
    if (back) given.push(back);
  }
  return given;
}

const isAsked = ({ source }: ChargedLine, only: ReadonlySet<string> | null): boolean => only === null || only.has(source);

/**
 * Whether a later line has taken a line's place. One that had nothing to give back has no credit line that says so, and
 * changes may have left thousands of them: of each source only the latest begin is looked at.
 *
 * @param running all running lines
 */
function replacedAt(running: readonly ChargedLine[], at: Instant): (line: ChargedLine) => boolean {
  const placeOf = ({ kind, source }: ChargedLine): string => `${kind} ${source}`;
  const latest = new Map<string, Instant>();
  for (const line of running) {
    const start = line.span?.start ?? null;
    if (start === null || start > at) continue;
    latest.set(placeOf(line), Math.max(start, latest.get(placeOf(line)) ?? start));
  }
  return (line) => (latest.get(placeOf(line)) ?? Number.NEGATIVE_INFINITY) > (line.span?.start ?? at);
}
