import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { Import, ImportLine, type ImportRecord, type ImportStatus } from '../../db/entities/import.ts';
import { newId } from '../../db/id.ts';
import { type LockStrength, lockOne } from '../../db/sql/lock.ts';
import { insertNew } from '../../db/sql/write-many.ts';
import { positionOf, type ReadLine } from './line.ts';

/** An import, as callers name it. */
export interface ImportCall {
  vendorId: string;
  importId: string;
}

/** Makes an import without lines. @returns its id */
export async function createImport(tx: Tx, vendorId: string): Promise<string> {
  const keyId = tx.caller.type === 'key' ? tx.caller.id : null;
  const made = tx.em.create(Import, { id: newId('Imp'), vendorId, keyId, status: 'open', created: Date.now(), ended: null });
  await tx.em.flush();
  return made.id;
}

/**
 * Adds lines to an import that isn't started. A line that it has already is left as it is.
 *
 * @throws Refusal `import_not_found`, `import_state`, `import_line_changed` for a number that another line has
 */
export async function addLines(tx: Tx, call: ImportCall, lines: readonly ReadLine[]): Promise<void> {
  const { status } = await lockImport(tx, call);
  const known = await fingerprintsOf(tx, call.importId, status, lines);
  const fresh = lines.filter((line) => isNew(line, known));
  if (fresh.length > 0 && status !== 'open')
    throw new Refusal('import_state', `The import ${call.importId} is started: it takes no more lines.`);
  await insertNew(
    tx,
    ImportLine,
    fresh.map((line) => rowOf(call.importId, line)),
  );
}

/** The lines that an import has already, by their numbers. */
async function fingerprintsOf(
  { em }: Tx,
  importId: string,
  status: ImportStatus,
  lines: readonly ReadLine[],
): Promise<Map<number, string>> {
  const number = { $in: lines.map((line) => line.number) };
  // what waits in an import that is done is to be deleted
  const kept = status === 'done' ? { importId, number, outcome: { $ne: null } } : { importId, number };
  const found = await em.find(ImportLine, kept, { fields: ['number', 'fingerprint'], disableIdentityMap: true });
  return new Map(found.map((line) => [line.number, line.fingerprint]));
}

/** Whether no line had its number so far; a request may give one twice, too. */
function isNew({ number, fingerprint }: ReadLine, known: Map<number, string>): boolean {
  const before = known.get(number);
  if (before !== undefined && before !== fingerprint)
    throw new Refusal('import_line_changed', `The import has another line ${number} already.`, {
      [`line ${number}`]: 'is another: give each line a number of its own',
    });
  known.set(number, fingerprint);
  return before === undefined;
}

function rowOf(importId: string, line: ReadLine) {
  const { number, type, refKey, fingerprint } = line;
  const read = { importId, number, type, position: positionOf(line), refKey, fingerprint };
  return 'problems' in line
    ? { ...read, input: null, outcome: 'refused' as const, code: 'invalid_request' as const, problems: line.problems, at: Date.now() }
    : { ...read, input: JSON.stringify(line.input), outcome: null, code: null, problems: null, at: null };
}

/**
 * Locks an import against other changes of it; under `update`, lines that are being carried out are waited for, too.
 *
 * @throws Refusal `import_not_found`
 */
export async function lockImport(
  { em }: Tx,
  { vendorId, importId }: ImportCall,
  strength: LockStrength = 'no key update',
): Promise<ImportRecord> {
  return (await lockOne(em, Import, { id: importId, vendorId }, strength)) ?? importNotFound(importId);
}

export function importNotFound(importId: string): never {
  throw new Refusal('import_not_found', `There is no import ${importId}.`);
}
