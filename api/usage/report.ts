import { route } from '../http/route.ts';
import { EventId } from '../schema/common.ts';
import { UsageRequest } from '../schema/usage.ts';
import { usageFromWire } from '../wire/usage.ts';
import { usageErrors } from './errors.ts';

export const reportUsage = route({
  method: 'post',
  path: '/v1/c/usage',
  operationId: 'report_usage',
  tag: 'Usage',
  summary: 'Report a usage event',
  description:
    'Answers the event’s id once it is on disk. Reported units are summed over the billing period. An `Idempotency-Key` is kept with the event.',
  scope: 'usage',
  body: UsageRequest,
  answer: { 200: EventId },
  errors: usageErrors,
  example: {
    body: { customer_id: 'Cust_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f', feature_slug: 'api-calls', units: '12' },
    answer: 'Evt_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f',
  },
  ownIdempotency: true,
  ownKeyCheck: true,
  run: async (request, { usage }) => {
    const [recorded] = await usage.report([usageFromWire(request.body, request, request.idempotency?.key ?? null)]);
    if (recorded === undefined) throw new Error('one event has one result');
    if ('error' in recorded) throw recorded.error;
    return recorded.id;
  },
});
