import type { Route } from '../http/route.ts';
import { listEventsRoute } from './list.ts';
import { resendEventRoute } from './resend.ts';

export const eventRoutes: readonly Route[] = [listEventsRoute, resendEventRoute];
