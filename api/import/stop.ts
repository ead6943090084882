import { z } from 'zod';
import { readImport } from '../../services/import/read.ts';
import { stopImport } from '../../services/import/start.ts';
import { exampleDoneImport } from '../example/import.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { Import, ImportId } from '../schema/import.ts';
import { importToWire } from '../wire/import.ts';

export const stopImportRoute = route({
  method: 'post',
  path: '/v1/c/import/{import_id}/stop',
  operationId: 'stop_import',
  tag: 'Customers',
  summary: 'Stop an import',
  description:
    'It ends after the lines that are being carried out; what is imported stays. Stopping an import that does not run changes nothing.',
  scope: 'full',
  params: z.object({ import_id: ImportId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: Import },
  errors: ['import_not_found'],
  example: { body: {}, response: exampleDoneImport },
  write: async ({ vendor, params, tx }) => {
    const call = { vendorId: vendor, importId: params.import_id };
    await stopImport(tx, call);
    return importToWire(await readImport(tx, call));
  },
});
