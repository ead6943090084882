import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

export type Facts = Readonly<Record<string, string | number>>;

/** One step of a trace while it is under way. */
export interface Step {
  rename(name: string): void;
  /** Ids, kinds and numbers; never names, addresses, bodies or parameters. */
  addFacts(facts: Facts): void;
  fail(): void;
}

/** Where a process sends its traces. Whoever isn't given one traces nothing. */
export interface Tracing {
  /** A request from outside; continues the caller's trace if its headers name one. */
  request<T>(headers: Readonly<Record<string, unknown>>, work: (step: Step) => Promise<T>): Promise<T>;
  /** A step to Postgres within what is under way; by itself, such as a poll, it would be a trace of nothing. */
  statement<T>(nameAndFacts: () => readonly [string, Facts], work: () => Promise<T>): Promise<T>;
  /** Puts a step around each message to a workflow and sends the trace along. */
  readonly workflowClient: WorkflowClientInterceptor;
  /** Puts a step around each activity; it continues the trace that its workflow passes on. */
  readonly activity: ActivityInterceptorsFactory;
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * Traces to an OpenTelemetry collector, or none: then nothing of OpenTelemetry is even loaded.
 *
 * @param lost is called, once a minute at most, with the reason why traces don't arrive
 */
export async function openTracing(endpoint: string | null, service: string, lost: (error: unknown) => void): Promise<Tracing | null> {
  if (endpoint === null) return null;
  const { tracingTo } = await import('./tracing-otel.ts');
  return tracingTo(endpoint, service, lost);
}
