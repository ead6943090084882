import type { Effects } from '../../billing/contract/types.ts';
import type { Queryable } from '../../db/connect.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { planUses, unwrittenLines, usable } from '../credit/use.ts';
import type { CreditHold } from './collectable.ts';

/** What grants will pay of the invoices that a change or a signing makes at once, by the rule that they pay by. */
export async function creditHolds(
  db: Queryable,
  grants: readonly OpenGrant[],
  { invoices, lines, takenUp, contracts }: Pick<Effects, 'invoices' | 'lines' | 'takenUp' | 'contracts'>,
): Promise<CreditHold[]> {
  if (grants.length === 0) return [];
  const made = invoices.filter(({ status }) => status === 'ready_for_payment').map((invoice) => ({ ...invoice, remaining: invoice.total }));
  const byId = new Map([...lines, ...takenUp].map((line) => [line.id, line]));
  const placed = made.map(({ id, date, lineIds }) => ({ id, date, lines: lineIds.flatMap((line) => byId.get(line) ?? []) }));
  const known = await unwrittenLines(db, placed, contracts);
  const uses = await planUses(db, [{ grants: grants.map(usable), invoices: made }], known);
  return uses.map(({ grantId: grant, invoiceId: invoice, amount, lines: own }) => ({ grant, invoice, amount, lines: own }));
}
