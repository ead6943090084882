import { z } from 'zod';
import { newId } from '../../db/id.ts';
import { type ChangeInput, changeContract, type EstimateBasis } from '../../services/contract/change.ts';
import { openEstimate } from '../../services/contract/estimate-token.ts';
import { openGatedChange } from '../../services/payment-gate/open-change.ts';
import { exampleChangeRequest } from '../example/change.ts';
import { ids } from '../example/ids.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { UpgradeRequest } from '../schema/upgrade.ts';
import { changeFromWire } from '../wire/change.ts';
import { gateErrors, gateTermsOf } from './gate-terms.ts';
import { gated } from './gated.ts';
import { changeErrors } from './upgrade-errors.ts';

export const upgradeContractRoute = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/upgrade',
  operationId: 'upgrade_contract',
  tag: 'Contracts',
  summary: 'Change the plan or the units of a contract',
  description:
    'Returns the id of the contract that takes its place; unused time is credited and the rest of the period is charged at the new price. A downgrade waits for the end of the cycle unless `downgrade_allowed`; until then the new contract is `scheduled`. With a `payment_gate` it is `scheduled` and `awaiting_payment` until it is paid, and the current one goes on; the response waits up to ten seconds for the first attempt: 402 when it is declined.',
  scope: 'full',
  params: z.object({ contract_id: ContractId }),
  body: UpgradeRequest,
  response: { 200: ContractId },
  errors: [...changeErrors, ...gateErrors, 'change_in_progress', 'estimate_outdated', 'contract_exists'],
  example: { body: exampleChangeRequest, response: ids.contract },
  queue: (params) => params.contract_id,
  together: ({ vendor, params, asker, body }, { changes }) => {
    if (body.estimate_token != null || body.payment_gate != null) return null;
    const [input, contractId] = [changeFromWire(body), newId('Cont')];
    const call = { vendorId: vendor, contractId: params.contract_id };
    return { outcome: contractId, make: (answer) => changes.change({ call, input, contractId, asker, answer }) };
  },
  write: async ({ vendor, params, body, tx, idempotency }, deps) => {
    const input = changeFromWire(body);
    const estimate = body.estimate_token == null ? null : basisOf(deps.settings.secret, vendor, input, body.estimate_token);
    const call = { vendorId: vendor, contractId: params.contract_id };
    if (body.payment_gate == null) return changeContract(tx, call, input, estimate);
    const terms = gateTermsOf(body.payment_gate, deps);
    return gated(tx, idempotency, deps, () => openGatedChange(tx, call, input, estimate, terms));
  },
});

/** The basis of the estimate of this same change; 400 for a broken token, 409 for a token of another change. */
function basisOf(secret: string, vendor: string, input: ChangeInput, token: string): EstimateBasis {
  const fixed = openEstimate(secret, vendor, token);
  if (fixed === null) throw invalidField('estimate_token', 'is not a token of an estimate');
  if (JSON.stringify(fixed.input) !== JSON.stringify(input))
    throw new Problem('estimate_outdated', 'The estimate was made for another change; ask for one of this change.');
  return fixed.basis;
}
