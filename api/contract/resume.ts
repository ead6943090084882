import { z } from 'zod';
import { resumeContract } from '../../services/contract/resume.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { ContractId, Nothing } from '../schema/common.ts';

export const resumeContractRoute = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/resume',
  operationId: 'resume_contract',
  tag: 'Contracts',
  summary: 'Resume a parked contract',
  description: 'Does everything that became due meanwhile. The contract stays parked while the cause isn’t repaired.',
  scope: 'full',
  params: z.object({ contract_id: ContractId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: ContractId },
  errors: ['contract_not_found', 'contract_state', 'awaiting_payment', 'clock_advancing', 'change_in_progress'],
  example: { body: {}, response: ids.contract },
  queue: (params) => params.contract_id,
  write: async ({ vendor, params, tx }) => {
    const call = { vendorId: vendor, contractId: params.contract_id };
    await resumeContract(tx, call);
    return params.contract_id;
  },
});
