import { z } from 'zod';
import type { Contract as StoredContract } from '../../billing/contract/types.ts';
import type { ContractDetail } from '../../services/contract/read.ts';
import { exampleContract } from '../example/contract.ts';
import { Problem } from '../http/problem.ts';
import { route, WrittenBody } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { Contract } from '../schema/contract.ts';
import { contractToWire } from '../wire/contract-detail.ts';

export const readContractRoute = route({
  method: 'get',
  path: '/v1/c/contract/{contract_id}',
  operationId: 'get_contract',
  tag: 'Contracts',
  summary: 'Read a contract',
  description:
    'With its own copy of the plan, the units used and charged, estimates and the discount. As of now, also where a timer is late; invoices come once they are made.',
  scope: 'read',
  params: z.object({ contract_id: ContractId }),
  response: { 200: Contract },
  errors: ['contract_not_found'],
  example: { response: exampleContract },
  ownKeyCheck: true,
  run: async ({ vendor, apiKeyId, params }, { contractReads }) => {
    const detail = await contractReads.read({ vendorId: vendor, keyId: apiKeyId, contractId: params.contract_id });
    if (detail === null) throw new Problem('contract_not_found');
    return bodyOf(detail);
  },
});

type Body = WrittenBody<z.input<typeof Contract>>;

const cache = new WeakMap<StoredContract, { facts: string; body: Body }>();

/**
 * The body is cached, as it is sent, while the contract's row and the other facts in it stay the same, since its
 * estimates are costly to compute.
 */
function bodyOf({ contract, ...rest }: ContractDetail): Body {
  const facts = JSON.stringify(rest);
  const cached = cache.get(contract);
  if (cached?.facts === facts) return cached.body;
  const body = new WrittenBody<z.input<typeof Contract>>(contractToWire({ contract, ...rest }));
  cache.set(contract, { facts, body });
  return body;
}
