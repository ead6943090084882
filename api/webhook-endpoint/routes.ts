import type { Route } from '../http/route.ts';
import { deleteEndpointRoute } from './delete.ts';
import { listEndpointsRoute } from './list.ts';
import { listDeliveriesRoute } from './list-deliveries.ts';
import { openEndpointRoute } from './open.ts';
import { pauseEndpointRoute } from './pause.ts';
import { readEndpointRoute } from './read.ts';
import { replayRoute } from './replay.ts';
import { rotateSecretRoute } from './rotate.ts';
import { saveEndpointRoute } from './save.ts';
import { skipEventRoute } from './skip.ts';

export const webhookEndpointRoutes: readonly Route[] = [
  listEndpointsRoute,
  saveEndpointRoute,
  readEndpointRoute,
  rotateSecretRoute,
  pauseEndpointRoute,
  openEndpointRoute,
  deleteEndpointRoute,
  listDeliveriesRoute,
  skipEventRoute,
  replayRoute,
];
