import type { Route } from '../http/route.ts';
import { createKeyRoute } from './create.ts';
import { listKeysRoute } from './list.ts';
import { revokeKeyRoute } from './revoke.ts';
import { rotateKeyRoute } from './rotate.ts';

export const apiKeyRoutes: readonly Route[] = [createKeyRoute, listKeysRoute, rotateKeyRoute, revokeKeyRoute];
