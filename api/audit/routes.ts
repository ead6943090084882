import type { Route } from '../http/route.ts';
import { listAuditRoute } from './list.ts';

export const auditRoutes: readonly Route[] = [listAuditRoute];
