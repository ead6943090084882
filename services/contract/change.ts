import type { Instant } from '../../billing/calendar/instant.ts';
import { type ChangePlan, planChange } from '../../billing/contract/change/change.ts';
import type { ChangeRequest, ChangeTime } from '../../billing/contract/change/change-request.ts';
import type { PricingChoice } from '../../billing/contract/terms/offer.ts';
import { requireActiveCustomer } from '../../billing/contract/terms/require.ts';
import type { Overrides } from '../../billing/contract/terms/terms.ts';
import type { ContractSnapshot, NewId } from '../../billing/contract/types.ts';
import type { Line } from '../../billing/invoice/types.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { newId, seededIds } from '../../db/id.ts';
import { type UsageOwnership, usageOwnersOf } from '../../db/sql/contract/usage-owners.ts';
import { together } from '../../db/together.ts';
import { sendLast } from '../../db/transaction.ts';
import { requireNotBeingPaid } from '../payment-gate/being-paid.ts';
import { type ContractCall, decideOnContract } from './decide.ts';
import { ESTIMATE_LASTS_MS, fingerprintOf } from './fingerprint.ts';
import { loadSnapshots } from './load.ts';
import { readOffer, requireDiscount } from './offer.ts';
import { requireNotOwned } from './usage-owners.ts';

/** A change as a caller asks for it; plain JSON, so that an estimate's token can carry it. */
export type ChangeInput = {
  strategy: 'new_plan' | 'change_unit_count';
  planId: string | null;
  pricing: Omit<PricingChoice, 'usual'>;
  overrides: Overrides;
  discountId: string | null;
  /** null: by the rule of its direction */
  activation: ChangeTime | null;
  downgradeAllowed: boolean;
};

/**
 * What an estimate was computed from. If the facts are still the same, the change makes the same lines; otherwise the
 * estimate is outdated.
 */
export type EstimateBasis = {
  contractId: string;
  instant: Instant;
  seed: string;
  /** of the contract that the change makes: one with this id says that the token was used */
  newContractId: string;
  /** fingerprints of what the change is computed from, and of its result */
  facts: string;
  lines: string;
};

/** What a change must keep to. */
interface ChangeLimits {
  /** what its invoices may leave to pay after the wallet has paid; null = any amount */
  atMost?: string | null;
  /** refuses a locked contract that may not be changed in this way */
  require?: (snapshot: ContractSnapshot) => void;
}

/**
 * Changes plan or units of a contract, now or later. With the basis of an estimate it is computed as of the estimate's
 * instant.
 *
 * @returns the id of the resulting contract
 * @throws Refusal of the catalogue, of the rule, `estimate_outdated`, and of `require`
 */
export async function changeContract(
  tx: Tx,
  call: ContractCall,
  input: ChangeInput,
  estimate: EstimateBasis | null,
  { atMost = null, require = () => undefined }: ChangeLimits = {},
): Promise<string> {
  let newContractId = '';
  let invoiceIds: string[] = [];
  await decideOnContract(tx, call, async ({ snapshot, now }) => {
    require(snapshot);
    if (snapshot.contract.gate !== null) await requireNotBeingPaid(tx, snapshot.contract.gate);
    const { plan, before, at } = await computeChange(tx, snapshot, input, estimate, { now, newId });
    newContractId = plan.newContractId;
    invoiceIds = [...plan.remainsToPay, ...plan.priceOnNew].map(({ invoice }) => invoice.id);
    return { outcome: plan.outcome, basis: { before, at }, act: 'contract_changed' };
  });
  if (atMost !== null) await requireAtMost(tx, invoiceIds, atMost);
  return newContractId;
}

/**
 * Refuses invoices of which more is left to pay than was shown: the estimate fixes the lines, not the wallet, whose
 * money another payment may have used meanwhile.
 */
export async function requireAtMost(tx: Tx, invoiceIds: readonly string[], atMost: string): Promise<void> {
  await sendLast(tx);
  const made = await tx.em.find(Invoice, { id: { $in: [...invoiceIds] } }, { refresh: true });
  const due = sum(made.map(({ amountDue }) => dec(amountDue)));
  if (due.gt(dec(atMost))) throw outdated('The wallet pays less of it than at the estimate.');
}

/** Whether the input names a plan, whose place must be free. */
export const readsOwners = ({ strategy }: ChangeInput): boolean => strategy === 'new_plan';

/**
 * The input with what the catalogue says about it now.
 *
 * @param readOwners of the plans and slugs of the contract's customer; only a change of plan looks at them
 *   (`readsOwners`)
 * @throws Refusal of the catalogue
 */
export async function readChangeRequest(
  tx: Queryable,
  { contract }: ContractSnapshot,
  input: ChangeInput,
  readOwners: () => Promise<readonly UsageOwnership[]>,
): Promise<ChangeRequest> {
  const { overrides, activation, downgradeAllowed, planId } = input;
  const discount = input.discountId === null ? null : await requireDiscount(tx, contract.vendorId, input.discountId);
  const common = { overrides, discount, activation, downgradeAllowed };
  if (input.strategy === 'change_unit_count') return { ...common, strategy: 'change_unit_count', planId, ...input.pricing };
  const { currency, cycle, originalPlanId } = contract.terms;
  const [owners, offer] = await together(tx, [
    readOwners,
    () =>
      readOffer(
        tx,
        contract.vendorId,
        planId ?? originalPlanId,
        { ...input.pricing, usual: { currency, cycle } },
        'upgrade_configuration.',
      ),
  ]);
  await requireNotOwned(tx, owners, offer, contract);
  return { ...common, strategy: 'new_plan', offer };
}

/**
 * Computes a change that is to be written: as of now, or as of the instant of its estimate.
 *
 * @throws Refusal `customer_frozen`, of the catalogue, and `estimate_outdated` after ten minutes, or when anything the
 * estimate was computed from has changed since
 */
export async function computeChange(
  tx: Queryable,
  snapshot: ContractSnapshot,
  input: ChangeInput,
  basis: EstimateBasis | null,
  { now, newId }: { now: Instant; newId: NewId },
): Promise<{ plan: ChangePlan; before: ContractSnapshot; at: Instant }> {
  // before the facts are compared: a freeze is one of them, and the caller must learn of it
  requireActiveCustomer(snapshot);
  const request = await readChangeRequest(tx, snapshot, input, () => usageOwnersOf(tx, [snapshot.contract.customerId]));
  if (basis === null) return { plan: planChange(snapshot, request, now, newId), before: snapshot, at: now };
  if (now >= basis.instant + ESTIMATE_LASTS_MS) throw outdated('The estimate is older than ten minutes.');
  // the contract's row is locked already: nothing changes between the two reads
  const [then] = await loadSnapshots(tx, [snapshot.contract.id], basis.instant, { left: 'shown' });
  if (then === undefined || basis.contractId !== snapshot.contract.id || factsFingerprint(then, request) !== basis.facts) throw outdated();
  const plan = planChange(then, request, basis.instant, seededIds(basis.seed, basis.instant));
  // usage after the basis' instant counts on the new contract; if that has no price for it, the old one would charge
  // it, and the lines would differ
  if (linesFingerprint(plan) !== basis.lines) throw outdated();
  return { plan, before: then, at: basis.instant };
}

const outdated = (why = 'The contract, its prices, its taxes or its usage have changed since the estimate.'): Refusal =>
  new Refusal('estimate_outdated', why);

/** One value for everything a change is computed from, usage up to the snapshot's instant. */
export function factsFingerprint(snapshot: ContractSnapshot, request: ChangeRequest): string {
  // the payment method is left out: it decides what the end of a trial does, but then the change has other lines anyway
  const { status: _status, hasMethod: _hasMethod, ...customer } = snapshot.customer;
  const periods = snapshot.periods.filter(({ from }) => from <= snapshot.now);
  const usage = snapshot.usage
    .filter(({ unitsUntilNow, eventsUntilNow }) => eventsUntilNow > 0 || !dec(unitsUntilNow).isZero())
    .map(({ units: _units, events: _events, marker: _marker, ...untilNow }) => untilNow);
  // a payment gate is left out: a call that ends the gate may still use the estimate
  const contract = { ...snapshot.contract, gate: null };
  const [running, waiting] = [snapshot.running, snapshot.waiting].map((lines) => lines.map(withoutDerivation));
  return fingerprintOf([{ ...snapshot, contract, customer, periods, usage, running, waiting }, request]);
}

/**
 * The derivation is the longest part of a line, and comparing it adds nothing: that of a written line never changes,
 * and equal facts lead to equal lines. JSON leaves out what is undefined, and a whole copy is made faster than one
 * without a field.
 */
const withoutDerivation = (line: Line) => ({ ...line, derivation: undefined });

/** One value for the result of a change, in which each line and each invoice stands once. */
export function linesFingerprint({ outcome, priceOnNew, remainsToPay, breakdown }: ChangePlan): string {
  const { lines, invoices, wallet } = outcome.effects;
  const made = new Set<object>([...lines, ...invoices]);
  const shown = [priceOnNew, remainsToPay].map((some) => some.map((one) => [one.invoice, ...one.lines]));
  const only = shown.flat(2).filter((one) => !made.has(one));
  const ids = shown.map((some) => some.map((one) => one.map(({ id }) => id)));
  return fingerprintOf([lines.map(withoutDerivation), invoices, wallet, ids, only, breakdown]);
}
