import { errors, isErrorCode } from '../../../api/http/errors.ts';
import { problemOf } from '../../../api/http/failure.ts';
import { Problem } from '../../../api/http/problem.ts';
import { contractMachine } from '../../../billing/lifecycle/contract.ts';
import { next } from '../../../billing/lifecycle/machine.ts';
import { fail } from '../../../billing/problem.ts';
import { refusalOf } from '../../../db/refusal.ts';

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe('what an error is on the wire', () => {
  const gone = thrownBy(() => next(contractMachine, 'moved', 'cancel'));

  it('a step that the state of the thing rules out is a 409', () => {
    expect(problemOf(gone)?.status).toBe(409);
    expect(problemOf(gone)).toMatchObject({
      code: 'conflict',
      message: 'contract in "moved" doesn\'t take "cancel"; nothing leaves that state',
    });
  });

  it('and stays one on the way through a workflow', () => {
    const told = refusalOf(gone);
    expect(problemOf(new Error('the update failed', { cause: { type: told?.code, message: told?.message } }))).toMatchObject({
      code: 'conflict',
      message: 'contract in "moved" doesn\'t take "cancel"; nothing leaves that state',
    });
  });

  it('a value that breaks a rule is a 400', () => {
    expect(problemOf(thrownBy(() => fail('amount', 'invalid_decimal', 'give decimal text')))).toMatchObject({ code: 'invalid_request' });
  });

  it('names what it is about, also where no field is to blame', () => {
    expect(new Problem('customer_frozen', 'Acme is frozen.').feedback).toEqual({ customer: { type: 'error', value: 'Acme is frozen.' } });
    expect(new Problem('contract_not_found', undefined, { feedback: {} }).feedback).toEqual({
      contract: { type: 'error', value: errors.contract_not_found.remedy },
    });
    for (const code of Object.keys(errors).filter(isErrorCode)) expect(Object.keys(new Problem(code).feedback)).toHaveLength(1);
  });
});
