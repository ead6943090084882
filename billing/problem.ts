/** One thing that is wrong with a value, named so that the caller can correct it. */
export interface FieldProblem {
  field: string;
  code: string;
  message: string;
}

/** A value that breaks a billing rule, with every problem that was found: its field, and what to give instead. */
export class BillingError extends Error {
  readonly problems: FieldProblem[];

  constructor(problems: FieldProblem | FieldProblem[]) {
    const list = Array.isArray(problems) ? problems : [problems];
    super(list.map((problem) => `${problem.field}: ${problem.message}`).join('; '));
    this.name = 'BillingError';
    this.problems = list;
  }
}

/** Throws a BillingError with one problem. */
export function fail(field: string, code: string, message: string): never {
  throw new BillingError({ field, code, message });
}
