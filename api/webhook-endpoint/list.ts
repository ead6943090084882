import { endpointList, type ListedEndpoint } from '../../db/sql/webhook/list.ts';
import { pageOf } from '../example/page.ts';
import { exampleEndpoint } from '../example/webhook.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { PageQuery } from '../schema/paging.ts';
import { WebhookEndpointPage } from '../schema/webhook.ts';
import { endpointToWire } from '../wire/webhook.ts';

export const listEndpointsRoute = route({
  method: 'get',
  path: '/v1/c/webhook_endpoint',
  operationId: 'list_webhook_endpoints',
  tag: 'Events',
  summary: 'List webhook endpoints',
  description: 'Oldest first, without their secrets; deleted ones are left out.',
  scope: 'read',
  query: PageQuery,
  response: { 200: WebhookEndpointPage },
  errors: ['invalid_cursor'],
  example: { response: pageOf([exampleEndpoint]) },
  run: ({ vendor, query }, deps) =>
    listPage<ListedEndpoint, ReturnType<typeof endpointToWire>>(
      deps,
      'webhook_endpoint',
      vendor,
      endpointList(vendor),
      query,
      endpointToWire,
    ),
});
