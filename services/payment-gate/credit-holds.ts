import type { Effects } from '../../billing/contract/types.ts';
import type { OpenInvoice } from '../../billing/invoice/settlement.ts';
import type { Queryable } from '../../db/connect.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import type { DatedLine } from '../credit/coverable.ts';
import { planUses, unwrittenLines, usable } from '../credit/use.ts';
import type { CreditHold } from './collectable.ts';

type Made = Pick<Effects, 'invoices' | 'lines' | 'takenUp' | 'contracts'>;

/** What grants will pay of the invoices that a change or a signing makes at once, by the rule that they pay by. */
export async function creditHolds(db: Queryable, grants: readonly OpenGrant[], effects: Made): Promise<CreditHold[]> {
  if (grants.length === 0) return [];
  const { invoices, lines } = await payableOf(db, effects);
  const uses = await planUses(db, [{ grants: grants.map(usable), invoices }], lines);
  return uses.map(({ grantId: grant, invoiceId: invoice, amount, lines: own }) => ({ grant, invoice, amount, lines: own }));
}

/** The invoices that a rule makes and that credits may pay, with their lines. */
export async function payableOf(
  db: Queryable,
  { invoices, lines, takenUp, contracts }: Made,
): Promise<{ invoices: OpenInvoice[]; lines: Map<string, DatedLine[]> }> {
  const made = invoices.filter(({ status }) => status === 'ready_for_payment').map((invoice) => ({ ...invoice, remaining: invoice.total }));
  const byId = new Map([...lines, ...takenUp].map((line) => [line.id, line]));
  const placed = made.map(({ id, date, lineIds }) => ({ id, date, lines: lineIds.flatMap((line) => byId.get(line) ?? []) }));
  return { invoices: made, lines: await unwrittenLines(db, placed, contracts) };
}
