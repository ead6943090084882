import { z } from 'zod';
import { exampleAccess } from '../example/entitlement.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { AccessEntitlement, AccessQuery } from '../schema/entitlement.ts';
import { accessToWire } from '../wire/entitlement.ts';
import { requireContract } from './require.ts';

export const accessEntitlementRoute = route({
  method: 'get',
  path: '/v1/c/entitlement/{customer_id}/access',
  operationId: 'get_access_entitlement',
  tag: 'Entitlements',
  summary: 'Read which features a customer may use',
  description:
    'Taken from the most recently activated live contract or from `contract_id`; further live contracts are in `others`. A frozen customer has no features. As of now, also where a timer is late: what has expired gives nothing.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  query: AccessQuery,
  response: { 200: AccessEntitlement },
  errors: ['customer_not_found', 'contract_not_found'],
  example: { response: exampleAccess },
  ownKeyCheck: true,
  run: async ({ vendor, apiKeyId, params, query }, { entitlements }) => {
    const access = await entitlements.read({
      vendorId: vendor,
      keyId: apiKeyId,
      customerId: params.customer_id,
      contractId: query.contract_id ?? null,
    });
    if (access === null) throw new Problem('customer_not_found');
    requireContract(access, query.contract_id);
    return accessToWire(access);
  },
});
