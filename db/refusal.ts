import { Refusal as BillingRefusal } from '../billing/contract/refusal.ts';
import { BillingError } from '../billing/problem.ts';

/**
 * An expected failure of a write: the request was understood and may not be done. `code` is one of the API's closed list;
 * `feedback` names fields or subjects.
 */
export class Refusal extends Error {
  readonly code: string;
  readonly feedback: Record<string, string>;

  constructor(code: string, detail: string, feedback: Record<string, string> = {}) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.feedback = feedback;
  }
}

/** What a caller may be told of a failure: one of the closed codes, and the fields or subjects it is about. */
export interface Told {
  code: string;
  message: string;
  feedback: Record<string, string>;
}

/** The refusal an error stands for, null when it is none: a fault of ours or of the machines. */
export function refusalOf(error: unknown): Told | null {
  if (error instanceof Refusal) return { code: error.code, message: error.message, feedback: error.feedback };
  if (error instanceof BillingRefusal) {
    return { code: error.code, message: error.message, feedback: error.field === null ? {} : { [error.field]: error.message } };
  }
  if (error instanceof BillingError) {
    const feedback = Object.fromEntries(error.problems.map((one) => [one.field, one.message]));
    return { code: 'invalid_request', message: error.message, feedback };
  }
  return null;
}
