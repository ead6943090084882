import { z } from 'zod';
import { amendUsage } from '../../services/usage/amend.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { EventId } from '../schema/common.ts';
import { AmendRequest } from '../schema/usage.ts';

export const amendUsageRoute = route({
  method: 'post',
  path: '/v1/c/usage/{event_id}/amend',
  operationId: 'amend_usage',
  tag: 'Usage',
  summary: 'Correct the units of a usage event',
  description: 'The original units stay on record. In a closed period the difference is billed on the contract’s next invoice.',
  scope: 'full',
  params: z.object({ event_id: EventId }),
  body: AmendRequest,
  response: { 200: EventId },
  errors: ['usage_event_not_found', 'usage_discarded', 'limit_reached', 'customer_frozen', 'customer_erased', 'clock_advancing'],
  example: { body: { units: '100', notes: 'counted twice' }, response: ids.usage },
  write: async ({ vendor, apiKeyId, params, body, tx }) => {
    const amendment = { vendorId: vendor, eventId: params.event_id, units: body.units, notes: body.notes ?? null, keyId: apiKeyId };
    await amendUsage(tx, amendment);
    return params.event_id;
  },
});
