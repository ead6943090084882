import { z } from 'zod';
import { addLines } from '../../services/import/create.ts';
import { readImport } from '../../services/import/read.ts';
import { exampleImport, exampleLines } from '../example/import.ts';
import { route } from '../http/route.ts';
import { Import, ImportId, ImportLinesRequest } from '../schema/import.ts';
import { importToWire } from '../wire/import.ts';
import { lineFromWire } from '../wire/import-line.ts';

export const addImportLinesRoute = route({
  method: 'post',
  path: '/v1/c/import/{import_id}/lines',
  operationId: 'add_import_lines',
  tag: 'Customers',
  summary: 'Add lines to an import',
  description:
    'At most 1,000 lines and 1 MiB a request. Lines that the import has already are left as they are, so a request can be repeated.',
  scope: 'full',
  params: z.object({ import_id: ImportId }),
  body: ImportLinesRequest,
  response: { 200: Import },
  unaudited: 'what a line makes has an entry of its own, once it is made',
  errors: ['import_not_found', 'import_state', 'import_line_changed'],
  example: { body: exampleLines, response: { ...exampleImport, total: 1 } },
  write: async ({ vendor, params, body, tx }) => {
    const call = { vendorId: vendor, importId: params.import_id };
    await addLines(
      tx,
      call,
      body.lines.map((line) => lineFromWire(vendor, line)),
    );
    return importToWire(await readImport(tx, call));
  },
});
