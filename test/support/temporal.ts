import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

export interface Temporal {
  connection: Connection;
  client: Client;
  close(): Promise<void>;
}

/**
 * A client of the tests' own. A call that is still under way when its connection goes, or waits to be tried again,
 * throws out of a timer into whatever test runs by then; so `close` tries nothing again and waits for all calls to end.
 */
export function temporalAt(address: string): Temporal {
  let isClosing = false;
  const retry = defaultGrpcRetryOptions();
  const retries = makeGrpcRetryInterceptor({
    ...retry,
    retryableDecider: (attempt, status) => !isClosing && retry.retryableDecider(attempt, status),
  });
  const connection = Connection.lazy({ address, interceptors: [retries] });
  const underWay = countCalls(connection);
  return {
    connection,
    client: new Client({ connection }),
    close: async () => {
      isClosing = true;
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await connection.close();
    },
  };
}

/** The calls of workflows that have not ended. */
function countCalls(connection: Connection): ReadonlySet<Promise<unknown>> {
  const underWay = new Set<Promise<unknown>>();
  const service = new Proxy(connection.workflowService, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...input: unknown[]) => {
        const called: unknown = Reflect.apply(member, target, input);
        if (called instanceof Promise) {
          underWay.add(called);
          const forget = () => underWay.delete(called);
          called.then(forget, forget);
        }
        return called;
      };
    },
  });
  Object.assign(connection, { workflowService: service });
  return underWay;
}
