import type { Cycle } from '../../billing/calendar/cycle.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Import, ImportLine, type ImportLineRecord, type ImportLineType } from '../../db/entities/import.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import type { LineOutcome, WaitingLine } from './carry-out.ts';
import { type ImportCall, importNotFound } from './create.ts';
import { carryOutInOrder, namedBy, refsOf, waitingLine } from './import-batch.ts';

/** A line that an import has refused, or would refuse. */
export interface RefusedLine extends Pick<ImportLineRecord, 'number' | 'type' | 'code' | 'problems'> {}

/** What an import would do with some of its lines. */
export interface ImportDryRunResult {
  made: Readonly<Record<Exclude<ImportLineType, 'unreadable'>, number>>;
  repeated: number;
  /** lines that wait for a test clock, of which nothing is known yet */
  waiting: number;
  refused: RefusedLine[];
  /** what the contracts cost each cycle, before discounts and without usage */
  recurring: { currency: Currency; cycle: Cycle; contracts: number; total: string }[];
  /** what would come into wallets */
  balances: { currency: Currency; total: string }[];
  /** the line to go on behind; null: all are computed */
  after: number | null;
}

const AT_ONCE = 50;
/** No further fifty begin after so many milliseconds: the caller goes on with another call. */
const BUDGET_MS = 3_000;
/** Which lines a dry run computes. */
export interface DryRunPart {
  /** the line behind which it goes on; null: it begins */
  after: number | null;
  /** how many lines that were refused when they were added it names as it begins */
  named: number;
}

/** What became of lines, and what the contracts among them cost. */
interface Tried {
  lines: { type: ImportLineType; outcome: LineOutcome; input: WaitingLine['input'] }[];
  contracts: { currency: Currency; cycle: Cycle; amount: string }[];
  waiting: number;
}

/**
 * Says what an import would do: its lines are carried out as the import does it, some at a time, and everything that
 * this writes is taken back. An import with more lines than fit into some seconds takes further calls, each from where
 * the one before has come to.
 *
 * @throws Refusal `import_not_found`
 */
export async function dryRunImport(tx: Tx, { vendorId, importId }: ImportCall, { after, named }: DryRunPart): Promise<ImportDryRunResult> {
  const own = await tx.em.findOne(Import, { id: importId, vendorId }, { fields: ['status'] });
  if (own === null) return importNotFound(importId);
  const tried: Tried = { lines: [], contracts: [], waiting: 0 };
  const refused = after === null && named > 0 ? await refusedWhenAdded(tx, importId, named) : [];
  const until = performance.now() + BUDGET_MS;
  let last = after === null ? null : await placeOfLine(tx, importId, after);
  // what waits in one that is done is to be deleted
  for (let isEnd = own.status === 'done'; !isEnd && performance.now() < until; ) {
    const lines = await nextLines(tx, importId, last?.position ?? null);
    const some = await takenBack(tx, () => tryLines(tx, vendorId, importId, lines));
    tried.lines.push(...some.lines);
    tried.contracts.push(...some.contracts);
    tried.waiting += some.waiting;
    isEnd = lines.length < AT_ONCE;
    last = isEnd ? null : (lines.at(-1) ?? null);
  }
  return summaryOf(tried, refused, own.status === 'done' ? null : (last?.number ?? null));
}

const refusedWhenAdded = ({ em }: Tx, importId: string, limit: number): Promise<ImportLineRecord[]> =>
  em.find(ImportLine, { importId, outcome: 'refused' }, { orderBy: { number: 'asc' }, limit, disableIdentityMap: true });

/** The line up to which a dry run has come. */
type LinePlace = Pick<ImportLineRecord, 'number' | 'position'>;

const placeOfLine = ({ em }: Tx, importId: string, number: number): Promise<LinePlace | null> =>
  em.findOne(ImportLine, { importId, number }, { fields: ['number', 'position'], disableIdentityMap: true });

const nextLines = ({ em }: Tx, importId: string, after: string | null): Promise<ImportLineRecord[]> =>
  em.find(
    ImportLine,
    { importId, outcome: null, ...(after === null ? {} : { position: { $gt: after } }) },
    { orderBy: { position: 'asc' }, limit: AT_ONCE, disableIdentityMap: true },
  );

/** Does a part of a transaction, and takes back what it has written. */
async function takenBack<T>(tx: Tx, part: () => Promise<T>): Promise<T> {
  const done: T[] = [];
  const end = new Error('taken back');
  await inSavepoint(tx, async () => {
    done.push(await part());
    throw end;
  }).catch((error: unknown) => {
    if (error !== end) throw error;
  });
  return done[0] as T;
}

async function tryLines(tx: Tx, vendorId: string, importId: string, records: readonly ImportLineRecord[]): Promise<Tried> {
  const lines = records.map(waitingLine);
  const refs = await refsOf(tx, vendorId, lines);
  // customers of lines before these aren't there any more
  const own = new Set(lines.map(({ refKey }) => refKey));
  const missing = lines.flatMap(({ input }) => namedBy(input)).filter((key) => refs.get(key) === undefined && !own.has(key));
  const known = { refs, awaited: new Set<string>() };
  await carryOutInOrder(tx, vendorId, await customersOf(tx, importId, missing), known);
  const outcomes = await carryOutInOrder(tx, vendorId, lines, known);
  const byNumber = new Map(lines.map((line) => [line.number, line]));
  const tried: Tried = { lines: [], contracts: [], waiting: lines.length - outcomes.length };
  for (const outcome of outcomes) {
    const line = byNumber.get(outcome.number);
    if (line !== undefined) tried.lines.push({ type: line.input.type, outcome, input: line.input });
  }
  const made = tried.lines.flatMap(({ type, outcome: { outcome, objectId } }) =>
    type === 'contract' && outcome === 'made' && objectId !== null ? [objectId] : [],
  );
  const options = { fields: ['currency', 'cycle', 'amount'], disableIdentityMap: true } as const;
  tried.contracts.push(...(await tx.em.find(ContractRecord, { id: { $in: made } }, options)));
  return tried;
}

async function customersOf({ em }: Tx, importId: string, refKeys: readonly string[]): Promise<WaitingLine[]> {
  if (refKeys.length === 0) return [];
  const wanted = { importId, type: 'customer', refKey: { $in: [...refKeys] }, outcome: null } as const;
  return (await em.find(ImportLine, wanted, { orderBy: { number: 'asc' }, disableIdentityMap: true })).map(waitingLine);
}

function summaryOf({ lines, contracts, waiting }: Tried, before: readonly RefusedLine[], after: number | null): ImportDryRunResult {
  const withOutcome = (wanted: LineOutcome['outcome']) => lines.filter(({ outcome }) => outcome.outcome === wanted);
  const made = withOutcome('made');
  const count = (type: ImportLineType): number => made.filter((line) => line.type === type).length;
  const refused = withOutcome('refused').map(({ type, outcome: { number, code, problems } }) => ({ number, type, code, problems }));
  return {
    made: { customer: count('customer'), contract: count('contract'), wallet: count('wallet') },
    repeated: withOutcome('repeated').length,
    waiting,
    refused: [...before, ...refused].toSorted((a, b) => a.number - b.number),
    recurring: recurringOf(contracts),
    balances: balancesOf(made.flatMap(({ input }) => (input.type === 'wallet' ? [input] : []))),
    after,
  };
}

function recurringOf(contracts: Tried['contracts']): ImportDryRunResult['recurring'] {
  const groups = [...Map.groupBy(contracts, ({ currency, cycle }) => `${currency} ${cycle}`)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return groups.flatMap(([, some]) =>
    some.slice(0, 1).map(({ currency, cycle }) => ({ currency, cycle, contracts: some.length, total: totalOf(some, currency) })),
  );
}

function balancesOf(wallets: readonly { currency: Currency; amount: string }[]): ImportDryRunResult['balances'] {
  const groups = [...Map.groupBy(wallets, ({ currency }) => currency)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([currency, some]) => ({ currency, total: totalOf(some, currency) }));
}

const totalOf = (some: readonly { amount: string }[], currency: Currency): string =>
  moneyText(sum(some.map(({ amount }) => dec(amount))), currency);
