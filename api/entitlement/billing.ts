import { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { readStanding } from '../../services/payment/standing.ts';
import { exampleStanding } from '../example/entitlement.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { BillingEntitlement, BillingQuery } from '../schema/entitlement.ts';
import { billingEntitlementToWire } from '../wire/billing-entitlement.ts';
import { requireContract } from './require.ts';

export const billingEntitlementRoute = route({
  method: 'get',
  path: '/v1/c/entitlement/{customer_id}/billing',
  operationId: 'get_billing_entitlement',
  tag: 'Entitlements',
  summary: 'Read what a customer owes',
  description:
    'Unpaid invoices by currency, wallets, and when the next payment is due. `due_date_before` limits which invoices are counted.',
  scope: 'read',
  params: z.object({ customer_id: CustomerId }),
  query: BillingQuery,
  response: { 200: BillingEntitlement },
  errors: ['customer_not_found', 'contract_not_found'],
  example: { response: exampleStanding },
  ownKeyCheck: true,
  run: async ({ vendor, apiKeyId, params, query }, { db, entitlements }) => {
    const before = query.due_date_before === undefined ? null : at(query.due_date_before);
    const access = await entitlements.read({
      vendorId: vendor,
      keyId: apiKeyId,
      customerId: params.customer_id,
      contractId: query.contract_id ?? null,
    });
    if (access === null) throw new Problem('customer_not_found');
    requireContract(access, query.contract_id);
    const standing = await readStanding(db, vendor, params.customer_id, { contracts: access.contracts.length, dueBefore: before });
    return billingEntitlementToWire(access, standing, access.pauses ?? (await readPauses(db, params.customer_id)));
  },
});
