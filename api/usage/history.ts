import { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { usageHistory } from '../../services/usage/history.ts';
import { exampleUsageHistory } from '../example/usage.ts';
import { route } from '../http/route.ts';
import { EventId } from '../schema/common.ts';
import { UsageHistory } from '../schema/usage.ts';

export const usageHistoryRoute = route({
  method: 'get',
  path: '/v1/c/usage/{event_id}/history',
  operationId: 'get_usage_history',
  tag: 'Usage',
  summary: 'What was done with a usage event',
  description: 'Its report, its last 500 corrections and its discarding, oldest first, with the units that counted from then on.',
  scope: 'read',
  params: z.object({ event_id: EventId }),
  response: { 200: UsageHistory },
  errors: ['usage_event_not_found'],
  example: { response: exampleUsageHistory },
  run: async ({ vendor, params }, { db }) => {
    const acts = await usageHistory(db.em(), vendor, params.event_id);
    return acts.map(({ at, action, units, notes, keyId }) => ({ at: iso(at), action, units, notes, key_id: keyId }));
  },
});
