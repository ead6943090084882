import { z } from 'zod';
import type { Contract as Remembered } from '../../billing/contract/types.ts';
import type { ContractDetail } from '../../services/contract/read.ts';
import { exampleContract } from '../example/contract.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { Contract } from '../schema/contract.ts';
import { contractToWire } from '../wire/contract-detail.ts';

export const readContractRoute = route({
  method: 'get',
  path: '/v1/c/contract/{contract_id}',
  operationId: 'get_contract',
  tag: 'Contracts',
  summary: 'Read a contract',
  description: 'With its own copy of the plan, the units used and charged, estimates and the discount.',
  scope: 'read',
  params: z.object({ contract_id: ContractId }),
  response: { 200: Contract },
  errors: ['contract_not_found'],
  example: { response: exampleContract },
  ownKeyCheck: true,
  run: async ({ vendor, apiKeyId, params }, { contractReads }) => {
    const detail = await contractReads.read({ vendorId: vendor, keyId: apiKeyId, contractId: params.contract_id });
    if (detail === null) throw new Problem('contract_not_found');
    return show(detail);
  },
});

type Shown = z.input<typeof Contract>;

const shown = new WeakMap<Remembered, { beside: string; body: Shown }>();

/**
 * What is shown follows from the detail alone, and most of its price is estimates that come out the same until something changes: a contract whose
 * row is the one read before, with the same facts beside it, looks as it did.
 */
function show({ contract, ...facts }: ContractDetail): Shown {
  const beside = JSON.stringify(facts);
  const before = shown.get(contract);
  if (before?.beside === beside) return before.body;
  const body = contractToWire({ contract, ...facts });
  shown.set(contract, { beside, body });
  return body;
}
