import { signContract } from '../../services/contract/sign.ts';
import { exampleSignRequest } from '../example/contract.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { SignRequest } from '../schema/contract.ts';
import { signFromWire } from '../wire/sign.ts';

export const signContractRoute = route({
  method: 'post',
  path: '/v1/c/contract',
  operationId: 'sign_contract',
  tag: 'Contracts',
  summary: 'Sign a contract',
  description:
    'Binds a customer to a plan and returns the id of the contract. Its first period and invoice are written in the same transaction; only payments come later. Prices are copied: later edits of the plan change nothing.',
  scope: 'full',
  body: SignRequest,
  response: { 201: ContractId },
  errors: [
    'customer_not_found',
    'customer_frozen',
    'clock_advancing',
    'plan_not_found',
    'plan_archived',
    'pricing_not_found',
    'discount_not_found',
    'discount_archived',
    'contract_exists',
    'usage_feature_taken',
  ],
  example: { body: exampleSignRequest, response: ids.movedContract },
  write: async ({ vendor, body, tx }) => {
    return signContract(tx, signFromWire(body, vendor));
  },
});
