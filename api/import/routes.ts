import type { Route } from '../http/route.ts';
import { addImportLinesRoute } from './add-lines.ts';
import { createImportRoute } from './create.ts';
import { discardImportRoute } from './discard.ts';
import { listRefusedLinesRoute } from './list-refused.ts';
import { readImportRoute } from './read.ts';
import { resumeImportRoute } from './resume.ts';
import { startImportRoute } from './start.ts';
import { stopImportRoute } from './stop.ts';

/** In the order in which they are called. */
export const importRoutes: readonly Route[] = [
  createImportRoute,
  addImportLinesRoute,
  startImportRoute,
  readImportRoute,
  stopImportRoute,
  resumeImportRoute,
  discardImportRoute,
  listRefusedLinesRoute,
];
