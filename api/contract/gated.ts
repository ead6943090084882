import { madeUnderKey } from '../../db/sql/idempotency/made-under-key.ts';
import type { Gated } from '../../services/payment-gate/open-change.ts';
import { awaitGate } from '../../services/payment-gate/wait.ts';
import type { ApiDependencies, Transaction } from '../http/dependencies.ts';
import type { IdempotencyRef } from '../http/idempotency.ts';
import { LaterResponse } from '../http/route.ts';

/**
 * Opens a gate and responds once its first attempt has an outcome, or after ten seconds. A repeat whose first request
 * broke off waits for the same gate: the key names it.
 */
export async function gated(
  tx: Transaction,
  idempotency: IdempotencyRef | null,
  deps: Pick<ApiDependencies, 'db' | 'awaitPayment'>,
  open: () => Promise<Gated>,
): Promise<string | LaterResponse<string>> {
  const known = idempotency === null ? null : await madeUnderKey(tx, idempotency);
  if (known !== null) tx.audited.length = 0;
  const { contractId, attemptId } = known === null ? await open() : { contractId: known, attemptId: null };
  if (known === null && attemptId === null) return contractId;
  return new LaterResponse(contractId, () => awaitGate(deps, contractId, attemptId));
}
