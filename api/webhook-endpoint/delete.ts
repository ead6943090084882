import { z } from 'zod';
import { deleteEndpoint, lockEndpoint } from '../../services/webhook/endpoint.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { DeletedEndpoint, EndpointId } from '../schema/webhook.ts';

export const deleteEndpointRoute = route({
  method: 'post',
  path: '/v1/c/webhook_endpoint/{endpoint_id}/delete',
  operationId: 'delete_webhook_endpoint',
  tag: 'Events',
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is sent to it, and its log of deliveries goes. It can’t be undone.',
  scope: 'full',
  params: z.object({ endpoint_id: EndpointId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: DeletedEndpoint },
  errors: ['webhook_endpoint_not_found'],
  example: { body: {}, response: { id: ids.endpoint } },
  write: async ({ vendor, params, tx }) => {
    const endpoint = await lockEndpoint(tx, vendor, params.endpoint_id);
    await deleteEndpoint(tx, endpoint);
    return { id: endpoint.id };
  },
});
