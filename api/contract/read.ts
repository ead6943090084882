import { z } from 'zod';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { presentContract } from '../present/contract-detail.ts';
import { ContractId } from '../schema/common.ts';
import { Contract } from '../schema/contract.ts';

export const readContract = route({
  method: 'get',
  path: '/v1/c/contract/{contract_id}',
  operationId: 'get_contract',
  tag: 'Contracts',
  summary: 'Read a contract',
  description: 'With its own copy of the plan, the units used and charged, estimates and the discount.',
  scope: 'read',
  params: z.object({ contract_id: ContractId }),
  answer: { 200: Contract },
  errors: ['contract_not_found'],
  example: {},
  ownKeyCheck: true,
  run: async ({ vendor, apiKeyId, params }, { contractReads }) => {
    const detail = await contractReads.read({ vendorId: vendor, keyId: apiKeyId, contractId: params.contract_id });
    if (detail === null) throw new Problem('contract_not_found');
    return presentContract(detail);
  },
});
