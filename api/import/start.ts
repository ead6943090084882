import { z } from 'zod';
import { dryRunImport } from '../../services/import/dry-run.ts';
import { readImport } from '../../services/import/read.ts';
import { startImport } from '../../services/import/start.ts';
import { exampleImport } from '../example/import.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { ImportId, ImportStarted, StartImportQuery } from '../schema/import.ts';
import { importDryRunToWire, importToWire } from '../wire/import.ts';

/** A list of its own has all lines that were refused when they were added. */
const MOST_NAMED = 1_000;

export const startImportRoute = route({
  method: 'post',
  path: '/v1/c/import/{import_id}/start',
  operationId: 'start_import',
  tag: 'Customers',
  summary: 'Start an import',
  description:
    'Its lines are carried out a hundred in a transaction; those that are refused are listed, and the others go on. With `dry_run=true` nothing is written, and the response says what would be. Starting it again changes nothing.',
  scope: 'full',
  params: z.object({ import_id: ImportId }),
  query: StartImportQuery,
  body: Nothing,
  bodyOptional: true,
  response: { 200: ImportStarted },
  errors: ['import_not_found'],
  example: { body: {}, response: { ...exampleImport, status: 'running', total: 1 } },
  queue: (params) => params.import_id,
  write: async ({ vendor, params, query, tx }) => {
    const call = { vendorId: vendor, importId: params.import_id };
    if (query.dry_run === 'true') {
      const after = query.after === undefined ? null : Number(query.after);
      const run = await dryRunImport(tx, call, { after, named: MOST_NAMED });
      // nothing is changed, so the audit log has no entry
      tx.audited.length = 0;
      return importDryRunToWire(run);
    }
    await startImport(tx, call);
    return importToWire(await readImport(tx, call));
  },
});
