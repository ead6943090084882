import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client/index.js';
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry/lib/worker/index.js';
import type { TraceSpan, Tracing } from './tracing.ts';

/** How often collected spans are sent. */
const SEND_EVERY_MS = 1_000;
/** A collector that doesn't answer must not delay the end of a process. */
const SEND_TIMEOUT_MS = 3_000;
const REPORT_EVERY_MS = 60_000;

/** Only `tracing.ts` imports this file, so that OpenTelemetry is loaded only when a collector is configured. */
export function tracingTo(endpoint: string, service: string, onLost: (error: unknown) => void): Tracing {
  setGlobalErrorHandler(atMostOncePerMinute(onLost));
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: SEND_TIMEOUT_MS });
  const provider = new BasicTracerProvider({
    resource: Resource.default().merge(new Resource({ 'service.name': service })),
    spanProcessors: [
      removePersonalData,
      new BatchSpanProcessor(exporter, { scheduledDelayMillis: SEND_EVERY_MS, exportTimeoutMillis: SEND_TIMEOUT_MS }),
    ],
  });
  provider.register({ contextManager: new AsyncLocalStorageContextManager().enable(), propagator: new W3CTraceContextPropagator() });
  const tracer = provider.getTracer('perennial');

  return {
    request: (headers, work) => {
      const caller = propagation.extract(context.active(), headers);
      return tracer.startActiveSpan('request', { kind: SpanKind.SERVER }, caller, async (span) => {
        try {
          return await work(openSpan(span));
        } finally {
          span.end();
        }
      });
    },
    statement: async (nameAndAttributes, work) => {
      if (trace.getActiveSpan()?.isRecording() !== true) return work();
      const [name, attributes] = nameAndAttributes();
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
      try {
        return await work();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    outside: async (name, attributes, work) => {
      if (trace.getActiveSpan()?.isRecording() !== true) return work(null);
      return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
        try {
          return await work(openSpan(span));
        } finally {
          span.end();
        }
      });
    },
    place: () => {
      const headers: Record<string, string> = {};
      propagation.inject(context.active(), headers);
      return Object.keys(headers).length === 0 ? null : headers;
    },
    goOn: (from, work) => context.with(propagation.extract(ROOT_CONTEXT, from ?? {}), work),
    workflowClient: new OpenTelemetryWorkflowClientInterceptor({ tracer }),
    activity: (activity) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(activity, { tracer }) }),
    close: () => provider.shutdown().catch(onLost),
  };
}

const openSpan = (span: Span): TraceSpan => ({
  rename: (name) => span.updateName(name),
  addAttributes: (attributes) => span.setAttributes(attributes),
  fail: () => span.setStatus({ code: SpanStatusCode.ERROR }),
});

function atMostOncePerMinute(report: (error: unknown) => void): (error: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    report(error);
  };
}

/**
 * Error messages may contain what a caller sent, so a span keeps only the type of an error; the log has the message.
 */
const removePersonalData: SpanProcessor = {
  onStart() {},
  onEnd(span: ReadableSpan) {
    delete span.status.message;
    for (const event of span.events) event.attributes = { 'exception.type': event.attributes?.['exception.type'] };
  },
  forceFlush: async () => {},
  shutdown: async () => {},
};
