import type { Recorded, ReportedUsage } from '../../db/usage/event.ts';
import { exampleUsageEntries, refusedEntries } from '../example/usage.ts';
import { problemOf } from '../http/failure.ts';
import { MOST_ERRORS, Problem } from '../http/problem.ts';
import { type Caller, route } from '../http/route.ts';
import { parseWith } from '../http/validation-error.ts';
import { UsageBulkRequest, UsageEntry, UsageFailures } from '../schema/usage.ts';
import { usageFromWire } from '../wire/usage.ts';
import { usageErrors } from './errors.ts';

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
  description: 'Commits the good entries and answers the failed ones; an empty array means that all are on disk.',
  scope: 'usage',
  body: UsageBulkRequest,
  response: { 200: UsageFailures },
  errors: usageErrors,
  example: { body: exampleUsageEntries, response: refusedEntries },
  run: async (request, { usage }) => {
    const { good, failures } = sort(request.body, request);
    const results = await usage.report(good.map(({ entry }) => entry));
    failures.push(...good.flatMap(({ index }, at) => failureOf(index, results[at])));
    return failures
      .toSorted((a, b) => a.index - b.index)
      .map(({ index, problem }) => ({ index, status: problem.status, code: problem.code, feedback: problem.feedback }));
  },
});

/** Wrong fields told of all entries together; beyond, each wrong entry names one, so that the answer stays smaller than the request. */
const MOST_ERRORS_IN_ALL = 200;

/** Entries of a wrong shape fail by themselves. */
function sort(body: readonly unknown[], caller: Caller): { good: { index: number; entry: ReportedUsage }[]; failures: Failure[] } {
  const good: { index: number; entry: ReportedUsage }[] = [];
  const failures: Failure[] = [];
  let errorCount = 0;
  for (const [index, value] of body.entries()) {
    try {
      good.push({
        index,
        entry: usageFromWire(
          parseWith(UsageEntry, value, 'entry', Math.max(1, Math.min(MOST_ERRORS, MOST_ERRORS_IN_ALL - errorCount))),
          caller,
          null,
        ),
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      failures.push({ index, problem: error });
      errorCount += Object.keys(error.feedback).length;
    }
  }
  return { good, failures };
}

function failureOf(index: number, recorded: Recorded | undefined): Failure[] {
  if (recorded === undefined || !('error' in recorded)) return [];
  const problem = problemOf(recorded.error);
  if (problem === null) throw recorded.error;
  return [{ index, problem }];
}
