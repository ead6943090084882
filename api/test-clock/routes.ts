import type { Route } from '../http/route.ts';
import { advanceTestClockRoute } from './advance.ts';
import { createTestClockRoute } from './create.ts';
import { listTestClocksRoute } from './list.ts';
import { readTestClockRoute } from './read.ts';
import { stopTestClockRoute } from './stop.ts';

export const testClockRoutes: readonly Route[] = [
  createTestClockRoute,
  listTestClocksRoute,
  readTestClockRoute,
  advanceTestClockRoute,
  stopTestClockRoute,
];
