import type { Instant } from '../../billing/calendar/instant.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { OwnersGroups } from '../../db/groups.ts';
import { idsWith, type MadeTogether, makeInOne, takeKeys } from '../../db/made-together.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { readSigningFacts, type SigningFacts } from './read-signings.ts';
import { firstStepOf, type SignedAtOnce, writeSigned } from './sign.ts';
import { type SignContractInput, type SigningCustomer, signedAt, signRequestFrom } from './signing.ts';
import { wantsOwned } from './usage-owners.ts';

/** A signing with the id that its contract gets. */
export interface NewSigning extends MadeTogether {
  input: SignContractInput;
}

const LIMITS = { atOnce: 2, most: 50 };

/**
 * Signs contracts of requests that arrive together in one transaction for each caller; each is answered after its
 * commit, and no caller waits for another's. It knows no refusals: what has to be refused, waited for or parked, and
 * what a test clock has to catch up with, are left to a transaction of their own.
 */
export class SigningIntake {
  readonly #groups: OwnersGroups<NewSigning, boolean>;

  constructor(db: Database) {
    this.#groups = new OwnersGroups((entries) => makeInOne(db, entries, signTogether), LIMITS);
    db.crowds.push(this.#groups);
  }

  /**
   * Signs one contract.
   *
   * @returns false: nothing was written, and a transaction of its own says why, or signs it
   * @throws CommitUnknown as a transaction of its own would
   */
  sign(entry: NewSigning): Promise<boolean> {
    const { asker, input } = entry;
    return this.#groups.one(JSON.stringify([asker.caller, input.vendorId]), entry);
  }
}

/** What a customer signs next may depend on what it has signed before, and a repeat comes after what it repeats. */
function firstOfEach(entries: readonly NewSigning[]): NewSigning[] {
  const seen = new Set<string>();
  return entries.filter(({ input: { customerId }, answer }) => {
    const marks = answer === null ? [customerId] : [customerId, `key ${answer.ref.key}`];
    const isFirst = !marks.some((mark) => seen.has(mark));
    for (const mark of marks) seen.add(mark);
    return isFirst;
  });
}

/** @returns ids of the contracts that are signed */
async function signTogether(tx: Tx, all: readonly NewSigning[]): Promise<Set<string>> {
  const entries = firstOfEach(all);
  const facts = await readSigningFacts(
    tx,
    entries.map(({ input }) => input),
  );
  const planned = entries.flatMap((entry) => {
    const signed = signedWith(facts, entry);
    return signed === null ? [] : [{ entry, signed }];
  });
  const fresh = await takeKeys(tx, planned, ({ entry }) => entry.contractId);
  const inOrder = fresh.toSorted((a, b) => (a.entry.input.customerId < b.entry.input.customerId ? -1 : 1)).map(({ signed }) => signed);
  for (const { signed } of inOrder) enqueue(tx, 'contract', signed.contract.id);
  if (inOrder.length > 0) await writeSigned(tx, inOrder);
  return new Set(inOrder.map(({ signed }) => signed.contract.id));
}

/** null: a transaction of its own finds out what is in the way. */
function signedWith(facts: SigningFacts, { input, contractId }: NewSigning): SignedAtOnce | null {
  const found = facts.of(input);
  if (found === null) return null;
  const { customer, around, now, ...catalogue } = found;
  if (hasPast(input, customer, now)) return null;
  try {
    const ids = idsWith(contractId);
    const signed = signedAt(signRequestFrom(input, customer, catalogue), customer.pauses, now, ids);
    if (wantsOwned(signed.contract, facts.owners)) return null;
    const outcome = firstStepOf(signed.contract, around, now, ids);
    return outcome === null ? null : { signed, around, outcome, at: now };
  } catch {
    return null;
  }
}

/** On a test clock a signing carries out all that was due since its activation, for as long as that takes. */
const hasPast = ({ activation }: SignContractInput, { clockId }: SigningCustomer, now: Instant): boolean =>
  clockId !== null && activation !== null && activation < now;
