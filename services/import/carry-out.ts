import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import { BillingError } from '../../billing/problem.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { ImportOutcome, LineProblem, LineRefusalCode } from '../../db/entities/import.ts';
import { mayPass } from '../../db/fault.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import type { LineInput } from './line.ts';
import { makeByLine } from './make.ts';
import type { Refs } from './refs.ts';

/** A line that waits. */
export interface WaitingLine {
  number: number;
  refKey: string;
  fingerprint: string;
  input: LineInput;
}

/** What became of a line. */
export interface LineOutcome {
  number: number;
  outcome: ImportOutcome;
  code: LineRefusalCode | null;
  problems: LineProblem[] | null;
  objectId: string | null;
  /** a fault of ours, not a refusal */
  error?: unknown;
}

/**
 * Carries out a line, isolated by a savepoint from the others of its transaction. A refusal is its outcome, too; a line
 * whose ref has made something changes nothing.
 *
 * @returns null: it can't be carried out just now
 * @throws for causes that pass, such as a database that is away
 */
export async function carryOut(tx: Tx, vendorId: string, line: WaitingLine, refs: Refs): Promise<LineOutcome | null> {
  const { number, refKey, fingerprint, input } = line;
  const known = refs.get(refKey);
  if (known?.fingerprint === fingerprint) return { number, outcome: 'repeated', code: null, problems: null, objectId: known.objectId };
  try {
    if (known !== undefined) throw changedSince(known.objectId);
    const made = await inSavepoint(tx, () => makeByLine(tx, vendorId, input, refs));
    refs.add(refKey, { ...made, fingerprint });
    return { number, outcome: 'made', code: null, problems: null, objectId: made.objectId };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'clock_advancing') return null;
    if (mayPass(error)) throw error;
    return { number, outcome: 'refused', objectId: known?.objectId ?? null, ...refusalOf(error) };
  }
}

const changedSince = (objectId: string): Refusal =>
  new Refusal('import_line_changed', `A line with this ref has made ${objectId}, and said something else.`, {
    ref: `has made ${objectId} by another line: change that by its own call, or give another ref`,
  });

/** Why a line is refused: the fields to correct, or what is in the way. */
function refusalOf(error: unknown): Pick<LineOutcome, 'code' | 'problems' | 'error'> {
  if (error instanceof BillingError)
    return { code: 'invalid_request', problems: error.problems.map(({ field, message }) => ({ field, fix: message })) };
  if (error instanceof Refusal) {
    const fields = Object.entries(error.feedback).map(([field, fix]) => ({ field, fix }));
    return { code: error.code, problems: fields.length > 0 ? fields : [{ field: 'line', fix: error.message }] };
  }
  const fix = error instanceof CatchingUp ? 'give a later billed_until: too much is due since this one' : 'tell whoever runs Perennial';
  return { code: 'internal_error', problems: [{ field: 'line', fix }], error };
}
