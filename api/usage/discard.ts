import { z } from 'zod';
import { amendUsage } from '../../services/usage/amend.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { EventId } from '../schema/common.ts';
import { NotesRequest } from '../schema/customer.ts';

export const discardUsageRoute = route({
  method: 'post',
  path: '/v1/c/usage/{event_id}/discard',
  operationId: 'discard_usage',
  tag: 'Usage',
  summary: 'Discard a usage event',
  description: 'It no longer counts, but stays on record. In a closed period the difference is billed on the contract’s next invoice.',
  scope: 'full',
  params: z.object({ event_id: EventId }),
  body: NotesRequest,
  bodyOptional: true,
  response: { 200: EventId },
  errors: ['usage_event_not_found', 'usage_discarded', 'limit_reached', 'customer_frozen', 'customer_erased', 'clock_advancing'],
  example: { body: { notes: 'reported by mistake' }, response: ids.usage },
  write: async ({ vendor, apiKeyId, params, body, tx }) => {
    await amendUsage(tx, {
      vendorId: vendor,
      eventId: params.event_id,
      units: null,
      notes: body.notes ?? null,
      keyId: apiKeyId,
    });
    return params.event_id;
  },
});
