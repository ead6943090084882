import { problemOf } from '../../../api/http/failure.ts';
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
});
