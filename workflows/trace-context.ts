import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { AsyncLocalStorage } from '@temporalio/workflow';

/** The header in which clients send the trace and activities look for it. */
const TRACE = '_tracer-data';

/**
 * Passes the trace of a message on to the activities that follow from it: an Update's to those of its handler, a
 * start's or signal's to those of the main loop, until a timer fires. What happens then follows from time and is a
 * trace of its own. No span is made in here and nothing is awaited, so that a history replays the same with and without
 * tracing.
 */
export function interceptors(): WorkflowInterceptors {
  const handler = new AsyncLocalStorage<Headers>();
  let latest: Headers = {};
  const along = (given: Headers): Headers => {
    const trace = (handler.getStore() ?? latest)[TRACE];
    return trace === undefined ? given : { ...given, [TRACE]: trace };
  };
  return {
    inbound: [
      {
        execute(input, next) {
          latest = input.headers;
          return next(input);
        },
        handleSignal(input, next) {
          latest = input.headers;
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
