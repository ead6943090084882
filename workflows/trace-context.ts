import { AsyncLocalStorage, type Headers, type WorkflowInterceptors, workflowInfo } from '@temporalio/workflow';
import { RUNS_AT_MEMO } from './messages.ts';

/** The header in which clients send the trace and activities look for it. */
const TRACE = '_tracer-data';

/**
 * Passes the trace of a message on to the activities that follow from it: an Update's to those of its handler, a
 * start's or signal's to those of the main loop, until a timer fires, or the delay ends that the first task waits for.
 * What happens then follows from time and is a trace of its own. No span is made in here and nothing is awaited, so
 * that a history replays the same with and without tracing.
 */
export function interceptors(): WorkflowInterceptors {
  const handler = new AsyncLocalStorage<Headers>();
  let latest: Headers = {};
  let isOfStart = true;
  const along = (given: Headers): Headers => {
    const trace = (handler.getStore() ?? latest)[TRACE];
    return trace === undefined ? given : { ...given, [TRACE]: trace };
  };
  return {
    inbound: [
      {
        execute(input, next) {
          if (!hasWaited()) latest = input.headers;
          return next(input);
        },
        handleSignal(input, next) {
          if (!isOfStart || !hasWaited()) latest = input.headers;
          isOfStart = false;
          return next(input);
        },
        handleUpdate: (input, next) => handler.run(input.headers, () => next(input)),
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: along(input.headers) }),
        scheduleLocalActivity: (input, next) => next({ ...input, headers: along(input.headers) }),
        startTimer(input, next) {
          const timer = next(input);
          const forget = () => {
            latest = {};
          };
          timer.then(forget, () => undefined);
          return timer;
        },
      },
    ],
  };
}

/** Milliseconds by which Temporal's clock may be behind that of the process which sent the start. */
const SKEW = 1_000;

/** Whether the first task waited until its instant: then not the start or its signal has brought it about, but time. */
function hasWaited(): boolean {
  const runsAt = workflowInfo().memo?.[RUNS_AT_MEMO];
  return typeof runsAt === 'number' && Date.now() >= runsAt - SKEW;
}
