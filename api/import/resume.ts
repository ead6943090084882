import { z } from 'zod';
import { readImport } from '../../services/import/read.ts';
import { resumeImport } from '../../services/import/start.ts';
import { exampleDoneImport } from '../example/import.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { Import, ImportId } from '../schema/import.ts';
import { importToWire } from '../wire/import.ts';

export const resumeImportRoute = route({
  method: 'post',
  path: '/v1/c/import/{import_id}/resume',
  operationId: 'resume_import',
  tag: 'Customers',
  summary: 'Let a stopped import go on',
  description: 'It goes on with the lines that have no outcome yet. Resuming an import that is not stopped changes nothing.',
  scope: 'full',
  params: z.object({ import_id: ImportId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: Import },
  errors: ['import_not_found'],
  example: { body: {}, response: exampleDoneImport },
  write: async ({ vendor, params, tx }) => {
    const call = { vendorId: vendor, importId: params.import_id };
    await resumeImport(tx, call);
    return importToWire(await readImport(tx, call));
  },
});
