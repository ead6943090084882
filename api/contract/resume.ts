import { z } from 'zod';
import { route } from '../http/route.ts';
import { ContractId, Nothing } from '../schema/common.ts';

export const resumeContract = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/resume',
  operationId: 'resume_contract',
  tag: 'Contracts',
  summary: 'Let a parked contract go on',
  description: 'Does what became due meanwhile. While the cause isn’t mended the contract stays parked.',
  scope: 'full',
  params: z.object({ contract_id: ContractId }),
  body: Nothing,
  bodyOptional: true,
  answer: { 200: ContractId },
  errors: ['contract_not_found', 'contract_state', 'clock_advancing', 'change_in_progress'],
  example: { body: {} },
  run: async ({ vendor, apiKeyId, params, idempotency }, { contracts }) =>
    String(await contracts.carryOut({ vendor, apiKeyId, contractId: params.contract_id, operation: 'resume', request: {}, idempotency })),
});
