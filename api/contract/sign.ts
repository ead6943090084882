import { newId } from '../../db/id.ts';
import { openSigning } from '../../services/contract/estimate-token.ts';
import { signContract } from '../../services/contract/sign.ts';
import type { SignBasis, SignContractInput } from '../../services/contract/signing.ts';
import { openGatedSigning } from '../../services/payment-gate/open-sign.ts';
import { exampleSigning } from '../example/estimate.ts';
import { ids } from '../example/ids.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { SignRequest } from '../schema/contract.ts';
import { signFromWire } from '../wire/sign.ts';
import { gateErrors, gateTermsOf } from './gate-terms.ts';
import { gated } from './gated.ts';
import { signErrors } from './sign-errors.ts';

export const signContractRoute = route({
  method: 'post',
  path: '/v1/c/contract',
  operationId: 'sign_contract',
  tag: 'Contracts',
  summary: 'Sign a contract',
  description:
    'Binds a customer to a plan and returns the id of the contract. Its first period and invoice are written in the same transaction; only payments come later. Prices are copied: later edits of the plan change nothing. With a `payment_gate` it is `pending` and `awaiting_payment` until it is paid; the response waits up to ten seconds for the first attempt: 402 when it is declined.',
  scope: 'full',
  body: SignRequest,
  response: { 201: ContractId },
  errors: [...signErrors, ...gateErrors, 'estimate_outdated'],
  example: { body: exampleSigning, response: ids.movedContract },
  together: ({ vendor, asker, body }, { signings }) => {
    if (body.estimate_token != null || body.payment_gate != null) return null;
    const [input, contractId] = [signFromWire(body, vendor), newId('Cont')];
    return { outcome: contractId, make: (answer) => signings.sign({ input, contractId, asker, answer }) };
  },
  write: async ({ vendor, body, tx, idempotency }, deps) => {
    const input = signFromWire(body, vendor);
    const estimate = body.estimate_token == null ? null : basisOf(deps.settings.secret, vendor, input, body.estimate_token);
    if (body.payment_gate == null) return signContract(tx, input, estimate);
    const terms = gateTermsOf(body.payment_gate, deps);
    return gated(tx, idempotency, deps, () => openGatedSigning(tx, input, estimate, terms));
  },
});

/** The basis of the estimate of this same signing; 400 for a broken token, 409 for a token of another signing. */
function basisOf(secret: string, vendor: string, input: SignContractInput, token: string): SignBasis {
  const fixed = openSigning(secret, vendor, token);
  if (fixed === null) throw invalidField('estimate_token', 'is not a token of an estimate of a signing');
  if (JSON.stringify(fixed.input) !== JSON.stringify(input))
    throw new Problem('estimate_outdated', 'The estimate was made for another signing; ask for one of this signing.');
  return fixed.basis;
}
