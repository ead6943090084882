import { z } from 'zod';
import { readImport } from '../../services/import/read.ts';
import { discardImport } from '../../services/import/start.ts';
import { exampleDoneImport } from '../example/import.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { Import, ImportId } from '../schema/import.ts';
import { importToWire } from '../wire/import.ts';

export const discardImportRoute = route({
  method: 'post',
  path: '/v1/c/import/{import_id}/discard',
  operationId: 'discard_import',
  tag: 'Customers',
  summary: 'Drop what waits of an import',
  description:
    'The import is done, and what it has made stays. The lines that have no outcome yet are gone from here on; they are deleted, with what is personal in them, in steps that begin within ten minutes. One that runs has to be stopped first.',
  scope: 'full',
  params: z.object({ import_id: ImportId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: Import },
  errors: ['import_not_found', 'import_state'],
  example: { body: {}, response: exampleDoneImport },
  write: async ({ vendor, params, tx }) => {
    const call = { vendorId: vendor, importId: params.import_id };
    await discardImport(tx, call);
    return importToWire(await readImport(tx, call));
  },
});
