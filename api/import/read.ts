import { z } from 'zod';
import { readImport } from '../../services/import/read.ts';
import { exampleDoneImport } from '../example/import.ts';
import { route } from '../http/route.ts';
import { Import, ImportId } from '../schema/import.ts';
import { importToWire } from '../wire/import.ts';

export const readImportRoute = route({
  method: 'get',
  path: '/v1/c/import/{import_id}',
  operationId: 'get_import',
  tag: 'Customers',
  summary: 'Read an import',
  description: 'How far it has come, and what it has made.',
  scope: 'read',
  params: z.object({ import_id: ImportId }),
  response: { 200: Import },
  errors: ['import_not_found'],
  example: { response: exampleDoneImport },
  run: async ({ vendor, params }, { db }) =>
    importToWire(await readImport({ em: db.em(), query: db.query.bind(db) }, { vendorId: vendor, importId: params.import_id })),
});
