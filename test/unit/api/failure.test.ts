import { type ErrorCode, errors } from '../../../api/http/errors.ts';
import { problemOf } from '../../../api/http/failure.ts';
import { Problem } from '../../../api/http/problem.ts';
import { contractMachine } from '../../../billing/lifecycle/contract.ts';
import { next } from '../../../billing/lifecycle/machine.ts';
import { fail } from '../../../billing/problem.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { CommitUnknown } from '../../../db/sql/transaction/commit-fate.ts';

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe('an error on the wire', () => {
  const gone = thrownBy(() => next(contractMachine, 'moved', 'cancel'));

  it('of an action that the current state forbids is a 409', () => {
    expect(problemOf(gone)?.status).toBe(409);
    expect(problemOf(gone)).toMatchObject({
      code: 'conflict',
      message: 'contract in "moved" doesn\'t take "cancel"; nothing leaves that state',
    });
  });

  it('of a refusal keeps its fields, and has a Retry-After when it ends by itself', () => {
    expect(problemOf(new Refusal('past_date', 'give a date from now on', 'when.date'))).toMatchObject({
      code: 'invalid_request',
      feedback: { 'when.date': { type: 'error', value: 'give a date from now on' } },
      retryAfter: undefined,
    });
    expect(problemOf(new Refusal('clock_advancing', 'the clock advances'))).toMatchObject({ code: 'clock_advancing', retryAfter: 1 });
  });

  it('of a COMMIT with unknown outcome is a 503 with a separate code', () => {
    expect(problemOf(new CommitUnknown(new Error('the line broke')))).toMatchObject({
      code: 'outcome_unknown',
      status: 503,
      retryAfter: 2,
    });
  });

  it('of a value that breaks a rule is a 400', () => {
    expect(problemOf(thrownBy(() => fail('amount', 'invalid_decimal', 'give decimal text')))).toMatchObject({ code: 'invalid_request' });
  });

  it('names its subject, also when no field is wrong', () => {
    expect(new Problem('customer_frozen', 'Acme is frozen.').feedback).toEqual({ customer: { type: 'error', value: 'Acme is frozen.' } });
    expect(new Problem('contract_not_found', undefined, { feedback: {} }).feedback).toEqual({
      contract: { type: 'error', value: errors.contract_not_found.remedy },
    });
    for (const code of Object.keys(errors) as ErrorCode[]) expect(Object.keys(new Problem(code).feedback)).toHaveLength(1);
  });
});
