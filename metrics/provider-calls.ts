import type { TraceSpan, Tracing } from '../config/tracing.ts';
import type { WatchCall } from '../payments/watched.ts';
import type { Metrics } from './process.ts';

/** The provider gave no answer that says what became of the call. */
const FAILURES = new Set(['unknown', 'unavailable', 'error']);

/** Each call to a payment provider is a step of the trace under way, and counted with its time. */
export const watchProviders =
  (metrics: Metrics, tracing: Tracing | null): WatchCall =>
  async (call, run) => {
    const watch = async (span: TraceSpan | null) => {
      const began = performance.now();
      let outcome = 'error';
      try {
        return await run((name) => {
          outcome = name;
        });
      } finally {
        metrics.providerCall({ ...call, outcome }, performance.now() - began);
        span?.addAttributes({ 'perennial.outcome': outcome });
        if (FAILURES.has(outcome)) span?.fail();
      }
    };
    if (tracing === null) return watch(null);
    const attributes = { 'peer.service': call.provider, 'perennial.operation': call.operation };
    return tracing.outside(`${call.operation} ${call.provider}`, attributes, watch);
  };
