import { z } from 'zod';
import { type ListedTry, tryList } from '../../db/sql/webhook/list.ts';
import { pageOf } from '../example/page.ts';
import { exampleDeliveries } from '../example/webhook.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { DeliverySearch, EndpointId, WebhookDeliveryPage } from '../schema/webhook.ts';
import { tryToWire } from '../wire/webhook.ts';
import { showEndpoint } from './show.ts';

export const listDeliveriesRoute = route({
  method: 'get',
  path: '/v1/c/webhook_endpoint/{endpoint_id}/delivery',
  operationId: 'list_webhook_deliveries',
  tag: 'Events',
  summary: 'List deliveries to a webhook endpoint',
  description: 'Each try to send an event, oldest first; kept for 30 days unless the server says otherwise.',
  scope: 'read',
  params: z.object({ endpoint_id: EndpointId }),
  query: DeliverySearch,
  response: { 200: WebhookDeliveryPage },
  errors: ['invalid_cursor', 'webhook_endpoint_not_found'],
  example: { response: pageOf(exampleDeliveries) },
  run: async ({ vendor, params, query }, deps) => {
    const { id } = await showEndpoint(deps.db, vendor, params.endpoint_id);
    return listPage<ListedTry, ReturnType<typeof tryToWire>>(deps, `delivery:${id}`, vendor, tryList(id, query), query, tryToWire);
  },
});
