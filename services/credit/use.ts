import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { CoverableInvoice, Grant, GrantUse, LineUse } from '../../billing/credit/types.ts';
import { useGrants } from '../../billing/credit/use.ts';
import { type OpenInvoice, oldestDueFirst } from '../../billing/invoice/settlement.ts';
import type { Line } from '../../billing/invoice/types.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { coverableLines } from '../../db/sql/credit/coverable-lines.ts';
import { creditsOfInvoices } from '../../db/sql/credit/credits-of-invoices.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { plansOfContracts } from '../../db/sql/credit/plans-of-contracts.ts';
import type { WalletTask } from '../wallet/move.ts';
import { type ContractLine, type DatedLine, dividedLines, isOfContract, unwrittenLine } from './coverable.ts';
import { moveGrants } from './move.ts';

/** Invoices of one customer and currency that grants may pay. */
export interface ToCover {
  grants: readonly Grant[];
  /** in the database, or about to be written */
  invoices: readonly OpenInvoice[];
  /** only what is charged before this instant is paid; absent: all */
  before?: Instant | undefined;
}

/** A grant as the rule of its use sees it: what a payment gate holds of it can't be used. */
export const usable = ({ balance, held, contractId, ...grant }: OpenGrant): Grant => ({
  ...grant,
  usageOnly: contractId !== null,
  left: dec(balance).minus(dec(held)).toFixed(),
});

/**
 * What grants pay of invoices, the oldest due first: lines and what was used of them before are read for all of them at
 * once.
 *
 * @param lines of invoices that are about to be written, by their invoice's id
 * @param planned what others will have paid of them before
 */
export async function planUses(
  db: Queryable,
  covers: readonly ToCover[],
  lines: ReadonlyMap<string, readonly DatedLine[]>,
  planned: readonly GrantUse[] = [],
): Promise<GrantUse[]> {
  const used = await usedLines(db, covers, planned);
  const entries = covers.flatMap(({ grants, invoices }) =>
    invoices.flatMap(({ id }) => (lines.get(id) ?? []).map((line) => ({ line, grants }))),
  );
  const divided = new Map((await dividedLines(db, entries)).map((line) => [line.id, line]));
  return covers.flatMap(({ grants, invoices, before = Number.POSITIVE_INFINITY }) => {
    const sorted = [...invoices].sort(oldestDueFirst).map(({ id, remaining }): CoverableInvoice => {
      const own = (lines.get(id) ?? []).flatMap((line) => divided.get(line.id) ?? []);
      return { id, remaining, lines: own.map((line) => ({ ...line, parts: line.parts.filter(({ at }) => at < before) })) };
    });
    return useGrants(grants, sorted, usesOf(sorted, used));
  });
}

/** What was paid of a customer's own lines before, in the order in which it happened. */
const usesOf = (invoices: readonly CoverableInvoice[], used: ReadonlyMap<string, LineUse[]>): LineUse[] =>
  used.size === 0 ? [] : invoices.flatMap(({ lines }) => lines.flatMap(({ id }) => used.get(id) ?? []));

/** What grants have paid of invoices, or got back of them, by line. */
async function usedLines(db: Queryable, covers: readonly ToCover[], planned: readonly GrantUse[]): Promise<Map<string, LineUse[]>> {
  const ids = covers.flatMap(({ invoices }) => invoices.map(({ id }) => id));
  const before = await creditsOfInvoices(db, ids);
  const uses = before.flatMap(({ lines }) => lines.map(({ line: lineId, at, amount }) => ({ lineId, at, amount })));
  return Map.groupBy([...uses, ...planned.flatMap(({ lines }) => lines)], ({ lineId }) => lineId);
}

/** Lines of invoices by their invoice, stored ones and those that get it in this transaction. */
export async function coverableLinesOf(
  db: Queryable,
  invoices: readonly (OpenInvoice & { lineIds?: readonly string[] })[],
): Promise<Map<string, DatedLine[]>> {
  const stored = invoices.filter(({ lineIds }) => lineIds === undefined).map(({ id }) => id);
  const places = new Map(invoices.flatMap(({ id, lineIds = [] }) => lineIds.map((line) => [line, id] as const)));
  const dates = new Map(invoices.map(({ id, date }) => [id, date]));
  const found = await coverableLines(db, stored, [...places.keys()]);
  const dated = found.map((line) => {
    const invoiceId = places.get(line.id) ?? line.invoiceId ?? '';
    return { ...line, invoiceId, date: dates.get(invoiceId) ?? 0 };
  });
  return Map.groupBy(dated, ({ invoiceId }) => invoiceId);
}

/** An invoice that isn't written, with its lines. */
export interface UnwrittenInvoice {
  id: string;
  date: Instant;
  lines: readonly Line[];
}

/**
 * Lines of invoices that aren't written, by their invoice.
 *
 * @param contracts those that aren't written either
 */
export async function unwrittenLines(
  db: Queryable,
  invoices: readonly UnwrittenInvoice[],
  contracts: readonly Pick<Contract, 'id' | 'terms'>[],
): Promise<Map<string, DatedLine[]>> {
  const fresh = new Map(contracts.map(({ id, terms }) => [id, terms.originalPlanId]));
  const others = invoices.flatMap(({ lines }) => lines.flatMap(({ contractId }) => contractId ?? [])).filter((id) => !fresh.has(id));
  const plans = new Map([...fresh, ...(await plansOfContracts(db, others))]);
  return new Map(
    invoices.map(({ id, date, lines }) => [
      id,
      lines.filter(chargesSomething).map((line) => unwrittenLine(line, plans.get(line.contractId) ?? '', date)),
    ]),
  );
}

const chargesSomething = (line: Line): line is ContractLine =>
  isOfContract(line) && line.kind !== 'wallet' && dec(line.totalIncludingTax).gt(0);

/** What a grant has paid of an invoice, and the movement that says so. */
export interface CreditPaid {
  invoiceId: string;
  remaining: string;
  transactionId: string;
  task: WalletTask;
}

/**
 * A wallet's task with the grants of the same customer and currency, and the invoices in the database that are open.
 */
export interface CreditTask {
  task: WalletTask;
  grants: readonly OpenGrant[];
  open: readonly OpenInvoice[];
  /** only what is charged before this instant is paid; absent: all */
  before?: Instant;
}

/**
 * Lets grants pay, before the wallet does: by the rule, with the movements, postings and events that follow. Payments
 * are only reported.
 */
export async function payByGrants(tx: Tx, tasks: readonly CreditTask[]): Promise<CreditPaid[]> {
  const gated = tasks.filter(({ task }) => task.only !== undefined);
  const covers = tasks
    .filter((one) => !gated.includes(one))
    .map(({ task, grants, open, before }) => ({ grants: grants.map(usable), invoices: [...open, ...task.newInvoices], before }));
  const lines = await coverableLinesOf(
    tx,
    covers.flatMap(({ invoices }) => invoices),
  );
  const uses = [...(await planUses(tx, covers, lines)), ...gated.flatMap(({ task }) => heldUses(task))];
  const known = new Map(tasks.flatMap(({ grants, task }) => grants.map((grant) => [grant.id, { grant, task }] as const)));
  const paid = uses.map((use) => {
    const { grant, task } = known.get(use.grantId) ?? unknownGrant(use.grantId);
    return { use, grant, task, transactionId: newId('Txn') };
  });
  await moveGrants(
    tx,
    paid.map(({ use, grant, task: { at }, transactionId: id }) => ({
      ...{ id, grant, at, kind: 'used' as const, amount: dec(use.amount).neg().toFixed(), invoiceId: use.invoiceId },
      ...{ occasion: `use:${use.invoiceId}:${id}`, place: use.place },
      lines: use.lines.map(({ lineId: line, at: since, amount }) => ({ line, at: since, amount })),
    })),
  );
  return paid.map(({ use: { invoiceId, remaining }, task, transactionId }) => ({ invoiceId, remaining, transactionId, task }));
}

/**
 * The uses of grants that a payment gate holds, as they were decided when it was opened: usage reported later may
 * divide the lines in another way.
 */
function heldUses({ onlyHolds = [], newInvoices, currency }: WalletTask): GrantUse[] {
  return newInvoices.flatMap(({ id: invoiceId, remaining }) => {
    let left = dec(remaining);
    return onlyHolds
      .filter(({ invoice }) => invoice === invoiceId)
      .map(({ grant: grantId, amount, lines }, place) => {
        left = left.minus(amount);
        return { grantId, invoiceId, amount, place: place + 1, remaining: moneyText(left, currency), lines };
      });
  });
}

function unknownGrant(id: string): never {
  throw new Error(`the rule used ${id}, which was not locked`);
}
