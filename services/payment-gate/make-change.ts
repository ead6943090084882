import { planChange } from '../../billing/contract/change/change.ts';
import { lateUsage } from '../../billing/contract/change/late-usage.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { PaymentGateRecord } from '../../db/entities/payment-gate.ts';
import { seededIds } from '../../db/id.ts';
import { usageOwnersOf } from '../../db/sql/contract/usage-owners.ts';
import type { CounterKey } from '../../db/sql/usage/part.ts';
import type { Tx } from '../../db/transaction.ts';
import { linesFingerprint, readChangeRequest } from '../contract/change.ts';
import { decideOnContract } from '../contract/decide.ts';
import { loadSnapshots } from '../contract/load.ts';
import type { GatePayment } from '../invoice/gate-payment.ts';
import { chargeLateUsage } from '../usage/correct.ts';
import type { GatedAct } from './gate.ts';
import { gatedFacts } from './open-change.ts';

/**
 * Makes a change that was paid, as of the instant at which its gate was opened: with the prices and lines of then.
 * Usage reported since is counted where it belongs: what lies after that instant on the new contract; what lies before
 * it, in a period that the change has closed, is charged on an invoice of its own.
 *
 * @throws Refusal `estimate_outdated` and whatever else is in the way by now
 */
export async function makeChange(
  tx: Tx,
  { vendorId, customerId, fromContractId }: PaymentGateRecord,
  { input, basis }: Extract<GatedAct, { kind: 'change' }>,
  payment: GatePayment,
): Promise<void> {
  const contractId = fromContractId ?? '';
  let late: CounterKey[] = [];
  let liveId = '';
  await decideOnContract(
    tx,
    { vendorId, contractId },
    async ({ snapshot }) => {
      const request = await readChangeRequest(tx, snapshot, input, () => usageOwnersOf(tx, [customerId]));
      const [then] = await loadSnapshots(tx, [contractId], basis.instant);
      if (then === undefined || gatedFacts(then, request) !== basis.facts) throw outdated();
      const plan = planChange(basis.snapshot, request, basis.instant, seededIds(basis.seed, basis.instant));
      if (linesFingerprint(plan) !== basis.lines) throw outdated();
      late = lateUsage(basis.snapshot, then.usage, plan.outcome);
      liveId = plan.newContractId;
      return { outcome: plan.outcome, basis: { before: basis.snapshot, at: basis.instant }, payment };
    },
    { whileAdvancing: true },
  );
  if (late.length > 0) await chargeLateUsage(tx, { contractId, liveId, keys: late, occasion: payment.charged.occasion }, payment.at);
}

const outdated = (): Refusal => new Refusal('estimate_outdated', 'The contract, its prices or its taxes have changed since.');
