import type { Instant } from '../../billing/calendar/instant.ts';
import { featureOf } from '../../billing/contract/period/sources.ts';
import { boundsIn, type UnitsUntil, type UsageLine, usageParts } from '../../billing/credit/parts.ts';
import type { CoverableLine, Grant, LinePart } from '../../billing/credit/types.ts';
import type { ChargeDerivation } from '../../billing/explain/derivation.ts';
import { readDerivation } from '../../billing/explain/explain-line.ts';
import type { Line } from '../../billing/invoice/types.ts';
import { unitsSince } from '../../billing/usage/count.ts';
import type { Queryable } from '../../db/connect.ts';
import type { LineToCover } from '../../db/sql/credit/coverable-lines.ts';
import { type UsageCut, unitsUntil } from '../../db/sql/credit/units-until.ts';

/** A line with the date of its invoice, which counts where a line has no time of its own. */
export interface DatedLine extends LineToCover {
  date: Instant;
}

type Lives = readonly Pick<Grant, 'effectiveAt' | 'expiresAt'>[];

/** A line, and the grants that may pay for it. */
export interface LineOfGrants {
  line: DatedLine;
  grants: Lives;
}

/**
 * Lines as grants see them: lines of usage divided where the life of a grant begins or ends, by the units that were
 * counted until then, in one statement for all of them. A recurring line is charged at its start, everything else with
 * its invoice.
 *
 * @returns in the order given
 */
export async function dividedLines(db: Queryable, entries: readonly LineOfGrants[]): Promise<CoverableLine[]> {
  const counted = await countedAt(db, entries);
  return entries.map(({ line }) => {
    const { id, planId, kind, source } = line;
    return { id, planId, kind, source, parts: partsOf(line, counted.get(line) ?? []) };
  });
}

/** Lines of usage, with the units at each instant at which they are divided. */
export async function countedLines(
  db: Queryable,
  entries: readonly LineOfGrants[],
): Promise<{ of: DatedLine; line: UsageLine; counted: UnitsUntil[] }[]> {
  const counted = await countedAt(db, entries);
  return entries.flatMap(({ line: of }) => {
    const charged = chargeOf(of);
    return charged === null ? [] : [{ of, line: { ...of, ...charged }, counted: counted.get(of) ?? [] }];
  });
}

async function countedAt(db: Queryable, entries: readonly LineOfGrants[]): Promise<Map<DatedLine, UnitsUntil[]>> {
  const cuts = entries.flatMap(({ line, grants }) => cutsOf(line, grants));
  const units = await unitsAt(db, cuts);
  const counted = new Map<DatedLine, UnitsUntil[]>();
  for (const [place, { line, until }] of cuts.entries()) {
    const known = units[place] ?? null;
    if (known === null) continue;
    const own = counted.get(line) ?? [];
    own.push({ at: until, units: known });
    counted.set(line, own);
  }
  return counted;
}

interface LineCut extends UsageCut {
  line: DatedLine;
  /** the count at which the line's part of the billing period begins */
  base: string;
}

/**
 * The instants at which a line of usage is divided. A source that is no feature has no reported units: all of its line
 * belongs to the beginning.
 */
function cutsOf(line: DatedLine, grants: Lives): LineCut[] {
  const { contractId, periodIdx: idx, source } = line;
  const charged = chargeOf(line);
  if (charged === null || idx === null) return [];
  const slug = featureOf(source) ?? source;
  const base = charged.derivation.began?.units ?? '0';
  const { end } = charged.span;
  return boundsIn(grants, charged.span).map((until) => ({ line, contractId, idx, slug, until, base, isEnd: until === end }));
}

/** The units at each cut. Null at the end of a line without an event at that instant: there is nothing to divide. */
async function unitsAt(db: Queryable, cuts: readonly LineCut[]): Promise<(string | null)[]> {
  if (cuts.length === 0) return [];
  const totals = Map.groupBy(await unitsUntil(db, cuts), ({ place }) => place);
  return cuts.map(({ base, isEnd }, place) => {
    const own = totals.get(place + 1);
    return own === undefined && isEnd ? null : unitsSince(base, own ?? []);
  });
}

function partsOf(line: DatedLine, counted: readonly UnitsUntil[]): LinePart[] {
  const { kind, start, date, totalIncludingTax, currency } = line;
  const charged = chargeOf(line);
  if (charged !== null) return usageParts({ ...charged, totalIncludingTax, currency }, counted);
  const at = (kind === 'recurring' || kind === 'custom') && start !== null ? start : date;
  return [{ at, until: at, amount: totalIncludingTax }];
}

/** How a line of usage was priced, and its time. */
function chargeOf({ derivation, start, end }: DatedLine): {
  span: { start: Instant; end: Instant };
  derivation: ChargeDerivation;
} | null {
  if (derivation === null || start === null || end === null) return null;
  const read = readDerivation(derivation);
  return read.type === 'charge' ? { span: { start, end }, derivation: read } : null;
}

/** A line that prepaid credits may pay. */
export type ContractLine = Line & { contractId: string };

/** Bought credits belong to no contract, and credits never pay for them. */
export const isOfContract = (line: Line): line is ContractLine => line.contractId !== null;

/** A line that isn't written, with the date of its invoice. */
export function unwrittenLine(line: ContractLine, planId: string, date: Instant): DatedLine {
  const { id, contractId, kind, source, currency, span, periodIdx, totalIncludingTax, derivation } = line;
  const time = { start: span?.start ?? null, end: span?.end ?? null };
  const own = { id, invoiceId: null, contractId, planId, kind, source, currency, ...time, periodIdx, totalIncludingTax, date };
  return { ...own, derivation: kind === 'usage' ? derivation : null };
}
