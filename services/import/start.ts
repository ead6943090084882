import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { type ImportCall, lockImport } from './create.ts';

/**
 * Starts an import; its workflow carries the lines out. One that is started already stays as it is.
 *
 * @throws Refusal `import_not_found`
 */
export async function startImport(tx: Tx, call: ImportCall): Promise<void> {
  await goOnFrom(tx, call, 'open');
}

/** Lets a stopped import go on with the lines that have no outcome yet. @throws Refusal `import_not_found` */
export async function resumeImport(tx: Tx, call: ImportCall): Promise<void> {
  await goOnFrom(tx, call, 'stopped');
}

/** Stops an import after the lines that are being carried out. @throws Refusal `import_not_found` */
export async function stopImport(tx: Tx, call: ImportCall): Promise<void> {
  const own = await lockImport(tx, call);
  if (own.status === 'running') own.status = 'stopped';
  await tx.em.flush();
}

/**
 * Ends an import that nobody has started, or that is stopped. What it has made stays. From here on the lines that wait
 * aren't counted anywhere. They are deleted in steps (`services/retention`), since they may be millions, too many for a
 * request.
 *
 * @throws Refusal `import_not_found`, `import_state`
 */
export async function discardImport(tx: Tx, call: ImportCall): Promise<void> {
  const own = await lockImport(tx, call, 'update');
  if (own.status === 'done') return;
  if (own.status === 'running') throw new Refusal('import_state', `The import ${call.importId} is running: stop it first.`);
  tx.em.assign(own, { status: 'done', ended: Date.now() });
  await tx.em.flush();
}

async function goOnFrom(tx: Tx, call: ImportCall, status: 'open' | 'stopped'): Promise<void> {
  const own = await lockImport(tx, call);
  if (own.status !== status) return;
  own.status = 'running';
  await tx.em.flush();
  enqueue(tx, 'import', call.importId);
}
