import { errorSubjects } from './error-subjects.ts';
import { type ErrorCode, errors } from './errors.ts';

/** What was wrong, field by field (or subject by subject). */
export type Feedback = Record<string, { type: 'error'; value: string }>;

interface ProblemExtras {
  readonly feedback?: Feedback;
  /** Seconds after which a repeat makes sense. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

const named = (feedback: Feedback | undefined) => (feedback !== undefined && Object.keys(feedback).length > 0 ? feedback : undefined);

/** An expected failure: a code of the closed list and what to say about this occurrence. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly feedback: Feedback;
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail?: string, extras: ProblemExtras = {}) {
    super(detail ?? errors[code].remedy, { cause: extras.cause });
    this.name = 'Problem';
    this.code = code;
    this.feedback = named(extras.feedback) ?? { [errorSubjects[code]]: { type: 'error', value: this.message } };
    this.retryAfter = extras.retryAfter;
    this.headers = extras.headers ?? {};
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/** A 400 that names one field. */
export const invalidField = (field: string, value: string): Problem =>
  new Problem('invalid_request', `${field}: ${value}`, { feedback: { [field]: { type: 'error', value } } });

interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ErrorCode;
  request_id: string;
  feedback: Feedback;
}

/** The RFC 9457 body of a problem. `type` is a path into our own offline documentation. */
export const problemBody = (problem: Problem, instance: string, requestId: string): ProblemBody => ({
  type: `/docs#error-${problem.code}`,
  title: errors[problem.code].title,
  status: problem.status,
  detail: problem.message,
  instance,
  code: problem.code,
  request_id: requestId,
  feedback: problem.feedback,
});
