import { Import, ImportLine, type ImportLineRecord, type ImportRecord } from '../../db/entities/import.ts';
import { FOR_UPDATE, lockOne } from '../../db/sql/lock.ts';
import { updateMany } from '../../db/sql/write-many.ts';
import type { Caller, Tx } from '../../db/transaction.ts';
import { carryOut, type LineOutcome, type WaitingLine } from './carry-out.ts';
import type { LineInput } from './line.ts';
import { Refs } from './refs.ts';

/** Lines of one transaction. */
const AT_ONCE = 100;

/** What a transaction has done of an import. */
export interface BatchDone {
  /** the place up to which the round has come; null: it has come to its end */
  after: string | null;
  /** lines that wait for a test clock */
  left: number;
  failed: { number: number; error: unknown }[];
}

/**
 * Carries out the next lines of an import that runs, and writes what became of them, in one transaction: after a kill
 * none of it has happened, or all of it.
 *
 * @param after the place up to which the round has come; null: it begins
 */
export async function importBatch(tx: Tx, importId: string, after: string | null): Promise<BatchDone> {
  // a call that discards its waiting lines has to wait for this transaction; a call that stops it hasn't
  const own = await lockOne(tx.em, Import, { id: importId }, 'key share');
  if (own === null) throw new Error(`the import ${importId} is gone`);
  const { vendorId, status } = own;
  // a second run of the same step waits here, and then finds the outcomes
  const lines = status === 'running' ? await nextLines(tx, importId, after) : [];
  const waiting = lines.map(waitingLine);
  const refs = await refsOf(tx, vendorId, waiting);
  const awaited = await awaitedCustomers(tx, importId, waiting, lines[0]?.position);
  const outcomes = await carryOutInOrder(tx, vendorId, waiting, { refs, awaited });
  await write(tx, own, refs, outcomes);
  return {
    after: lines.length < AT_ONCE ? null : (lines.at(-1)?.position ?? null),
    left: lines.length - outcomes.length,
    failed: outcomes.flatMap(({ number, error }) => (error === undefined ? [] : [{ number, error }])),
  };
}

/**
 * Carries lines out, one after the other. A line that names a customer that waits for a test clock waits as well, and
 * isn't refused; it has no outcome.
 *
 * @param awaited the refs of customers that wait
 */
export async function carryOutInOrder(
  tx: Tx,
  vendorId: string,
  lines: readonly WaitingLine[],
  { refs, awaited }: { refs: Refs; awaited: Set<string> },
): Promise<LineOutcome[]> {
  const outcomes: LineOutcome[] = [];
  for (const line of lines) {
    const isAwaited = namedBy(line.input).some((key) => awaited.has(key) && refs.get(key) === undefined);
    const outcome = isAwaited ? null : await carryOut(tx, vendorId, line, refs);
    if (outcome !== null) outcomes.push(outcome);
    else if (line.input.type === 'customer') awaited.add(line.refKey);
  }
  return outcomes;
}

const nextLines = ({ em }: Tx, importId: string, after: string | null): Promise<ImportLineRecord[]> =>
  em.find(
    ImportLine,
    { importId, outcome: null, ...(after === null ? {} : { position: { $gt: after } }) },
    { ...FOR_UPDATE, orderBy: { position: 'asc' }, limit: AT_ONCE, disableIdentityMap: true },
  );

/**
 * The refs of customers that lines name and whose own lines, before these, still wait for a test clock: a line that
 * names one of them waits as well, and isn't refused.
 */
async function awaitedCustomers(
  { em }: Tx,
  importId: string,
  lines: readonly WaitingLine[],
  position: string | undefined,
): Promise<Set<string>> {
  const refKey = { $in: [...new Set(lines.flatMap(({ input }) => namedBy(input)))] };
  if (position === undefined || refKey.$in.length === 0) return new Set();
  const before = { importId, type: 'customer', outcome: null, position: { $lt: position }, refKey } as const;
  const found = await em.find(ImportLine, before, { fields: ['refKey'], disableIdentityMap: true });
  return new Set(found.flatMap((line) => line.refKey ?? []));
}

/** A line as it was stored when it was added. */
export const waitingLine = ({ number, refKey, fingerprint, input }: ImportLineRecord): WaitingLine => ({
  number,
  refKey: refKey ?? '',
  fingerprint,
  input: JSON.parse(input ?? 'null') as LineInput,
});

/** What is known under the refs of lines, and under those that they name. */
export async function refsOf(tx: Tx, vendorId: string, lines: readonly WaitingLine[]): Promise<Refs> {
  const refs = new Refs(vendorId);
  await refs.read(tx, [...new Set(lines.flatMap(({ refKey, input }) => [refKey, ...namedBy(input)]))]);
  return refs;
}

/** The ref of the customer whom a line names. */
export const namedBy = (input: LineInput): string[] =>
  input.type !== 'customer' && 'refKey' in input.customer ? [input.customer.refKey] : [];

async function write(tx: Tx, { id: importId, vendorId, keyId }: ImportRecord, refs: Refs, outcomes: readonly LineOutcome[]): Promise<void> {
  const at = Date.now();
  await refs.write(tx);
  await updateMany(
    tx,
    ImportLine,
    outcomes.map(({ error: _, ...outcome }) => ({ importId, ...outcome, input: null, at })),
  );
  const caller = importerOf(keyId);
  const made = outcomes.flatMap(({ outcome, objectId }) => (outcome === 'made' && objectId !== null ? [objectId] : []));
  tx.audited.push(...made.map((object) => ({ vendorId, caller, action: 'start_import', object, asked: { import: importId } })));
}

/** Who has asked for an import: the audit log names it with each object. */
export const importerOf = (keyId: string | null): Caller => (keyId === null ? { type: 'system', id: null } : { type: 'key', id: keyId });
