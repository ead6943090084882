import type { Instant } from '../../calendar/instant.ts';
import { sourcesOf } from '../period/sources.ts';
import { chainCycle } from '../period/time.ts';
import type { Contract, ContractSnapshot, MrrChange } from '../types.ts';
import { earns, mrrOf } from './mrr-of.ts';

/** What a rule has noted of a chain's MRR while it runs. */
export interface MrrNotes {
  /** as of the last look */
  seen: ContractSnapshot;
  readonly changes: MrrChange[];
}

/** Begins the notes of a rule: nothing has changed yet. */
export const openMrrNotes = (snapshot: ContractSnapshot): MrrNotes => ({ seen: snapshot, changes: [] });

/**
 * Notes a chain's MRR at an instant if it has changed since it was noted last. A new period that changes neither
 * discount nor free cycles is recognised without computing an amount.
 *
 * @param at null: the instant of the decision itself
 */
export function noteMrr(notes: MrrNotes, snapshot: ContractSnapshot, at: Instant | null): void {
  const { seen, changes } = notes;
  notes.seen = snapshot;
  if (seen === snapshot || mrrKey(seen) === mrrKey(snapshot)) return;
  const [before, now] = [stateOf(seen), stateOf(snapshot)];
  if (before.amount === now.amount && before.currency === now.currency && before.contractId === now.contractId) return;
  changes.push({ ...now, at });
}

/**
 * Notes a chain's MRR as it is now, whatever was noted before: freezes don't reach a parked contract, so a freeze that
 * began or ended meanwhile changes the MRR only now. An MRR that is booked already makes no move.
 */
export function restateMrr(notes: MrrNotes, snapshot: ContractSnapshot): void {
  notes.seen = snapshot;
  notes.changes.push({ ...stateOf(snapshot), at: null });
}

/** The contract of the chain that earns: the snapshot's own, or the one that it was just changed into. */
function earning({ contract, successor, customer }: ContractSnapshot): Contract | null {
  return [contract, successor].find((one): one is Contract => one !== null && earns(one, customer.pauses)) ?? null;
}

/** A text that is equal for two snapshots only if their MRR is equal. */
function mrrKey(snapshot: ContractSnapshot): string {
  const contract = earning(snapshot);
  if (contract === null) return '';
  return `${contract.id} ${isSettled(contract) ? 'settled' : contract.currentIdx}`;
}

/**
 * Whether every later cycle of a contract costs what the current one does: its free and discount cycles have passed.
 */
function isSettled(contract: Contract): boolean {
  const { cyclesLeft, freeCycles, discount, terms, currentIdx } = contract;
  if (cyclesLeft !== null) return false;
  const ends = discount === null ? 0 : discount.cyclesBefore + discount.duration;
  const free = sourcesOf(terms).map(({ price }) => price.freeCycles);
  return chainCycle(contract, currentIdx ?? 0) > Math.max(ends, freeCycles, ...free);
}

function stateOf(snapshot: ContractSnapshot): Omit<MrrChange, 'at'> {
  const contract = earning(snapshot);
  const { pauses } = snapshot.customer;
  const shown = contract ?? snapshot.contract;
  return { contractId: shown.id, currency: shown.terms.currency, amount: mrrOf(shown, pauses) };
}
