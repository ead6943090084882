import type { CallApi, ConsoleCall } from '../../console/http/parts.ts';
import { nouns } from '../routes.ts';
import { nameMade } from './audit.ts';
import type { ApiDependencies } from './dependencies.ts';
import { wrongFields } from './failure.ts';
import { ApiResponse, type Request, type Route } from './route.ts';
import { parseWith } from './validation-error.ts';

const ROUTES: ReadonlyMap<string, Route> = new Map(nouns.flat().map((route) => [route.operationId, route]));

/** Takes a transaction back in which everything was in order. */
class OnlyChecked extends Error {}

/**
 * Lets the console's forms call operations of the API inside this process: with the checks of a request's fields, and
 * with the service and the transaction behind it. Whether somebody may call it is for the console to decide.
 */
export const callInside =
  (deps: ApiDependencies): CallApi =>
  async (call) => {
    const route = ROUTES.get(call.operation);
    if (route === undefined) throw new Error(`the API has no operation ${call.operation}`);
    try {
      const outcome = await outcomeOf(route, call, deps);
      return { response: outcome instanceof ApiResponse ? outcome.body : outcome };
    } catch (error) {
      if (error instanceof OnlyChecked) return { response: null };
      const problems = wrongFields(error);
      if (problems === null) throw error;
      return { problems };
    }
  };

function outcomeOf(route: Route, call: ConsoleCall, deps: ApiDependencies): Promise<unknown> {
  const { write, run } = route;
  const request = requestOf(route, call, deps);
  if (write === undefined) return run?.(request, deps) ?? Promise.resolve(null);
  const inOne = async (tx: Parameters<typeof write>[0]['tx']): Promise<unknown> => {
    await call.before?.(tx);
    const outcome = await write({ ...request, tx }, deps);
    nameMade(tx, outcome);
    if (call.checkOnly === true) throw new OnlyChecked();
    return outcome;
  };
  return deps.db.transaction(inOne, { ...call.asker, prepare: true, generalPlans: true });
}

const requestOf = (
  route: Route,
  { vendorId, asker, params = {}, body = {} }: ConsoleCall,
  { settings }: ApiDependencies,
): Request<unknown, unknown, unknown> => ({
  vendor: vendorId,
  apiKeyId: asker.caller.id ?? '',
  requestId: '',
  asker,
  idempotency: null,
  origin: settings.baseUrl,
  setHeader: () => undefined,
  header: () => '',
  params: route.params === undefined ? {} : parseWith(route.params, params, 'path'),
  query: route.query === undefined ? {} : parseWith(route.query, {}, 'query'),
  body: route.body === undefined ? undefined : parseWith(route.body, body, 'body'),
});
