import { ids } from '../example/ids.ts';
import { exampleUsageRequest } from '../example/usage.ts';
import { route } from '../http/route.ts';
import { EventId } from '../schema/common.ts';
import { UsageRequest } from '../schema/usage.ts';
import { usageFromWire } from '../wire/usage.ts';
import { usageErrors } from './errors.ts';

export const reportUsageRoute = route({
  method: 'post',
  path: '/v1/c/usage',
  operationId: 'report_usage',
  tag: 'Usage',
  summary: 'Report a usage event',
  description:
    'Returns the event’s id once it is stored. Reported units are summed over the billing period. An `Idempotency-Key` is stored with the event.',
  scope: 'usage',
  body: UsageRequest,
  response: { 200: EventId },
  unaudited: 'each usage event is on record itself, with its history',
  errors: usageErrors,
  example: { body: exampleUsageRequest, response: ids.usage },
  ownIdempotency: true,
  ownKeyCheck: true,
  run: async (request, { usage }) => {
    const [recorded] = await usage.report([usageFromWire(request.body, request, request.idempotency?.key ?? null)]);
    if (recorded === undefined) throw new Error('one event has one result');
    if ('error' in recorded) throw recorded.error;
    return recorded.id;
  },
});
