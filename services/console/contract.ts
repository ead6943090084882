import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { Caller, Database } from '../../db/connect.ts';
import { ContractHistory, ContractRecord } from '../../db/entities/contract.ts';
import { Event } from '../../db/entities/event.ts';
import { Invoice, InvoiceItem } from '../../db/entities/invoice.ts';
import { UsagePeriodRecord } from '../../db/entities/usage.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { type NextDue, nextOfContract } from '../../db/sql/contract/timeline.ts';
import type { NamedInvoice } from '../../db/sql/invoice/named-list.ts';
import type { Newest } from '../../db/sql/list/newest.ts';
import { type SignedVersion, versionOfContract } from '../../db/sql/plan/version-of-contract.ts';
import { type ContractDetail, storedDetails } from '../contract/read.ts';
import { type UpcomingInvoice, upcomingOrLate } from '../contract/upcoming-invoice.ts';
import { type PeriodUsage, usageOfLastPeriods } from '../portal/usage.ts';
import { newestInvoices } from './lists.ts';

/** Something that happened to a contract. */
export interface PastRow {
  at: Instant;
  kind: string;
  callerType: Caller['type'];
  callerId: string | null;
}

/** What the page of a contract shows. */
export interface ContractView {
  detail: ContractDetail;
  /** `late` while more is due than can be computed at once */
  upcoming: UpcomingInvoice | 'late';
  /** what is due, the soonest first */
  due: NextDue[];
  /** the first period that has ended and whose usage only a call closes */
  unclosedIdx: number | null;
  /** charges wait for an invoice that only a call makes */
  isUninvoiced: boolean;
  /** number of the oldest invoice that waits for its validation */
  draftNumber: string | null;
  /** the contracts that changes have made of it, newest first */
  chain: Contract[];
  invoices: Newest<NamedInvoice>;
  /** the version of its plan that it was signed at */
  version: SignedVersion | null;
  /** what was used in its last billing periods, oldest first */
  usage: PeriodUsage[];
  /** newest first */
  past: PastRow[];
}

/** A contract of the vendor, for an act; null when there is none. */
export const ownedContract = (em: EntityManager, vendorId: string, id: string): Promise<Contract | null> =>
  em.findOne(ContractRecord, { id, vendorId });

const DUE_ROWS = 10;
const CHAIN_ROWS = 20;
const INVOICE_ROWS = 10;
const PAST_ROWS = 20;

/** Everything about a contract, in a fixed number of statements; null when the vendor has no such contract. */
export async function contractView(db: Database, vendorId: string, contractId: string): Promise<ContractView | null> {
  const em = db.em();
  const detail = (await storedDetails(db, vendorId, [contractId])).get(contractId);
  if (detail === undefined) return null;
  const { rootId, terms, created } = detail.contract;
  const signed = { vendorId, planId: terms.originalPlanId, pricingId: terms.pricingId, created };
  return {
    detail,
    upcoming: await upcomingOrLate(db, vendorId, contractId),
    due: await nextOfContract(db, contractId, DUE_ROWS),
    unclosedIdx: await unclosedOf(em, contractId),
    isUninvoiced: await isUninvoiced(em, detail.contract),
    draftNumber: await draftOf(em, detail.contract),
    chain: await em.find(ContractRecord, { rootId, vendorId }, { orderBy: { created: 'desc', id: 'desc' }, limit: CHAIN_ROWS }),
    invoices: await newestInvoices(db, vendorId, { contract: contractId }, { rows: INVOICE_ROWS }),
    version: await versionOfContract(db, signed),
    usage: await usageOfLastPeriods(em, detail.contract, await nowOf(db, detail.contract.clockId)),
    past: await newestPast(db, contractId),
  };
}

async function unclosedOf(em: EntityManager, contractId: string): Promise<number | null> {
  const [first] = await em.find(
    UsagePeriodRecord,
    { contractId, status: 'closing', closesAt: null },
    { orderBy: { idx: 'asc' }, limit: 1 },
  );
  return first?.idx ?? null;
}

async function isUninvoiced(em: EntityManager, { id, configuration }: Contract): Promise<boolean> {
  if (configuration.invoiceTrigger === 'immediate') return false;
  const waiting = { contractId: id, invoiceId: null, voided: false, elsewhere: false };
  return (await em.find(InvoiceItem, waiting, { fields: ['id'], limit: 1 })).length > 0;
}

async function draftOf(em: EntityManager, { id, customerId }: Contract): Promise<string | null> {
  const drafts = { customerId, contractId: id, status: 'pending_validation' as const };
  const [first] = await em.find(Invoice, drafts, { fields: ['number'], orderBy: { date: 'asc', id: 'asc' }, limit: 1 });
  return first?.number ?? null;
}

/** What was asked of the contract, and its events. */
async function newestPast(db: Database, contractId: string): Promise<PastRow[]> {
  const em = db.em();
  const asked = await em.find(ContractHistory, { contractId }, { orderBy: { at: 'desc', id: 'desc' }, limit: PAST_ROWS });
  const events = await em.find(Event, { objectId: contractId }, { orderBy: { objectSequence: 'desc' }, limit: PAST_ROWS });
  const rows = [
    ...asked.map(({ at, kind, callerType, callerId, seq }) => ({ at, kind, callerType, callerId, seq: BigInt(seq) })),
    ...events.map(({ timestamp: at, type: kind, callerType, callerId, seq }) => ({ at, kind, callerType, callerId, seq: BigInt(seq) })),
  ];
  const newest = rows.sort((one, other) => other.at - one.at || (other.seq > one.seq ? 1 : -1)).slice(0, PAST_ROWS);
  return newest.map(({ at, kind, callerType, callerId }) => ({ at, kind, callerType, callerId }));
}
