import type { Instant } from '../../billing/calendar/instant.ts';
import type { Offer } from '../../billing/contract/terms/offer.ts';
import type { GivenDiscount } from '../../billing/contract/terms/sign.ts';
import type { ContractSnapshot } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable } from '../../db/connect.ts';
import { LONGEST_LOCK_MS } from '../../db/made-together.ts';
import { lockReadyClocks } from '../../db/sql/clock/lock-ready.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { type UsageOwnership, usageOwnersOf } from '../../db/sql/contract/usage-owners.ts';
import { lockFreeCustomers } from '../../db/sql/customer/lock-free.ts';
import { limitLocks } from '../../db/sql/transaction/limit-locks.ts';
import { termsOfVendor, type VendorTerms } from '../../db/sql/vendor/configuration.ts';
import { together } from '../../db/together.ts';
import { loadSurroundings } from './load.ts';
import { readOffer, requireDiscount } from './offer.ts';
import type { SignContractInput, SigningCustomer } from './signing.ts';

/** What one signing is computed from. */
interface Facts {
  customer: SigningCustomer;
  around: Pick<ContractSnapshot, 'customer' | 'tax'>;
  offer: Offer;
  discount: GivenDiscount | null;
  vendor: VendorTerms;
  now: Instant;
}

export interface SigningFacts {
  /** what chains own of the customers that are free */
  owners: readonly UsageOwnership[];
  /** null: the customer isn't free, its clock moves, or the catalogue refuses */
  of(input: SignContractInput): Facts | null;
}

/** Locks the customers of signings of one vendor and reads, for all of them, what each is computed from. */
export async function readSigningFacts(tx: Queryable, inputs: readonly SignContractInput[]): Promise<SigningFacts> {
  const [vendorId = '', customerIds] = [inputs[0]?.vendorId, inputs.map((input) => input.customerId)];
  const [, rows, wallClock] = await together(tx, [
    () => limitLocks(tx, LONGEST_LOCK_MS),
    () => lockFreeCustomers(tx, vendorId, customerIds),
    () => nowOf(tx, null),
  ]);
  const free = new Map(rows.map((row) => [row.id, row]));
  const wanted = inputs.filter(({ customerId }) => free.has(customerId));
  const offers = new Map(wanted.map((input) => [offerKey(input), input]));
  const discounts = new Set(wanted.flatMap(({ discountId }) => discountId ?? []));
  const clockIds = [...new Set(rows.flatMap(({ clockId }) => clockId ?? []))];
  const [clocks, vendor, around, owners, sold, given] = await together(tx, [
    async () => (clockIds.length === 0 ? NO_CLOCKS : lockReadyClocks(tx, clockIds)),
    () => termsOfVendor(tx, vendorId),
    () =>
      loadSurroundings(
        tx,
        wanted.map((input) => ({ ...input, pendingChange: null })),
      ),
    () => usageOwnersOf(tx, [...free.keys()]),
    () => eachOf(tx, [...offers], ({ planId, pricing }) => readOffer(tx, vendorId, planId, { ...pricing, usual: null })),
    () =>
      eachOf(
        tx,
        [...discounts].map((id) => [id, id] as const),
        (id) => requireDiscount(tx, vendorId, id),
      ),
  ]);
  return {
    owners,
    of: (input) => {
      const { customerId, discountId } = input;
      const [row, facts, tax] = [free.get(customerId), around.customers.get(customerId), around.taxes.get(customerId)];
      const [offer, discount] = [sold.get(offerKey(input)) ?? null, discountId === null ? null : given.get(discountId)];
      if (row === undefined || facts === undefined || tax === undefined || offer === null || discount === undefined) return null;
      const now = row.clockId === null ? wallClock : clocks.get(row.clockId);
      if (now === undefined) return null;
      const customer = { ...row, pauses: facts.pauses, now };
      return { customer, around: { customer: facts, tax }, offer, discount, vendor, now };
    },
  };
}

const NO_CLOCKS: ReadonlyMap<string, Instant> = new Map();

const offerKey = ({ planId, pricing }: SignContractInput): string => JSON.stringify([planId, pricing]);

/** What is read of each, without what is refused. */
async function eachOf<K, T>(
  tx: Queryable,
  asked: readonly (readonly [string, K])[],
  read: (one: K) => Promise<T>,
): Promise<Map<string, T>> {
  const found = await together(
    tx,
    asked.map(([key, one]) => async () => {
      try {
        return [[key, await read(one)] as const];
      } catch (error) {
        if (error instanceof Refusal) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}
