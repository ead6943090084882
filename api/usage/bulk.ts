import { hash } from 'node:crypto';
import { DAY } from '../../billing/calendar/instant.ts';
import type { Recorded, ReportedUsage } from '../../db/usage/event.ts';
import { exampleUsageEntries, refusedEntries } from '../example/usage.ts';
import { problemOf } from '../http/failure.ts';
import type { IdempotencyRef } from '../http/idempotency.ts';
import { MOST_ERRORS, Problem } from '../http/problem.ts';
import { route, type Tenant } from '../http/route.ts';
import { parseWith } from '../http/validation-error.ts';
import { UsageBulkRequest, UsageEntry, UsageFailures } from '../schema/usage.ts';
import { usageFromWire } from '../wire/usage.ts';
import { usageErrors } from './errors.ts';

const KEPT_MS = 30 * DAY;

interface Failure {
  index: number;
  problem: Problem;
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
  run: async (request, { usage }) => {
    const { valid, failures } = validate(request.body, request, request.idempotency);
    const results = await usage.report(valid.map(({ entry }) => entry));
    failures.push(...valid.flatMap(({ index }, at) => failureOf(index, results[at])));
    return failures
      .toSorted((a, b) => a.index - b.index)
      .map(({ index, problem }) => ({ index, status: problem.status, code: problem.code, feedback: problem.feedback }));
  },
});

/** Beyond these errors each wrong entry names one field only, so that the response stays smaller than the request. */
const MOST_ERRORS_IN_ALL = 200;

/**
 * Entries without a key of their own get one of the request's: they are committed before its response is stored, and a
 * repeat that finds no response must not count them again.
 */
function keysOf(reference: IdempotencyRef | null): (index: number) => string | null {
  if (reference === null) return () => null;
  // after 30 days the same Idempotency-Key may come again, with the same body too
  const month = Math.floor(Date.now() / KEPT_MS);
  const request = hash('sha256', `${reference.key} ${reference.bodyHash}`, 'base64url');
  return (index) => `bulk:${month}:${request}:${index}`;
}

/** An entry of a wrong shape fails alone; the others go on. */
function validate(
  body: readonly unknown[],
  tenant: Tenant,
  reference: IdempotencyRef | null,
): { valid: { index: number; entry: ReportedUsage }[]; failures: Failure[] } {
  const keyOf = keysOf(reference);
  const valid: { index: number; entry: ReportedUsage }[] = [];
  const failures: Failure[] = [];
  let errorCount = 0;
  for (const [index, value] of body.entries()) {
    try {
      const entry = parseWith(UsageEntry, value, 'entry', Math.max(1, Math.min(MOST_ERRORS, MOST_ERRORS_IN_ALL - errorCount)));
      valid.push({ index, entry: usageFromWire(entry, tenant, entry.idempotency_key ?? keyOf(index)) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      failures.push({ index, problem: error });
      errorCount += Object.keys(error.feedback).length;
    }
  }
  return { valid, failures };
}

function failureOf(index: number, recorded: Recorded | undefined): Failure[] {
  if (recorded === undefined || !('error' in recorded)) return [];
  const problem = problemOf(recorded.error);
  if (problem === null) throw recorded.error;
  return [{ index, problem }];
}
