import type { StoredAnswer } from '../../db/idempotency/answer.ts';
import { answerOf } from './answer.ts';
import type { Dependencies } from './dependencies.ts';
import { type Claim, storeAfterwards, storeWithEffect } from './idempotency.ts';
import type { Request, Route } from './route.ts';

type PlainRequest = Request<unknown, unknown, unknown>;

/** Runs a route whose input is already checked; its answer is stored under the claim, if there is one. */
export async function execute(route: Route, request: PlainRequest, deps: Dependencies, claim: Claim | null): Promise<StoredAnswer> {
  if (route.write !== undefined) return write(route, route.write, request, deps, claim);
  if (route.run === undefined) throw new Error(`${route.operationId} does nothing`);
  const answer = answerOf(route, await route.run(request, deps));
  if (claim !== null) await storeAfterwards(deps.db, claim, answer);
  return answer;
}

/** Effect and stored answer in one transaction, deliveries after its commit. */
async function write(
  route: Route,
  effect: NonNullable<Route['write']>,
  request: PlainRequest,
  deps: Dependencies,
  claim: Claim | null,
): Promise<StoredAnswer> {
  const deliveries: (() => Promise<void>)[] = [];
  const answer = await deps.db.transaction(async (tx) => {
    deliveries.length = 0; // the transaction may run again after a deadlock
    const outcome = await effect({ ...request, tx, afterCommit: (deliver) => deliveries.push(deliver) }, deps);
    const stored = answerOf(route, outcome);
    if (claim !== null) await storeWithEffect(tx, claim, stored);
    return stored;
  });
  for (const deliver of deliveries) {
    // the fact is committed and its wish is a row: a delivery that fails is the relay's work, never the caller's error
    await deliver().catch((error: unknown) => deps.log.warn({ err: error, request_id: request.requestId }, 'a wish was left to the relay'));
  }
  return answer;
}
