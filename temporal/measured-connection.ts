import { Connection, type ConnectionOptions, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/** Takes the end of a call to the Temporal server: the name of its method, and how long it took with its repeats. */
export type CallEnded = (method: string, outcome: 'ok' | 'failed', milliseconds: number) => void;

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

/** A connection that is made when it is first needed, and reports each call. */
export function measuredConnection(address: string, ended: CallEnded): Connection {
  // interceptors that are given take the place of the usual ones
  return Connection.lazy({ address, interceptors: [measure(ended), makeGrpcRetryInterceptor(defaultGrpcRetryOptions())] });
}

const measure =
  (ended: CallEnded): Interceptor =>
  (options, nextCall) => {
    const method = options.method_definition.path.split('/').at(-1) ?? '';
    const call = nextCall(options) as ReturnType<Interceptor>;
    const start = call.start.bind(call);
    call.start = (metadata, listener) => {
      const began = performance.now();
      start(metadata, {
        onReceiveMetadata: (received) => listener?.onReceiveMetadata?.(received),
        onReceiveMessage: (message) => listener?.onReceiveMessage?.(message),
        onReceiveStatus: (status) => {
          ended(method, status.code === 0 ? 'ok' : 'failed', performance.now() - began);
          listener?.onReceiveStatus?.(status);
        },
      });
    };
    return call;
  };
