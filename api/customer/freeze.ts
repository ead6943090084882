import { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { route } from '../http/route.ts';
import { CustomerId } from '../schema/common.ts';
import { FreezeRequest } from '../schema/customer.ts';

export const freezeCustomerRoute = route({
  method: 'post',
  path: '/v1/c/customer/{customer_id}/inactivate',
  operationId: 'freeze_customer',
  tag: 'Customers',
  summary: 'Freeze a customer',
  description:
    'Every contract pauses and all data become read-only until the customer is activated, or until `resume_at`. On a customer that is frozen already `resume_at` replaces what was set before, null drops it; nothing else changes.',
  scope: 'full',
  params: z.object({ customer_id: CustomerId }),
  body: FreezeRequest,
  bodyOptional: true,
  response: { 200: null },
  errors: ['customer_not_found', 'customer_erased', 'clock_advancing'],
  example: { body: { notes: 'asked for a break', resume_at: '2026-09-01T00:00:00.000Z' } },
  write: async ({ vendor, params, body, tx }) => {
    const resumeAt = body.resume_at == null ? body.resume_at : at(body.resume_at, 'resume_at');
    await freezeCustomer(tx, vendor, params.customer_id, { notes: body.notes ?? null, resumeAt });
    return null;
  },
});
