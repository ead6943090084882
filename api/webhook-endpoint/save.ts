import { namesForbiddenAddress } from '../../services/webhook/address.ts';
import { changeEndpoint, createEndpoint, lockEndpoint } from '../../services/webhook/endpoint.ts';
import { ids } from '../example/ids.ts';
import { exampleSecret } from '../example/webhook.ts';
import { invalidField } from '../http/problem.ts';
import { ApiResponse, route } from '../http/route.ts';
import { EndpointRequest, EndpointSecret } from '../schema/webhook.ts';

export const saveEndpointRoute = route({
  method: 'post',
  path: '/v1/c/webhook_endpoint',
  operationId: 'save_webhook_endpoint',
  tag: 'Events',
  summary: 'Create or update a webhook endpoint',
  description:
    'Without `id` an endpoint is created, which gets every event from now on; the response shows its secret this once. With one it is changed and absent fields stay.',
  scope: 'full',
  body: EndpointRequest,
  response: { 201: EndpointSecret, 200: EndpointSecret },
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_limit'],
  example: {
    body: { url: 'https://example.com/perennial', types: ['v1.invoice.created', 'v1.invoice.paid'] },
    response: { id: ids.endpoint, secret: exampleSecret },
    others: { 200: { id: ids.endpoint, secret: null } },
  },
  secret: true,
  write: async ({ vendor, body, tx }, { settings }) => {
    if (body.url !== undefined && !settings.reachesPrivate && namesForbiddenAddress(new URL(body.url)))
      throw invalidField('url', 'must be a public address');
    if (!body.id) {
      const made = { url: body.url ?? '', types: body.types ?? [], description: body.description ?? null };
      return new ApiResponse(201, await createEndpoint(tx, vendor, made, { own: settings.secret, now: Date.now() }));
    }
    const { url, description } = body;
    const types = body.types === null ? [] : body.types;
    const given = Object.fromEntries(Object.entries({ url, types, description }).filter(([, value]) => value !== undefined));
    await changeEndpoint(tx, await lockEndpoint(tx, vendor, body.id), given);
    return new ApiResponse(200, { id: body.id, secret: null }, false);
  },
});
