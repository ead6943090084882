import type { Database } from '../../db/connect.ts';
import type { Recorded, ReportedUsage } from '../../db/usage/event.ts';
import { exampleUsageEntries, refusedEntries } from '../example/usage.ts';
import { expectedOrLogged } from '../http/failure.ts';
import { effectIdOf, type IdempotencyRef, isPassing } from '../http/idempotency.ts';
import { MOST_ERRORS, Problem } from '../http/problem.ts';
import { route, type Tenant, UnfinishedResponse } from '../http/route.ts';
import { parseWith } from '../http/validation-error.ts';
import { UsageBulkRequest, UsageEntry, UsageFailures } from '../schema/usage.ts';
import { usageFromWire } from '../wire/usage.ts';
import { usageErrors } from './errors.ts';

interface Failure {
  index: number;
  problem: Problem;
}

interface Valid {
  index: number;
  entry: ReportedUsage;
}

export const reportUsageBulkRoute = route({
  method: 'post',
  path: '/v1/c/usage/bulk',
  operationId: 'report_usage_bulk',
  tag: 'Usage',
  summary: 'Report up to 1,000 usage events',
  description: 'Commits the valid entries and returns the failed ones; an empty array means that all are stored.',
  scope: 'usage',
  body: UsageBulkRequest,
  response: { 200: UsageFailures },
  unaudited: 'each usage event is on record itself, with its history',
  errors: usageErrors,
  example: { body: exampleUsageEntries, response: refusedEntries },
  run: async (request, { usage, db, log }) => {
    const { valid, failures } = validate(request.body, request);
    const results = await usage.report(await keyed(db, valid, request.idempotency));
    const problemOf = (error: unknown): Problem => expectedOrLogged(error, request.requestId, log);
    failures.push(...valid.flatMap((one, at) => failureOf(one, results[at], problemOf)));
    const failed = failures
      .toSorted((a, b) => a.index - b.index)
      .map(({ index, problem }) => ({ index, status: problem.status, code: problem.code, feedback: problem.feedback }));
    return failures.some(({ problem }) => isPassing(problem)) ? new UnfinishedResponse(200, failed) : failed;
  },
});

/** Beyond these errors each wrong entry names one field only, so that the response stays smaller than the request. */
const MOST_ERRORS_IN_ALL = 200;

/**
 * Gives entries without a key of their own one of the request's: they are committed before its response is stored, and
 * a repeat that finds no response must not count them again.
 */
async function keyed(db: Database, valid: readonly Valid[], reference: IdempotencyRef | null): Promise<ReportedUsage[]> {
  const entries = valid.map(({ entry }) => entry);
  if (reference === null || entries.every(({ idempotencyKey }) => idempotencyKey !== null)) return entries;
  const batch = await effectIdOf(db, reference, 'Bulk');
  return valid.map(({ index, entry }) => (entry.idempotencyKey === null ? { ...entry, idempotencyKey: `${batch}:${index}` } : entry));
}

/** An entry of a wrong shape fails alone; the others go on. */
function validate(body: readonly unknown[], tenant: Tenant): { valid: Valid[]; failures: Failure[] } {
  const valid: Valid[] = [];
  const failures: Failure[] = [];
  let errorCount = 0;
  for (const [index, value] of body.entries()) {
    try {
      const entry = parseWith(UsageEntry, value, 'entry', Math.max(1, Math.min(MOST_ERRORS, MOST_ERRORS_IN_ALL - errorCount)));
      valid.push({ index, entry: usageFromWire(entry, tenant, entry.idempotency_key ?? null) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      failures.push({ index, problem: error });
      errorCount += Object.keys(error.feedback).length;
    }
  }
  return { valid, failures };
}

/** Also of an unexpected error: other entries are stored, which a failure of the whole request would not tell. */
function failureOf({ index, entry }: Valid, recorded: Recorded | undefined, problemOf: (error: unknown) => Problem): Failure[] {
  if (recorded === undefined || !('error' in recorded)) return [];
  const problem = problemOf(recorded.error);
  return [{ index, problem: entry.idempotencyKey === null ? problem : namingItsKey(problem) }];
}

/** An entry has its key in a field, not in a header. */
function namingItsKey(problem: Problem): Problem {
  if (problem.code !== 'idempotency_key_reused') return problem;
  return new Problem(problem.code, problem.message, { feedback: { idempotency_key: { type: 'error', value: problem.message } } });
}
