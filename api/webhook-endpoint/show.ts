import type { z } from 'zod';
import type { Queryable } from '../../db/connect.ts';
import { shownEndpoints } from '../../db/sql/webhook/list.ts';
import { Problem } from '../http/problem.ts';
import type { WebhookEndpoint } from '../schema/webhook.ts';
import { endpointToWire } from '../wire/webhook.ts';

/** An endpoint as it stands now. */
export async function showEndpoint(db: Queryable, vendor: string, id: string): Promise<z.input<typeof WebhookEndpoint>> {
  const [endpoint] = await shownEndpoints(db, vendor, [id]);
  if (endpoint === undefined) throw new Problem('webhook_endpoint_not_found');
  return endpointToWire(endpoint);
}
