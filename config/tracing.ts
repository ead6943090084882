import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

export type TraceAttributes = Readonly<Record<string, string | number>>;

/** A span of a trace that has not ended yet. */
export interface TraceSpan {
  rename(name: string): void;
  /** Ids, kinds and numbers; never names, addresses, bodies or parameters. */
  addAttributes(attributes: TraceAttributes): void;
  fail(): void;
}

/** The place of a span in its trace as W3C headers say it, to go on from there in another process. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** Sends the traces of a process; code that gets no `Tracing` traces nothing. */
export interface Tracing {
  /** A request from outside; continues the caller's trace if its headers name one. */
  request<T>(headers: Readonly<Record<string, unknown>>, work: (span: TraceSpan) => Promise<T>): Promise<T>;
  /** A span of an SQL statement; without a parent span, such as in a poll, nothing is traced. */
  statement<T>(nameAndAttributes: () => readonly [string, TraceAttributes], work: () => Promise<T>): Promise<T>;
  /** A span of a call to somebody else; without a parent span it isn't traced, and `work` gets null. */
  outside<T>(name: string, attributes: TraceAttributes, work: (span: TraceSpan | null) => Promise<T>): Promise<T>;
  /** Where this code is in its trace; null outside any. */
  place(): TraceHeaders | null;
  /** Goes on where `place` was asked; without one the work begins traces of its own. */
  goOn<T>(from: TraceHeaders | null, work: () => T): T;
  /** Adds a span to each message to a workflow and sends the trace context with it. */
  readonly workflowClient: WorkflowClientInterceptor;
  /** Adds a span to each activity, in the trace that its workflow passes on. */
  readonly activity: ActivityInterceptorsFactory;
  /** Sends the spans that are left. */
  close(): Promise<void>;
}

/**
 * Opens tracing to an OpenTelemetry collector; null without one, and then no OpenTelemetry code is loaded.
 *
 * @param onLost is called at most once a minute with the reason why traces don't arrive
 */
export async function openTracing(endpoint: string | null, service: string, onLost: (error: unknown) => void): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { tracingTo } = await import('./tracing-otel.ts');
  return tracingTo(endpoint, service, onLost);
}
