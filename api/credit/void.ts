import { z } from 'zod';
import { voidGrant } from '../../services/credit/grant.ts';
import { exampleId } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { GrantId } from '../schema/credit.ts';

export const voidGrantRoute = route({
  method: 'post',
  path: '/v1/c/credit_grant/{grant_id}/void',
  operationId: 'void_credit_grant',
  tag: 'Credits',
  summary: 'Take away what is left of a credit grant',
  description:
    'Of purchased credits that await their payment, the invoice is credited or voided: nothing is owed for them. Of paid ones the price stays yours; a credit note on their invoice gives it back, before or after, for what was unused. What it has paid stays paid; what a credit note gives back to it later is gone at once.',
  scope: 'full',
  params: z.object({ grant_id: GrantId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: GrantId },
  errors: ['credit_grant_not_found', 'credit_grant_state', 'payment_in_progress', 'customer_frozen', 'customer_erased', 'clock_advancing'],
  example: { body: {}, response: exampleId('Grant', 1) },
  write: async ({ vendor, params, tx }) => {
    await voidGrant(tx, vendor, params.grant_id);
    return params.grant_id;
  },
});
