import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import type { StoredResponse } from '../../db/sql/idempotency/request.ts';
import { catchUp } from '../../services/contract/catch-up.ts';
import type { Dependencies } from './dependencies.ts';
import { type Lease, storeAfterwards, storeWithEffect } from './idempotency.ts';
import { answerOf } from './response.ts';
import type { Request, Route } from './route.ts';

type PlainRequest = Request<unknown, unknown, unknown>;

/** Runs a route whose input is already checked; its answer is stored under the claim, if there is one. */
export async function execute(route: Route, request: PlainRequest, deps: Dependencies, lease: Lease | null): Promise<StoredResponse> {
  if (route.write !== undefined) return write(route, route.write, request, deps, lease);
  if (route.run === undefined) throw new Error(`${route.operationId} does nothing`);
  const answer = answerOf(route, await route.run(request, deps));
  if (lease !== null) await storeAfterwards(deps.db, lease, answer);
  return answer;
}

/** Effect and stored answer in one transaction. */
function write(
  route: Route,
  effect: NonNullable<Route['write']>,
  request: PlainRequest,
  deps: Dependencies,
  lease: Lease | null,
): Promise<StoredResponse> {
  const commit = () =>
    deps.db.transaction(async (tx) => {
      const stored = answerOf(route, await effect({ ...request, tx }, deps));
      if (lease !== null) await storeWithEffect(tx, lease, stored);
      return stored;
    });
  const caughtUp = () => catchingUpFirst(deps, commit);
  return route.queue === undefined ? caughtUp() : deps.queues.run(`${request.vendor} ${route.queue(request.params)}`, caughtUp);
}

const LONGEST_MS = 5_000;

/** What is asked of a very late contract waits until the contract has been brought up, for some seconds; then its caller comes again. */
async function catchingUpFirst<T>(deps: Dependencies, commit: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + LONGEST_MS; ; ) {
    try {
      return await commit();
    } catch (error) {
      if (!(error instanceof CatchingUp) || Date.now() > until) throw error;
      await catchUp(deps.db, error.contractId);
    }
  }
}
