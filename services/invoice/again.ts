import { wrap } from '@mikro-orm/core';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { runsUntil } from '../../billing/contract/change/runs-until.ts';
import { cutOffAt, movedBy } from '../../billing/contract/period/known-end.ts';
import { movedSpan } from '../../billing/contract/period/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { firstKey, keyAgain, type VoidedLine, whyNotAgain } from '../../billing/invoice/again.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Invoice, InvoiceItem, type InvoiceItemRecord } from '../../db/entities/invoice.ts';
import { newId } from '../../db/id.ts';
import { beyondWhatIsLeft } from '../../db/sql/invoice/beyond-what-is-left.ts';
import type { WaitingPlace } from '../../db/sql/invoice/waiting-places.ts';
import { insertMany } from '../../db/sql/write-many.ts';
import type { LockedCustomer } from '../customer/lock.ts';

/**
 * The items among these that stand on a voided invoice. The line that moved its surplus to the wallet isn't one, and
 * credits that were on one were never bought.
 */
export async function voidedItems({ em }: Tx, vendorId: string, itemIds: readonly string[]): Promise<InvoiceItemRecord[]> {
  const of = { vendorId, contractId: { $ne: null }, id: { $in: [...itemIds] } };
  const items = await em.find(InvoiceItem, { ...of, voided: true, invoiceId: { $ne: null } });
  const invoices = await em.find(Invoice, { id: { $in: items.flatMap(({ invoiceId }) => invoiceId ?? []) }, status: 'voided' });
  const voided = new Set(invoices.map(({ id }) => id));
  return items.filter(({ invoiceId }) => voided.has(invoiceId ?? ''));
}

export const placesOf = (items: readonly InvoiceItemRecord[]): WaitingPlace[] =>
  items.flatMap(({ contractId, customerId }) => (contractId === null ? [] : [{ contractId, customerId }]));

/**
 * Lets items of voided invoices wait again: each is written a second time, under the next charge key, since the first
 * one stays on the voided invoice as it was. What gives back something gives back no more than is left of its charge by
 * now. The caller has locked the contracts.
 *
 * @returns ids of the new items
 * @throws Refusal `invoice_state`
 */
export async function waitAgain(
  tx: Tx,
  items: readonly InvoiceItemRecord[],
  contracts: readonly Contract[],
  customers: ReadonlyMap<string, CustomerTime>,
): Promise<string[]> {
  const wanted = items.filter(({ kind }) => kind !== 'wallet');
  await requireOnce(tx, wanted, contracts, customers);
  const rows = wanted.map((item) => ({
    ...wrap(item).toObject(),
    ...{
      id: newId('Item'),
      invoiceId: null,
      voided: false,
      chargeKey: keyAgain(item.chargeKey),
      created: customers.get(item.customerId)?.now ?? 0,
    },
  }));
  await insertMany(tx, InvoiceItem, rows);
  const ids = rows.map(({ id }) => id);
  await goOnAs(tx, contracts, new Map(wanted.map((item, at) => [item.id, ids[at] ?? ''])));
  await requireWithinLeft(tx, new Map(wanted.map((item, at) => [ids[at] ?? '', item.id])));
  return ids;
}

/** What a change has let go on, or be lost, stays so under its new id. */
async function goOnAs({ em }: Tx, contracts: readonly Contract[], copies: ReadonlyMap<string, string>): Promise<void> {
  const live = await em.find(ContractRecord, { rootId: { $in: distinct(contracts.map(({ rootId }) => rootId)) }, ended: null });
  const renamed = (ids: readonly string[]): string[] => ids.map((id) => copies.get(id) ?? id);
  for (const contract of live) {
    const { lost, goesOn } = contract.carried;
    if ([...lost, ...goesOn].some((id) => copies.has(id)))
      contract.carried = { ...contract.carried, lost: renamed(lost), goesOn: renamed(goesOn) };
  }
  await em.flush();
}

/** What is read of a customer that is locked. */
export type CustomerTime = Pick<LockedCustomer, 'now' | 'pauses'>;

const NOTHING_LEFT = 'nothing is left of what was charged';

/** @param voidedOf the voided items by the ids of those written now */
async function requireWithinLeft(tx: Tx, voidedOf: ReadonlyMap<string, string>): Promise<void> {
  const [first] = await beyondWhatIsLeft(tx, [...voidedOf.keys()]);
  if (first === undefined) return;
  const id = voidedOf.get(first.id) ?? first.id;
  const rest = dec(first.left).gt(0) ? `only ${first.left} is left of what was charged, which a credit note can give back` : NOTHING_LEFT;
  const why = `gives back more than it may: ${rest}`;
  throw new Refusal('invoice_state', `the item ${id} ${why}`, { [id]: why });
}

async function requireOnce(
  tx: Tx,
  items: readonly InvoiceItemRecord[],
  contracts: readonly Contract[],
  customers: ReadonlyMap<string, CustomerTime>,
): Promise<void> {
  const { em } = tx;
  const contractIds = contracts.map(({ id }) => id);
  const keys = items.map(({ chargeKey }) => keyAgain(chargeKey));
  const taken = await em.find(InvoiceItem, { contractId: { $in: contractIds }, chargeKey: { $in: keys } });
  const ids = items.flatMap(({ creditOf }) => creditOf ?? []);
  const periods = items.flatMap(({ periodIdx }) => periodIdx ?? []);
  const usage = { kind: { $in: ['usage', 'correction'] as const } };
  const inPeriods = { ...usage, periodIdx: { $in: periods }, contractId: { $in: contractIds } };
  const inChain = {
    ...usage,
    source: { $in: partsOf(items).map(({ source }) => source) },
    contractId: { $in: await chainOf(em, partsOf(items)) },
  };
  const since = await em.find(InvoiceItem, { voided: false, $or: [{ creditOf: { $in: ids } }, inPeriods, inChain] });
  const corrections = await correctionsLike(em, items);
  const lines = items.map((line) =>
    timed(
      line,
      customers,
      contracts.find(({ id }) => id === line.contractId),
    ),
  );
  const endedOf = await endsOfTime(tx, lines, contracts);
  const again: InvoiceItemRecord[] = [];
  // a correction is compared with what is charged, by these items too
  for (const timedLine of lines.toSorted((a, b) => Number(a.line.kind === 'correction') - Number(b.line.kind === 'correction'))) {
    const { line, end } = timedLine;
    const contract = contracts.find(({ id }) => id === line.contractId);
    const own = (other: InvoiceItemRecord) =>
      other.contractId === line.contractId || other.creditOf !== null || line.derivation.soFar === true;
    const why = whyNotAgain({
      line,
      ...(line.kind === 'correction' && correctedBy(line, { contract, corrections, charges: [...since, ...again] })),
      isTaken: taken.some(({ contractId, chargeKey }) => contractId === line.contractId && chargeKey === keyAgain(line.chargeKey)),
      since: since.filter(own),
      end,
      ended: endedOf(timedLine),
    });
    if (why !== null) throw new Refusal('invoice_state', `the item ${line.id} ${why}`, { [line.id]: why });
    again.push(line);
  }
}

const MOST_CONTRACTS = 1_000;

/** A line with the end of its time, where freezes have moved that. */
interface TimedLine {
  line: InvoiceItemRecord;
  pauses: Pause[];
  end: Instant | null;
}

function timed(line: InvoiceItemRecord, customers: ReadonlyMap<string, CustomerTime>, contract: Contract | undefined): TimedLine {
  const pauses = customers.get(line.customerId)?.pauses ?? [];
  return { line, pauses, end: movedSpan(line, contract === undefined ? pauses : movedBy(contract, line, pauses))?.end ?? null };
}

/** When the time of lines ended. It may go on in the contracts that follow their own. */
async function endsOfTime(
  { em }: Tx,
  lines: readonly TimedLine[],
  contracts: readonly Contract[],
): Promise<(line: TimedLine) => Instant | null> {
  const own = new Map(contracts.map((one) => [one.id, one]));
  const cut = lines.flatMap(({ line, end }) => {
    const { ended = null, successorId = null, rootId = '' } = own.get(line.contractId ?? '') ?? {};
    const isCut = isTime(line) && successorId !== null && ended !== null && end !== null && ended < end;
    return isCut ? [{ id: line.id, ended, end, rootId, source: line.source }] : [];
  });
  const endOfContract = ({ line, pauses }: TimedLine): Instant | null => {
    const contract = own.get(line.contractId ?? '');
    return contract === undefined ? null : cutOffAt(contract, pauses);
  };
  if (cut.length === 0) return endOfContract;
  const newest = { orderBy: { created: 'desc', id: 'desc' }, limit: MOST_CONTRACTS } as const;
  const chain = await em.find(ContractRecord, { rootId: { $in: distinct(cut.map(({ rootId }) => rootId)) } }, newest);
  const from = Math.min(...cut.map(({ ended }) => ended));
  const to = Math.max(...cut.map(({ end }) => end));
  const ofChain = { contractId: { $in: chain.map(({ id }) => id) }, source: { $in: distinct(cut.map(({ source }) => source)) } };
  const others = await em.find(
    InvoiceItem,
    { ...ofChain, kind: { $in: ['recurring', 'custom'] }, span: { start: { $gte: from, $lt: to } } },
    { fields: ['contractId', 'source', 'span', 'derivation'] },
  );
  const ids = new Set(cut.map(({ id }) => id));
  const known = new Map([...chain, ...contracts].map((one) => [one.id, one]));
  return (one) => (ids.has(one.line.id) ? runsUntil(one.line, { chain: known, others, pauses: one.pauses }) : endOfContract(one));
}

const isTime = ({ kind }: InvoiceItemRecord): boolean => kind === 'recurring' || kind === 'custom';
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

/** The corrections of the same usage as those among these items, voided ones too. */
async function correctionsLike(em: Tx['em'], items: readonly InvoiceItemRecord[]): Promise<InvoiceItemRecord[]> {
  const named = items.filter(({ kind }) => kind === 'correction');
  if (named.length === 0) return [];
  const places = {
    contractId: { $in: named.map(({ contractId }) => contractId) },
    periodIdx: { $in: named.map(({ periodIdx }) => periodIdx) },
  };
  return em.find(InvoiceItem, { kind: 'correction', ...places });
}

/** What decides whether a correction still fits. */
function correctedBy(
  line: InvoiceItemRecord,
  known: { contract: Contract | undefined; corrections: readonly InvoiceItemRecord[]; charges: readonly InvoiceItemRecord[] },
): Pick<VoidedLine, 'isOnlyCorrection' | 'charged'> {
  const written = new Set(known.corrections.filter(isLike(line)).map(({ chargeKey }) => firstKey(chargeKey)));
  const charged = sum(known.charges.filter(isLike(line)).map(({ subtotal }) => dec(subtotal)));
  return { isOnlyCorrection: isLone(known.contract) && written.size === 1, charged };
}

const isLike =
  ({ contractId, periodIdx, source }: InvoiceItemRecord) =>
  (one: InvoiceItemRecord): boolean =>
    (one.kind === 'usage' || one.kind === 'correction') &&
    one.contractId === contractId &&
    one.periodIdx === periodIdx &&
    one.source === source;

/** Usage doesn't go on in another contract. */
const isLone = (contract: Contract | undefined): boolean => contract?.predecessorId === null && contract.successorId === null;

/** Usage that an invoice threshold has charged in parts, of which a later contract may have charged the rest. */
const partsOf = (items: readonly InvoiceItemRecord[]): InvoiceItemRecord[] => items.filter(({ derivation }) => derivation.soFar === true);

/** The contracts of their chains that had not ended before their usage began: no earlier one charges the rest of it. */
async function chainOf(em: Tx['em'], parts: readonly InvoiceItemRecord[]): Promise<string[]> {
  if (parts.length === 0) return [];
  const own = await em.find(ContractRecord, { id: { $in: parts.map(({ contractId }) => contractId) } }, { fields: ['rootId'] });
  const since = Math.min(...parts.map(({ span }) => span?.start ?? 0));
  const ofChains = { rootId: { $in: own.map(({ rootId }) => rootId) }, $or: [{ ended: null }, { ended: { $gte: since } }] };
  const chain = await em.find(ContractRecord, ofChains, { fields: ['id'] });
  return chain.map(({ id }) => id);
}
